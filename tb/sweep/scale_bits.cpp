// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/scale_bits.hpp"

#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "model/common/error.hpp"
#include "tb/sweep/name_list.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kPlace = "--scale-bits";
constexpr int kMostBits = 23;
constexpr std::array<std::pair<SweepScale, const char*>, 3> kRoundingNames{
    {{SweepScale::kRoundedUp, "up"},
     {SweepScale::kNearest, "nearest"},
     {SweepScale::kRoundedDown, "down"}}};

int bits_of(std::string_view text) {
  int bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (error != std::errc{} || end != text.data() + text.size() || bits < 0 || bits > kMostBits) {
    throw InputError(kPlace, "'" + std::string(text) + "' is no number of mantissa bits (0 to " +
                                 std::to_string(kMostBits) + ", a range such as 0..8, or inf)");
  }
  return bits;
}

/// Adds what a name or a range stands for; -1: without rounding.
void add_numbers(const std::string& part, std::vector<int>& numbers) {
  if (part == "inf") {
    numbers.push_back(-1);
    return;
  }
  const size_t dots = part.find("..");
  if (dots == std::string::npos) {
    numbers.push_back(bits_of(part));
    return;
  }
  const int first = bits_of(std::string_view(part).substr(0, dots));
  const int last = bits_of(std::string_view(part).substr(dots + 2));
  if (first > last) {
    throw InputError(kPlace, "'" + part + "' is a range without numbers");
  }
  for (int bits = first; bits <= last; ++bits) {
    numbers.push_back(bits);
  }
}

void add_scales(int bits, std::vector<NamedScale>& scales) {
  if (bits < 0) {
    scales.push_back({"unquantized", {SweepScale::kUnlimited, 0}});
    return;
  }
  for (const auto& [scale, name] : kRoundingNames) {
    if (bits != 0 || scale != SweepScale::kRoundedUp) {
      scales.push_back({"E8M" + std::to_string(bits) + " " + name, {scale, bits}});
    }
  }
}

}  // namespace

std::vector<NamedScale> scales_of(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string& part : split(text, ',')) {
    add_numbers(part, numbers);
  }
  std::set<int> seen;
  std::vector<NamedScale> scales{{"E8M0 up", {SweepScale::kRoundedUp, 0}}};
  for (const int bits : numbers) {
    if (!seen.insert(bits).second) {
      throw InputError(kPlace, "asks for the same twice in '" + std::string(text) + "'");
    }
    add_scales(bits, scales);
  }
  return scales;
}

}  // namespace nibblecore::tb
