// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace nibblecore {

/// What an event of a Chrome trace is to the importer.
enum class EventCategory {
  kOperator,    ///< "cpu_op"; "Operator" or none in files of old versions
  kAnnotation,  ///< "user_annotation"
  kModule,      ///< a "python_function" that is the call of a module
  kKernel,      ///< "kernel"
  kOther,
};

/// The fields of an event that matter; views live as long as the event's JSON.
struct KinetoEvent {
  EventCategory category = EventCategory::kOther;
  bool complete = false;  ///< "ph" is "X"
  std::string_view name;
  std::string process;              ///< "pid" as JSON: a number, or a text in files without Kineto
  std::string thread;               ///< "tid"
  std::optional<int64_t> start;     ///< in nanoseconds
  std::optional<int64_t> duration;  ///< likewise, not negative
  int64_t sequence = -1;
  int64_t forward_thread = 0;
  std::string_view module;                         ///< "Module Hierarchy"
  const boost::json::value* dimensions = nullptr;  ///< "Input Dims"
  const boost::json::value* strides = nullptr;     ///< "Input Strides"
};

/// Reads an event's category and name, all that most events need. InputError at `place` where it is
/// no object, or its name is no text.
KinetoEvent read_kineto_event(const boost::json::value& event, const std::string& place);

/// Reads the rest.
void read_kineto_details(const boost::json::value& event, KinetoEvent& result);

}  // namespace nibblecore
