// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/machine/program.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::tb {

/// What memory holds before a GEMM, laid out as its program moves it (docs/cycles.md): the images
/// of A, B and the start values one after the other from address 0 on, and room for the result.
class MemoryImage {
 public:
  MemoryImage(const Program& program, const CoreGemm& gemm);

  std::vector<uint8_t>& bytes() { return bytes_; }
  uint64_t a_address() const { return 0; }
  uint64_t b_address() const { return b_address_; }
  uint64_t start_address() const { return start_address_; }
  uint64_t store_address() const { return store_address_; }

  /// The result from what memory holds at store_address(), `stored` [store_image_bytes()], to
  /// `gemm.d`.
  static void read_result(const Program& program, const std::vector<uint8_t>& stored, uint32_t* d);

 private:
  std::vector<uint8_t> bytes_;
  uint64_t b_address_ = 0;
  uint64_t start_address_ = 0;
  uint64_t store_address_ = 0;
};

}  // namespace nibblecore::tb
