// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/quantizer_watch.hpp"

#include <cstddef>

namespace nibblecore::tb {
namespace {

constexpr int64_t kEights = 8;
constexpr int64_t kQuads = 16;

void set_bit(uint32_t& bits, int64_t index, uint32_t value) {
  bits = (bits & ~(uint32_t{1} << index)) | ((value & 1) << index);
}

}  // namespace

QuantizerWatch::QuantizerWatch(const BlockFormat& format, const std::optional<hw::QuantizerJob>& a,
                               const std::optional<hw::QuantizerJob>& b, QuantizerPoints& points,
                               ResidualPoints& residuals)
    : block_(format.block), a_(a), b_(b), points_(points), residuals_(residuals) {
  for (size_t i = 0; i < samples_.size(); ++i) {
    samples_[i].circuit = static_cast<hw::QuantizerCircuit>(i);
    samples_[i].block = block_;
  }
}

QuantizedSample& QuantizerWatch::sample_of(int64_t circuit) {
  return samples_.at(static_cast<size_t>(circuit % hw::kQuantizerCircuits));
}

void QuantizerWatch::bus(hw::Site site, int64_t index, int32_t value) {
  const auto bits = static_cast<uint32_t>(value);
  switch (site) {
    case hw::Site::kQuantizerMagnitude:
    case hw::Site::kQuantizerScaled:
    case hw::Site::kQuantizerCode:
      return element(site, index, bits);
    case hw::Site::kQuantizerMaximum:
      sample_of(index).maximum = bits;
      return;
    case hw::Site::kQuantizerScale:
      sample_of(index).scale = static_cast<uint8_t>(bits);
      return;
    case hw::Site::kQuantizerMicroProduct:
      sample_of(index / (kEights + kQuads))
          .micro_products.at(static_cast<size_t>(index % (kEights + kQuads))) = bits;
      return;
    case hw::Site::kQuantizerLevel2:
      return set_bit(sample_of(index / kEights).level2, index % kEights, bits);
    case hw::Site::kQuantizerLevel3:
      return set_bit(sample_of(index / kQuads).level3, index % kQuads, bits);
    case hw::Site::kSelectedIndices: {
      const auto first = static_cast<size_t>(4 * (index % (block_ / 4)));
      const auto& codes = samples_[static_cast<size_t>(hw::QuantizerCircuit::kResidual)].codes;
      return residuals_.sample_quad(
          {codes.at(first), codes.at(first + 1), codes.at(first + 2), codes.at(first + 3)},
          static_cast<uint8_t>(bits));
    }
    default:
      return;
  }
}

void QuantizerWatch::element(hw::Site site, int64_t index, uint32_t value) {
  QuantizedSample& sample = sample_of(index / block_);
  const auto i = static_cast<size_t>(index % block_);
  if (site == hw::Site::kQuantizerMagnitude) {
    sample.magnitudes.at(i) = value;
  } else if (site == hw::Site::kQuantizerScaled) {
    sample.scaled.at(i) = value;
  } else {
    sample.codes.at(i) = static_cast<uint8_t>(value);
    if (i + 1 == static_cast<size_t>(block_)) {
      finish(sample);
    }
  }
}

void QuantizerWatch::finish(const QuantizedSample& block) {
  points_.sample(block, block.circuit == hw::QuantizerCircuit::kB ? *b_ : *a_);
}

}  // namespace nibblecore::tb
