// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/named_correction.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "model/common/error.hpp"
#include "tb/sweep/name_list.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kPlace = "--corrections";
constexpr std::array<int64_t, 4> kMacroLengths{32, 64, 128, 256};
constexpr std::array<int, 3> kHadamardLengths{16, 32, 64};

/// Removes `prefix` where `text` begins with it.
bool take(std::string_view prefix, std::string_view& text) {
  const bool found = text.substr(0, prefix.size()) == prefix;
  text.remove_prefix(found ? prefix.size() : 0);
  return found;
}

double number_of(std::string_view text, const std::string& part) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    throw InputError(kPlace, "'" + part + "': '" + std::string(text) + "' is not a number");
  }
  return value;
}

/// The one of `known` that is written as `text`.
template <typename Numbers>
auto one_of(const Numbers& known, std::string_view text, const std::string& part) {
  std::string list;
  for (const auto number : known) {
    if (std::to_string(number) == text) {
      return number;
    }
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  }
  throw InputError(kPlace, "'" + part + "': '" + std::string(text) + "' is none of " + list);
}

MacroChoice macro_choice_of(std::string_view& rest, const std::string& part) {
  for (const MacroChoiceRecord& record : kMacroChoices) {
    if (record.choice != MacroChoice::kNone && take(record.name, rest)) {
      return record.choice;
    }
  }
  throw InputError(kPlace, "'" + part + "' is none of mbs-static, mbs-dynamic and mbs-hybrid");
}

/// Adds one part and returns its kind.
std::string_view add_part(const std::string& part, NamedCorrection& correction) {
  CorrectionOptions& options = correction.options;
  std::string_view rest = part;
  if (take("mbs-", rest)) {
    options.macro = macro_choice_of(rest, part);
    if (take("-", rest)) {
      options.macro_block.length = one_of(kMacroLengths, rest, part);
      rest = {};
    }
    if (!rest.empty()) {
      throw InputError(kPlace, "unknown correction '" + part + "'");
    }
    return "mbs";
  }
  if (take("hadamard-", rest)) {
    options.hadamard.emplace();
    options.hadamard->length = one_of(kHadamardLengths, rest, part);
    options.hadamard->signs = HadamardSigns::kSeeded;
    return "hadamard";
  }
  if (take("fallback-rate-", rest)) {
    const double rate = number_of(rest, part);
    if (!(rate >= 0 && rate <= 1)) {
      throw InputError(kPlace, "'" + part + "': the rate is outside 0 to 1");
    }
    options.fallback_tiles.emplace();
    options.fallback_tiles->rate = rate;
    return "fallback";
  }
  if (take("fallback-", rest)) {
    options.fallback_alpha = static_cast<float>(number_of(rest, part));
    return "fallback";
  }
  if (part == "sr") {
    correction.is_stochastic = true;
    return "sr";
  }
  if (part == "square") {
    options.weight_shape = BlockShape::kSquare;
    return "square";
  }
  throw InputError(kPlace,
                   "unknown correction '" + part +
                       "' (known: none; joined by '+': mbs-static, mbs-dynamic, mbs-hybrid, each "
                       "with -32, -64, -128 or -256; hadamard-16, -32, -64; fallback-ALPHA; "
                       "fallback-rate-SHARE; sr; square)");
}

}  // namespace

NamedCorrection named_correction(std::string_view name) {
  NamedCorrection correction;
  correction.name = name;
  if (name == "none") {
    return correction;
  }
  std::set<std::string_view> kinds;
  for (const std::string& part : split(name, '+')) {
    const std::string_view kind = add_part(part, correction);
    if (!kinds.insert(kind).second) {
      throw InputError(kPlace, "'" + correction.name + "' has " + std::string(kind) + " twice");
    }
  }
  return correction;
}

}  // namespace nibblecore::tb
