// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "model/import/kineto_event.hpp"
#include "model/import/profile_records.hpp"
#include "model/import/profile_scopes.hpp"
#include "model/import/span_sweep.hpp"

namespace nibblecore {

/// Collects the GEMMs of a Chrome trace and what encloses them, in whatever order events come.
class KinetoReader {
 public:
  /// `name` stands for the file in messages and outlives the reader.
  explicit KinetoReader(const std::string& name) : name_(name) {}

  /// Takes an event; InputError as read_kineto_event.
  void read(const boost::json::value& element, int64_t index);

  /// All GEMMs, with what encloses them; they refer to this reader's memory. Once, last.
  ReadProfile finish(std::optional<int64_t> rank);

  /// What else a file without GEMM operators holds, for a message; may be empty.
  std::string hint() const;

 private:
  /// A span on its thread and its process.
  struct Timed {
    Span span;
    int64_t process = 0;
  };

  Timed timed(const KinetoEvent& event);
  void add_gemm(const KinetoEvent& event);
  void add_scope(const KinetoEvent& event, NameClass name_class);
  void sweep_threads();
  void sweep_processes();

  const std::string& name_;
  std::map<std::string, int64_t> processes_;
  std::map<std::string, int64_t> threads_;
  ProfileScopes scopes_;
  std::vector<Timed> enclosing_;                ///< index: number of a scope
  std::vector<Timed> leaves_;                   ///< index: of `gemm_of_`
  std::vector<std::optional<size_t>> gemm_of_;  ///< of each GEMM operator, where it was taken
  ReadProfile profile_;
  int64_t gemm_kernels_ = 0;
};

}  // namespace nibblecore
