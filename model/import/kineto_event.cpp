// SPDX-License-Identifier: Apache-2.0
#include "model/import/kineto_event.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/import/microseconds.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

std::string_view text_of(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  const json::string* const text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string_view(text->data(), text->size()) : std::string_view();
}

int64_t integer_of(const json::object& object, std::string_view key, int64_t otherwise) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr ? json_integer(*value).value_or(otherwise) : otherwise;
}

EventCategory category_of(const json::object& event, std::string_view name) {
  const std::string_view category = text_of(event, "cat");
  if (category.empty() || category == "cpu_op" || category == "Operator") {
    return EventCategory::kOperator;
  }
  if (category == "user_annotation") {
    return EventCategory::kAnnotation;
  }
  if (category == "kernel" || category == "Kernel") {
    return EventCategory::kKernel;
  }
  const bool is_module = category == "python_function" && name.substr(0, 10) == "nn.Module:";
  return is_module ? EventCategory::kModule : EventCategory::kOther;
}

std::string track(const json::object& event, std::string_view key) {
  const json::value* const value = event.if_contains(key);
  return value != nullptr ? shown(*value) : std::string();
}

}  // namespace

KinetoEvent read_kineto_event(const json::value& event, const std::string& place) {
  const json::object* const fields = event.if_object();
  if (fields == nullptr) {
    throw InputError(place, "is " + shown(event) + ", not an event");
  }
  const json::value* const name = fields->if_contains("name");
  if (name != nullptr && !name->is_string()) {
    throw InputError(place + ", field \"name\"", "is " + shown(*name) + ", not a text");
  }
  KinetoEvent result;
  result.name = text_of(*fields, "name");
  result.category = category_of(*fields, result.name);
  return result;
}

void read_kineto_details(const json::value& event, KinetoEvent& result) {
  const json::object& fields = event.get_object();
  result.complete = text_of(fields, "ph") == "X";
  result.process = track(fields, "pid");
  result.thread = track(fields, "tid");
  if (const json::value* const start = fields.if_contains("ts")) {
    result.start = nanoseconds(*start);
  }
  if (const json::value* const duration = fields.if_contains("dur")) {
    result.duration = nanoseconds(*duration);
  }
  int64_t end = 0;
  const bool has_time = result.start && result.duration && *result.duration >= 0 &&
                        !__builtin_add_overflow(*result.start, *result.duration, &end);
  if (!has_time) {
    result.duration = std::nullopt;
  }
  const json::value* const arguments = fields.if_contains("args");
  if (arguments == nullptr || !arguments->is_object()) {
    return;
  }
  const json::object& details = arguments->get_object();
  result.sequence = integer_of(details, "Sequence number", -1);
  result.forward_thread = integer_of(details, "Fwd thread id", 0);
  result.module = text_of(details, "Module Hierarchy");
  result.dimensions = details.if_contains("Input Dims");
  result.strides = details.if_contains("Input Strides");
}

}  // namespace nibblecore
