// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/fill/fill.hpp"
#include "model/trace/gemm_record.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore {

/// The operands of one product and what holds them, where they are not in a trace.
class HeldOperands {
 public:
  HeldOperands(const Operands& operands, std::vector<std::byte> a, std::vector<std::byte> b)
      : a_(std::move(a)), b_(std::move(b)), operands_(operands) {}
  HeldOperands(HeldOperands&&) = default;
  HeldOperands& operator=(HeldOperands&&) = default;
  HeldOperands(const HeldOperands&) = delete;
  HeldOperands& operator=(const HeldOperands&) = delete;
  ~HeldOperands() = default;

  const Operands& operands() const { return operands_; }

 private:
  std::vector<std::byte> a_;
  std::vector<std::byte> b_;
  Operands operands_;
};

/// Where operands come from: a trace's own, and with a fill synthetic ones for records that have
/// none. Those are made when asked for, one product at a time.
class OperandSource {
 public:
  /// `trace` outlives the source. `threads` make the values, whose bits don't depend on it.
  OperandSource(const Trace& trace, const std::optional<Fill>& fill, uint64_t seed, int threads);

  /// The trace's records. With a fill all have operands: a filled one (GemmRecord::is_filled) names
  /// its tensors by their identity (layer_tensor.hpp) and stores them as a linear layer does,
  /// whatever its line says of `ta` and `tb`.
  const std::vector<GemmRecord>& records() const { return fill_ ? filled_ : trace_.records(); }

  /// Types of both operands of a record that has some.
  std::pair<ValueType, ValueType> types(const GemmRecord& record) const;

  /// InputError at `place` where the operands of one product of a filled record and its FP32
  /// results take more bytes than this machine has memory, or more than 64 bits can count.
  void require_room(const GemmRecord& record, const std::string& place) const;

  /// The operands of product `batch_index` of one of these records; errors as Trace::operands.
  HeldOperands operands(const GemmRecord& record, int64_t batch_index) const;

 private:
  const Trace& trace_;
  std::optional<Fill> fill_;
  uint64_t seed_;
  int threads_;
  std::vector<GemmRecord> filled_;
};

}  // namespace nibblecore
