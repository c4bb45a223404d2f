// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/scale_points.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

using Names = std::vector<std::string>;

Names code_names(ScaleKind kind) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return {"00", "01", "02 to 7E", "7F (1)", "80 to FC", "FD", "FE", "FF (NaN)"};
    case ScaleKind::kUe4m3:
      return {"00 (zero)", "01 to 07 (subnormal)", "08 (least normal)", "09 to 7D", "7E (448)",
              "7F (NaN)",  "number, bit 7 set",    "NaN, bit 7 set"};
    case ScaleKind::kHif4:
      return {"00",    "01 to 03 (least exponent)", "M = 0", "M = 1",   "M = 2",
              "M = 3", "FC, FD (largest exponent)", "FE",    "FF (NaN)"};
  }
  throw InternalError("unknown kind of scale");
}

size_t code_bin(ScaleKind kind, uint8_t code) {
  switch (kind) {
    case ScaleKind::kE8m0: {
      constexpr std::array<uint8_t, 8> kLast{0x00, 0x01, 0x7E, 0x7F, 0xFC, 0xFD, 0xFE, 0xFF};
      return static_cast<size_t>(
          std::distance(kLast.begin(), std::lower_bound(kLast.begin(), kLast.end(), code)));
    }
    case ScaleKind::kUe4m3: {
      if (code >= 0x80) {
        return code == 0xFF ? 7 : 6;
      }
      constexpr std::array<uint8_t, 6> kLast{0x00, 0x07, 0x08, 0x7D, 0x7E, 0x7F};
      return static_cast<size_t>(
          std::distance(kLast.begin(), std::lower_bound(kLast.begin(), kLast.end(), code)));
    }
    case ScaleKind::kHif4:
      if (code < 4) {
        return code == 0 ? 0 : 1;
      }
      return code >= 0xFC ? std::max(size_t{code} - 0xFC, size_t{1}) + 5 : size_t{2} + code % 4;
  }
  throw InternalError("unknown kind of scale");
}

bool is_nan(ScaleKind kind, uint8_t code) {
  return kind == ScaleKind::kUe4m3 ? (code & 0x7F) == 0x7F : code == 0xFF;
}

Names extreme_names(ScaleKind kind) {
  const Names classes = kind == ScaleKind::kUe4m3
                            ? Names{"zero", "subnormal", "normal", "448"}
                            : Names{"least exponent", "between", "largest exponent"};
  return cross(classes, classes);
}

/// Which of those classes a code that is not NaN belongs to.
size_t extreme_bin(ScaleKind kind, uint8_t code) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return code == 0 ? 0 : code == 254 ? 2 : 1;
    case ScaleKind::kUe4m3: {
      const int magnitude = code & 0x7F;
      return magnitude == 0 ? 0 : magnitude < 8 ? 1 : magnitude < 0x7E ? 2 : 3;
    }
    case ScaleKind::kHif4:
      return code < 4 ? 0 : code >= 0xFC ? 2 : 1;
  }
  throw InternalError("unknown kind of scale");
}

size_t extreme_classes(ScaleKind kind) { return kind == ScaleKind::kUe4m3 ? 4 : 3; }

constexpr std::array<int, 10> kHif4Products{16, 20, 24, 25, 28, 30, 35, 36, 42, 49};

Names significand_names(ScaleKind kind) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return {"1"};
    case ScaleKind::kUe4m3:
      return {"0", "1 to 63", "64 to 224", "225"};
    case ScaleKind::kHif4: {
      Names names;
      for (const int product : kHif4Products) {
        names.push_back(std::to_string(product));
      }
      return names;
    }
  }
  throw InternalError("unknown kind of scale");
}

int ue4m3_significand(uint8_t code) { return (code & 0x78) == 0 ? code & 7 : 8 + (code & 7); }

size_t significand_bin(ScaleKind kind, uint8_t a, uint8_t b) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return 0;
    case ScaleKind::kUe4m3: {
      const int product = ue4m3_significand(a) * ue4m3_significand(b);
      return product == 0 ? 0 : product < 64 ? 1 : product < 225 ? 2 : 3;
    }
    case ScaleKind::kHif4: {
      const int product = (4 + a % 4) * (4 + b % 4);
      return static_cast<size_t>(
          std::distance(kHif4Products.begin(),
                        std::lower_bound(kHif4Products.begin(), kHif4Products.end(), product)));
    }
  }
  throw InternalError("unknown kind of scale");
}

}  // namespace

ScalePoints::ScalePoints(const BlockFormat& format, Coverage& coverage)
    : kind_(format.scale),
      codes_a_(coverage.add(std::string(format.name) + " scales", "code of A",
                            bins_of(code_names(kind_)))),
      codes_b_(coverage.add(std::string(format.name) + " scales", "code of B",
                            bins_of(code_names(kind_)))),
      extremes_(coverage.add(std::string(format.name) + " scales", "extremes of A, of B",
                             bins_of(extreme_names(kind_)))),
      nan_(coverage.add(std::string(format.name) + " scales", "NaN",
                        bins_of({"neither", "A only", "B only", "both"}))),
      significands_(coverage.add(std::string(format.name) + " scales", "significand product",
                                 bins_of(significand_names(kind_)))) {}

void ScalePoints::sample(uint8_t a, uint8_t b) {
  const bool a_nan = is_nan(kind_, a);
  const bool b_nan = is_nan(kind_, b);
  codes_a_.hit(code_bin(kind_, a));
  codes_b_.hit(code_bin(kind_, b));
  nan_.hit((a_nan ? 1U : 0U) + (b_nan ? 2U : 0U));
  if (a_nan || b_nan) {
    return;
  }
  extremes_.hit(extreme_bin(kind_, a) * extreme_classes(kind_) + extreme_bin(kind_, b));
  significands_.hit(significand_bin(kind_, a, b));
}

}  // namespace nibblecore::tb
