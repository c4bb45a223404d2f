// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "hw/datapath/blackwell_node.hpp"
#include "hw/datapath/nonzero_groups.hpp"
#include "model/common/bits.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;
constexpr int64_t kColumns = 48;
constexpr int64_t kK = 64;  // one node
constexpr int kStimuli = 160;
constexpr int kGroups = hw::kNodeGroups;
constexpr int kSixteen = hw::kSixteen;
constexpr int kOnes = 4;      // elements of A in a group that are one unit; the others are largest
constexpr int kLargest = 12;  // a doubled E2M1 element
constexpr int kLargestCode = 7;  // its code
constexpr int kMostUnits = (kSixteen - kOnes) * kLargest;

/// What one group of a column is made of.
enum class Content {
  kSum,
  kCancelling,  ///< products that sum to zero
  kNothing,     ///< no product
};

struct Group {
  Content content = Content::kSum;
  int32_t sum = 0;
};

/// One column: its groups, and how far below the greatest exponent each block lies.
struct Column {
  std::array<Group, kGroups> groups;
  std::array<int, kGroups> below{};  ///< of each block
};

/// Nodes whose groups and accumulator lie at every distance. A is fixed, B makes the groups.
class NodeStimuli {
 public:
  NodeStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format),
        blocks_(static_cast<int>(kK) / format.block),
        has_significand_(format.scale == ScaleKind::kUe4m3),
        random_(seed),
        stimuli_(stimuli) {}

  void add_all() {
    for (int i = 0; i < kStimuli; ++i) {
      add();
    }
  }

 private:
  int between(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<uint64_t>(most - least + 1));
  }
  bool one_in(uint64_t n) { return random_() % n == 0; }

  int block_of(int group) const { return group * kSixteen / format_.block; }

  int32_t any_sum() {
    constexpr int kMost = kMostUnits * kLargest;
    const int top = between(0, 10);
    const int32_t power = 1 << top;
    const std::array<int32_t, 4> sums{power, power + (1 << between(0, top)), power - 1,
                                      between(1, kMost)};
    const int32_t sum = std::min(sums.at(random_() % sums.size()), kMost);
    return one_in(2) ? sum : -sum;
  }

  /// Blocks at any distance, all groups with a sum.
  Column spread() {
    Column column;
    for (Group& group : column.groups) {
      group.sum = any_sum();
    }
    for (int& below : column.below) {
      below = between(0, has_significand_ ? 28 : 46);
    }
    return column;
  }

  /// One block or several above the others, with nothing to add: low bits are all of the sum.
  Column low_bits(Content content) {
    Column column = spread();
    const auto high = static_cast<unsigned>(between(1, (1 << blocks_) - 2));
    for (int group = 0; group < kGroups; ++group) {
      if ((high >> block_of(group) & 1U) != 0) {
        column.groups.at(static_cast<size_t>(group)) = {content, 0};
        column.below.at(static_cast<size_t>(block_of(group))) = 0;
      }
    }
    return column;
  }

  /// Two groups of one exponent that cancel but for a little.
  Column cancelling() {
    Column column = spread();
    const int first = between(0, kGroups - 1);
    const int second = (first + between(1, kGroups - 1)) % kGroups;
    column.groups.at(static_cast<size_t>(second)).sum =
        -column.groups.at(static_cast<size_t>(first)).sum + between(-1, 1);
    column.below.at(static_cast<size_t>(block_of(first))) = 0;
    column.below.at(static_cast<size_t>(block_of(second))) = 0;
    return column;
  }

  Column empty() {
    Column column = spread();
    column.groups.fill({Content::kNothing, 0});
    return column;
  }

  Column any_column() {
    switch (random_() % 8) {
      case 0:
      case 1:
        return low_bits(Content::kCancelling);
      case 2:
      case 3:
        return low_bits(Content::kNothing);
      case 4:
        return cancelling();
      case 5:
        return one_in(2) ? empty() : cancelling();
      default:
        return spread();
    }
  }

  /// Products of a group with A's sum to `sum`.
  void fill_group(PackedMatrix& b, int64_t column, int group, const Group& of) {
    const auto set = [&](int i, int code) {
      set_packed_code(b.row_codes(column), int64_t{group} * kSixteen + i,
                      static_cast<uint8_t>(code));
    };
    if (of.content == Content::kCancelling) {
      const int i = between(kOnes, kSixteen - 2);
      set(i, between(1, kLargestCode));
      set(i + 1, 8 + get_code(b, column, group * kSixteen + i));
      return;
    }
    constexpr std::array<int, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, kLargest};
    const int magnitude = std::abs(of.sum);
    int units = std::min(magnitude / kLargest, kMostUnits);
    int rest = magnitude % kLargest;
    for (int i = 0; i < kSixteen; ++i) {
      int& left = i < kOnes ? rest : units;
      int code = kLargestCode;
      while (kDoubled.at(static_cast<size_t>(code)) > left) {
        --code;
      }
      left -= kDoubled.at(static_cast<size_t>(code));
      set(i, code == 0 ? 0 : code + (of.sum < 0 ? 8 : 0));
    }
  }

  static int get_code(const PackedMatrix& matrix, int64_t row, int i) {
    return packed_code(matrix.row_codes(row), i);
  }

  /// A scale of this exponent, held to what the format has; UE4M3 with any significand.
  uint8_t scale_code(int exponent) {
    if (!has_significand_) {
      return static_cast<uint8_t>(std::clamp(exponent + 127, 0, 254));
    }
    const int field = std::clamp(exponent + 7, 0, 15);
    const int most = field == 15 ? 6 : 7;
    return static_cast<uint8_t>(field << 3 | between(0, most));
  }

  /// What a scale code multiplies by.
  double scale_value(uint8_t code) const {
    if (!has_significand_) {
      return std::ldexp(1.0, int{code} - 127);
    }
    const int field = code >> 3;
    const int significand = (code & 7) + (field == 0 ? 0 : 8);
    return std::ldexp(significand, std::max(field, 1) - 10);
  }

  /// The sum of all groups, in doubles: near enough to be cancelled, or nearly.
  double value_of(const Column& column, const PackedMatrix& a, const PackedMatrix& b, int64_t row,
                  int64_t i) const {
    double value = 0;
    for (int group = 0; group < kGroups; ++group) {
      const int block = block_of(group);
      value += std::ldexp(column.groups.at(static_cast<size_t>(group)).sum, -2) *
               scale_value(a.row_scales(row)[block]) * scale_value(b.row_scales(i)[block]);
    }
    return value;
  }

  uint32_t start(double value, int greatest) {
    const auto any = static_cast<uint32_t>(random_());
    const auto of = [&](int exponent) {
      const auto field = static_cast<uint32_t>(std::clamp(exponent + 127, 0, 254));
      return (any & 0x80000000) | (field << 23) |
             (one_in(3) ? 1U << (random_() % 23) : any & 0x7FFFFF);
    };
    switch (random_() % 8) {
      case 0:
        return any & 0x80000000;
      case 1:
        return any & 0x807FFFFF;
      case 2:
        return of(greatest + between(-2, 60));
      case 3:
      case 4:
        return float_bits(static_cast<float>(-value)) + static_cast<uint32_t>(between(-1, 1));
      case 5:
        return any;
      default:
        return of(greatest - between(0, 40));
    }
  }

  void add() {
    FaultOperand a;
    FaultOperand b;
    a.packed = make_packed_matrix(format_, kRows, kK);
    b.packed = make_packed_matrix(format_, kColumns, kK);
    std::vector<uint32_t> starts(static_cast<size_t>(kRows * kColumns));
    // The whole range of exponents, of which both scales have half.
    const int middle = has_significand_ ? 8 : one_in(3) ? between(-127, 127) : between(-60, 60);
    std::array<int, kGroups> of_a{};
    for (int block = 0; block < blocks_; ++block) {
      const int exponent = has_significand_ ? (one_in(2)   ? between(-6, 8)
                                               : one_in(2) ? -6
                                                           : 8)
                                            : middle + between(-1, 1);
      of_a.at(static_cast<size_t>(block)) = exponent;
      for (int64_t row = 0; row < kRows; ++row) {
        a.packed.row_scales(row)[block] = scale_code(exponent);
      }
    }
    for (int64_t row = 0; row < kRows; ++row) {
      for (int64_t k = 0; k < kK; ++k) {
        set_packed_code(a.packed.row_codes(row), k, k % kSixteen < kOnes ? 1 : kLargestCode);
      }
    }
    for (int64_t i = 0; i < kColumns; ++i) {
      const Column column = any_column();
      const int greatest = 2 * middle + (has_significand_ ? 0 : between(-4, 4));
      for (int group = 0; group < kGroups; ++group) {
        fill_group(b.packed, i, group, column.groups.at(static_cast<size_t>(group)));
      }
      for (int block = 0; block < blocks_; ++block) {
        const auto at = static_cast<size_t>(block);
        b.packed.row_scales(i)[block] = scale_code(greatest - column.below.at(at) - of_a.at(at));
      }
      for (int64_t row = 0; row < kRows; ++row) {
        starts[static_cast<size_t>(row * kColumns + i)] =
            start(value_of(column, a.packed, b.packed, row, i),
                  has_significand_ ? between(-12, 16) : greatest);
      }
    }
    GemmSpec spec{kRows, kColumns, kK, format_};
    spec.accumulation = Accumulation::kBlackwell;
    stimuli_.push_back(std::make_unique<FaultStimulus>(
        "nodes", spec, preset(format_, ""), std::move(a), std::move(b), std::move(starts)));
  }

  BlockFormat format_;
  int blocks_;
  bool has_significand_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace

void add_node_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli) {
  NodeStimuli(format, seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
