// SPDX-License-Identifier: Apache-2.0
#include "tests/hardware/support/packed_gemm.hpp"

#include <utility>

#include "model/reference/gemm.hpp"

namespace nibblecore::test {

PackedGemm::PackedGemm(PackedMatrix a, PackedMatrix b, std::vector<uint32_t> start,
                       Accumulation accumulation)
    : a_(std::move(a)),
      b_(std::move(b)),
      start_(std::move(start)),
      accumulation_(accumulation),
      result_(static_cast<size_t>(a_.rows * b_.rows)) {
  forget_result();
  gemm_.a = tb::packed_operand(a_);
  gemm_.b = tb::packed_operand(b_);
  gemm_.c = start_.empty() ? nullptr : start_.data();
  gemm_.d = result_.data();
}

GemmSpec PackedGemm::spec() const {
  GemmSpec spec{a_.rows, b_.rows, a_.k, a_.format};
  spec.start = start_.empty() ? Start::kZero : Start::kFromMemory;
  spec.accumulation = accumulation_;
  return spec;
}

std::vector<uint32_t> PackedGemm::golden() const {
  std::vector<uint32_t> golden(result_.size());
  reference_gemm(a_, b_, accumulation_, gemm_.c, golden.data(), 1);
  return golden;
}

void PackedGemm::forget_result() { result_.assign(result_.size(), 0x7FDEAD00); }

}  // namespace nibblecore::test
