// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hw/datapath/hooks.hpp"

namespace nibblecore::hw {

// Hooks together with a place: they make a bus's index of its position (SiteAxes in site.hpp).

/// Hooks at one instance of the buses that come once an instance.
template <class Hooks>
struct Tap {
  Hooks hooks;
  int64_t index;
  bool exists = true;  ///< false in a lane beyond the array

  template <class Value>
  [[gnu::always_inline]] constexpr void value(Site site, Value& value) const {
    if (exists) {
      hooks.value(site, index, value);
    }
  }
};

template <>
struct Tap<NoHooks> {
  constexpr Tap() = default;
  constexpr Tap(NoHooks /*hooks*/, int64_t /*index*/) {}

  template <class Value>
  [[gnu::always_inline]] constexpr void value(Site /*site*/, Value& /*value*/) const {}
};

/// Hooks at 16 lanes of one operand, of `lanes` in all: [position, lane].
template <class Hooks>
struct OperandTap {
  Hooks hooks;
  int64_t lanes;
  int64_t first;

  template <class Lanes>
  [[gnu::always_inline]] void bus(Site site, int64_t position, Lanes& values) const {
    hooks.lanes(site, position * lanes + first, values, std::min<int64_t>(kLanes, lanes - first));
  }
};

/// Hooks at 16 columns of one row of the array, in the block that begins at element `first` along
/// K: [position, row, column].
template <class Hooks>
struct ArrayTap {
  Hooks hooks;
  int64_t rows;
  int64_t columns;
  int64_t row;
  int64_t column;
  int64_t first;

  template <class Lanes>
  [[gnu::always_inline]] void bus(Site site, int64_t position, Lanes& values) const {
    hooks.lanes(site, (position * rows + row) * columns + column, values,
                std::min<int64_t>(kLanes, columns - column));
  }
};

/// Hooks at the accumulators of a tile, whose rows stand padded to whole groups of lanes.
template <class Hooks>
class OutputTap {
 public:
  /// `first_register`: index of the tile's first accumulator in L0C, `register_site`: of that
  /// accumulator, where an output has several.
  OutputTap(Hooks hooks, int64_t columns, int64_t first_register,
            Site register_site = Site::kAccumulator)
      : hooks_(hooks),
        columns_(columns),
        first_register_(first_register),
        register_site_(register_site) {}

  /// At the adder of padded output i: [row, column].
  [[gnu::always_inline]] Tap<Hooks> adder(size_t i) const { return at(i, 0); }
  /// The same of a bus that every output has several of: [which, row, column]; `outputs`: padded.
  [[gnu::always_inline]] Tap<Hooks> adder(size_t i, int64_t which, size_t outputs) const {
    const auto padded = static_cast<size_t>(padded_lanes(static_cast<int>(columns_)));
    return at(i, which * static_cast<int64_t>(outputs / padded) * columns_);
  }
  /// At its register: [half, tile, row, column].
  template <class Value>
  [[gnu::always_inline]] void accumulator(size_t i, Value& value) const {
    at(i, first_register_).value(register_site_, value);
  }

 private:
  [[gnu::always_inline]] Tap<Hooks> at(size_t i, int64_t base) const {
    const auto padded = static_cast<int64_t>(padded_lanes(static_cast<int>(columns_)));
    const int64_t row = static_cast<int64_t>(i) / padded;
    const int64_t column = static_cast<int64_t>(i) % padded;
    return {hooks_, base + row * columns_ + column, column < columns_};
  }

  Hooks hooks_;
  int64_t columns_;
  int64_t first_register_;
  Site register_site_;
};

template <>
class OutputTap<NoHooks> {
 public:
  OutputTap() = default;
  OutputTap(NoHooks /*hooks*/, int64_t /*columns*/, int64_t /*first_register*/,
            Site /*register_site*/ = Site::kAccumulator) {}

  [[gnu::always_inline]] static Tap<NoHooks> adder(size_t /*i*/) { return {}; }
  [[gnu::always_inline]] static Tap<NoHooks> adder(size_t /*i*/, int64_t /*which*/,
                                                   size_t /*outputs*/) {
    return {};
  }
  template <class Value>
  [[gnu::always_inline]] static void accumulator(size_t /*i*/, Value& /*value*/) {}
};

/// Hooks at one circuit of the quantizer, for one block of a beat.
template <class Hooks>
class QuantizerTap {
 public:
  /// `block`: of the beat.
  QuantizerTap(Hooks hooks, int64_t block, QuantizerCircuit circuit)
      : hooks_(hooks), block_(block), circuit_(circuit) {}

  /// At number `i` of `count` alike: [block, circuit, i].
  [[gnu::always_inline]] constexpr Tap<Hooks> at(int64_t i, int64_t count) const {
    return {hooks_, (block_ * kQuantizerCircuits + static_cast<int64_t>(circuit_)) * count + i};
  }
  /// The circuit behind this one, for the residual of its block.
  [[gnu::always_inline]] constexpr QuantizerTap behind() const {
    return {hooks_, block_, QuantizerCircuit::kResidual};
  }
  /// At number `i` of `count` alike in the residual stage, of which A alone has one: [block, i].
  [[gnu::always_inline]] constexpr Tap<Hooks> residual_stage(int64_t i, int64_t count) const {
    return {hooks_, block_ * count + i};
  }

 private:
  Hooks hooks_;
  int64_t block_;
  QuantizerCircuit circuit_;
};

template <>
class QuantizerTap<NoHooks> {
 public:
  QuantizerTap() = default;
  QuantizerTap(NoHooks /*hooks*/, int64_t /*block*/, QuantizerCircuit /*circuit*/) {}
  [[gnu::always_inline]] static constexpr Tap<NoHooks> at(int64_t /*i*/, int64_t /*count*/) {
    return {};
  }
  [[gnu::always_inline]] static constexpr QuantizerTap behind() { return {}; }
  [[gnu::always_inline]] static constexpr Tap<NoHooks> residual_stage(int64_t /*i*/,
                                                                      int64_t /*count*/) {
    return {};
  }
};

}  // namespace nibblecore::hw
