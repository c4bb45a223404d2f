// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// A signed bus of the datapath: its name and the bits of its magnitude (the sign comes on top).
struct Bus {
  const char* name;
  int magnitude_bits;
};

// Declared widths. Bounds: docs/numerics.md, section "Widths of the datapath".
inline constexpr Bus kDoubledElement{"doubled E2M1 element", 4};      // |x| <= 12
inline constexpr Bus kShiftedElement{"HiF4 element, level 3 in", 4};  // |x| <= 14
inline constexpr Bus kProduct{"element product", 8};                  // |x| <= 14 * 14
inline constexpr Bus kGroupSum{"HiF4 level-2 group sum", 11};         // |x| <= 8 * 14 * 14
inline constexpr Bus kBlockSum16{"block sum of 16", 12};              // |x| <= 16 * 144
inline constexpr Bus kBlockSum32{"block sum of 32", 13};              // |x| <= 32 * 144
inline constexpr Bus kBlockSum64{"block sum of 64", 14};              // |x| <= 64 * 144
inline constexpr Bus kUnitSum{"HiF4 unit sum", 16};                   // |x| <= 64 * 28 * 28

// The same of a 2:4 operand, half as many products.
inline constexpr Bus kSparseGroupSum{"HiF4 level-2 group sum, 2:4", 10};  // |x| <= 4 * 14 * 14
inline constexpr Bus kSparseBlockSum16{"block sum of 16, 2:4", 11};       // |x| <= 8 * 144
inline constexpr Bus kSparseBlockSum32{"block sum of 32, 2:4", 12};       // |x| <= 16 * 144
inline constexpr Bus kSparseBlockSum64{"block sum of 64, 2:4", 13};       // |x| <= 32 * 144
inline constexpr Bus kSparseUnitSum{"HiF4 unit sum, 2:4", 15};            // |x| <= 32 * 28 * 28

inline constexpr Bus kScaleSignificand{"scale significand product", 8};  // <= 15 * 15
inline constexpr Bus kScaleExponent{"scale exponent", 9};                // [-256, 252]
inline constexpr Bus kTerm{"accumulator term", 24};                      // <= 50,176 * 49 < 2^22
inline constexpr Bus kAlignedSum{"aligned accumulator sum", 52};         // < 2 * 2^(24 + 27)

// Of the node that adds 64 of K (blackwell_node.hpp).
inline constexpr Bus kNodeTerm{"node term", 19};              // |x| <= 2304 * 15 * 15
inline constexpr Bus kNodeAligned{"aligned node term", 46};   // < 2^(19 + 27), 2^(12 + 33)
inline constexpr Bus kNodeAlignedStart{"aligned start", 36};  // < 2^(24 + 12)
inline constexpr Bus kNodeSum{"node sum", 48};                // <= 4 * 518,400 * 2^27 + 2^36
inline constexpr Bus kNodeExponent{"node exponent", 9};       // [-256, 256]

inline constexpr Bus kFactorSignificand{"factor product", 22};  // <= 2047 * 2047
inline constexpr Bus kFmaSum{"sum of product and addend", 52};  // < 2 * 2^(48 + 3)

/// Part of the message of the error that a value beyond its bus raises.
inline constexpr const char* kWidthExceeded = "does not fit the declared";

/// Watches values of one bus; require() raises InternalError if any of them did not fit.
class WidthMonitor {
 public:
  explicit WidthMonitor(const Bus& bus) : bus_(bus) {}

  void observe(int64_t value) { observe_united(static_cast<uint64_t>(value < 0 ? -value : value)); }

  /// Any number of values at once, as kernels report them: the OR of their magnitudes.
  void observe_united(uint64_t magnitudes) { exceeded_ |= magnitudes >> bus_.magnitude_bits; }

  void require() const {
    if (exceeded_ != 0) {
      raise();
    }
  }

 private:
  [[noreturn]] void raise() const;

  const Bus& bus_;
  uint64_t exceeded_ = 0;
};

/// InternalError unless values whose magnitudes have this OR fit their bus.
inline void require_united_width(const Bus& bus, uint64_t magnitudes) {
  WidthMonitor monitor(bus);
  monitor.observe_united(magnitudes);
  monitor.require();
}

}  // namespace nibblecore::hw
