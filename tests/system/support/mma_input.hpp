// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"

namespace nibblecore {

/// One of the block-scaled formats of `nibblecore mma`.
struct MmaFormat {
  const char* name;  ///< for test names
  const char* format;
  int block;
  const char* scale;

  Arguments options() const {
    return {"--format", format, "--block", std::to_string(block), "--scale", scale};
  }
  int64_t scale_bytes(int64_t k) const {
    return k / block * (std::string(scale) == "hif4" ? 4 : 1);
  }
};

struct MmaShape {
  int64_t tiles;
  int64_t m;
  int64_t n;
  int64_t k;
};

/// Operands of `nibblecore mma`, all bytes 0 at first.
struct MmaInput {
  MmaInput(const MmaFormat& format_of, const MmaShape& shape_of)
      : format(format_of),
        shape(shape_of),
        a(static_cast<size_t>(shape.tiles * shape.m * shape.k / 2)),
        a_scale(static_cast<size_t>(shape.tiles * shape.m * format.scale_bytes(shape.k))),
        b(static_cast<size_t>(shape.tiles * shape.n * shape.k / 2)),
        b_scale(static_cast<size_t>(shape.tiles * shape.n * format.scale_bytes(shape.k))),
        c(static_cast<size_t>(shape.tiles * shape.m * shape.n)) {}

  TensorFile file() const {
    const int64_t scales = format.scale_bytes(shape.k);
    TensorFile file;
    file.set("a", DType::kU8, {shape.tiles, shape.m, shape.k / 2}, a)
        .set("a_scale", DType::kU8, {shape.tiles, shape.m, scales}, a_scale)
        .set("b", DType::kU8, {shape.tiles, shape.n, shape.k / 2}, b)
        .set("b_scale", DType::kU8, {shape.tiles, shape.n, scales}, b_scale)
        .set("c", DType::kU32, {shape.tiles, shape.m, shape.n}, c);
    return file;
  }

  MmaFormat format;
  MmaShape shape;
  std::vector<uint8_t> a;
  std::vector<uint8_t> a_scale;
  std::vector<uint8_t> b;
  std::vector<uint8_t> b_scale;
  std::vector<uint32_t> c;
};

}  // namespace nibblecore
