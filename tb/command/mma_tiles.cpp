// SPDX-License-Identifier: Apache-2.0
#include "tb/command/mma_tiles.hpp"

#include <cstring>
#include <initializer_list>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/formats/whole_nodes.hpp"

namespace nibblecore::tb {
namespace {

std::string place_of(const SafetensorsFile& file, const Tensor& tensor) {
  return file.path() + ": tensor '" + tensor.name + "'";
}

const Tensor& require_tensor(const SafetensorsFile& file, const std::string& name,
                             std::initializer_list<DType> dtypes) {
  const Tensor& tensor = file.tensor(name);
  std::string known;
  for (const DType dtype : dtypes) {
    if (tensor.dtype == dtype) {
      if (tensor.shape.size() != 3) {
        throw InputError(place_of(file, tensor),
                         "shape " + shape_text(tensor.shape) + ", expected three axes");
      }
      return tensor;
    }
    known += (known.empty() ? "" : " or ") + std::string(name_of(dtype));
  }
  throw InputError(place_of(file, tensor),
                   "dtype " + std::string(name_of(tensor.dtype)) + ", expected " + known);
}

void require_shape(const SafetensorsFile& file, const Tensor& tensor,
                   const std::vector<int64_t>& expected) {
  if (tensor.shape != expected) {
    throw InputError(place_of(file, tensor),
                     "shape " + shape_text(tensor.shape) + ", expected " + shape_text(expected));
  }
}

/// An instruction that truncates has a K of its own, and here only whole ones are multiplied.
void require_whole_k(int64_t k, const BlockFormat& format, Accumulation policy,
                     const std::string& place) {
  if (const std::optional<std::string> reason = partial_node(k, format, policy)) {
    throw InputError(place, "K = " + std::to_string(k) + ' ' + *reason);
  }
}

TiledOperand read_operand(const SafetensorsFile& file, const std::string& name,
                          const BlockFormat& format, Accumulation policy) {
  const Tensor& codes = require_tensor(file, name, {DType::kU8});
  const Tensor& scales = require_tensor(file, name + "_scale", {DType::kU8});
  const int64_t k = checked_multiply(codes.shape[2], 2, place_of(file, codes));
  require_whole_k(k, format, policy, place_of(file, codes));
  require_shape(file, scales,
                {codes.shape[0], codes.shape[1], k / format.block * format.scale_bytes()});
  return {&codes, &scales, codes.shape[0], codes.shape[1], k};
}

}  // namespace

std::vector<uint32_t> MmaTiles::start() const {
  std::vector<uint32_t> bits(static_cast<size_t>(c->bytes / 4));
  if (!bits.empty()) {
    std::memcpy(bits.data(), c->data, static_cast<size_t>(c->bytes));
  }
  return bits;
}

MmaTiles read_mma_tiles(const SafetensorsFile& file, const BlockFormat& format,
                        Accumulation policy) {
  const TiledOperand a = read_operand(file, "a", format, policy);
  const TiledOperand b = read_operand(file, "b", format, policy);
  const Tensor& c = require_tensor(file, "c", {DType::kF32, DType::kU32});
  if (a.tiles != b.tiles || a.k != b.k) {
    throw InputError(place_of(file, *b.codes),
                     "shape " + shape_text(b.codes->shape) + " does not go with a's " +
                         shape_text(a.codes->shape) + " (tiles and K must agree)");
  }
  require_shape(file, c, {a.tiles, a.rows, b.rows});
  if (a.rows == 0 || b.rows == 0 || a.k == 0) {
    throw InputError(file.path(), "M, N and K must be positive");
  }
  return {a, b, &c};
}

PackedMatrix tile_of(const TiledOperand& operand, const BlockFormat& format, int64_t tile) {
  PackedMatrix matrix = make_packed_matrix(format, operand.rows, operand.k);
  const auto copy = [tile](const Tensor& from, std::vector<uint8_t>& to) {
    if (!to.empty()) {
      std::memcpy(to.data(), from.data + tile * static_cast<int64_t>(to.size()), to.size());
    }
  };
  copy(*operand.codes, matrix.codes);
  copy(*operand.scales, matrix.scales);
  return matrix;
}

}  // namespace nibblecore::tb
