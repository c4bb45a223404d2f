// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "model/trace/gemm_record.hpp"
#include "model/trace/operand_view.hpp"
#include "model/trace/safetensors_reader.hpp"

namespace nibblecore {

/// A trace folder: the manifest `gemms.jsonl` and the safetensors files it names, each opened once,
/// when first needed. Safe to use from several threads.
class Trace {
 public:
  /// Reads the manifest; InputError as read_manifest.
  explicit Trace(const std::filesystem::path& folder);

  const std::vector<GemmRecord>& records() const { return records_; }

  /// The operands of product `batch_index` (0..batch-1) of a record of this trace, without a copy;
  /// they live as long as the trace. InputError naming manifest line and tensor where the record
  /// has none, or a tensor is missing, is neither F32 nor BF16, or has not the shape that the
  /// record says. A tensor of a record with batch 1 may be [1, ...] or go without that dimension.
  Operands operands(const GemmRecord& record, int64_t batch_index = 0) const;

  /// Gives back the memory that these operands take. They stay readable, and take it again when
  /// read: after each product, so that a trace larger than memory can be replayed.
  void release(const GemmRecord& record, int64_t batch_index = 0) const;

  /// Checks the operands of every record that has them, so that a bad trace fails before any work.
  void validate() const;

 private:
  MatrixView view(const GemmRecord& record, OperandSide side, int64_t batch_index) const;
  const SafetensorsFile& file(const std::string& name) const;

  std::filesystem::path folder_;
  std::vector<GemmRecord> records_;
  mutable std::mutex files_mutex_;
  mutable std::map<std::string, SafetensorsFile> files_;
};

}  // namespace nibblecore
