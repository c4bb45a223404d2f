// SPDX-License-Identifier: Apache-2.0
#include "model/import/microseconds.hpp"

#include <charconv>
#include <cmath>

#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

std::optional<int64_t> scaled(int64_t microseconds, int64_t rest) {
  int64_t product = 0;
  if (__builtin_mul_overflow(microseconds, int64_t{1000}, &product) ||
      __builtin_add_overflow(product, rest, &product)) {
    return std::nullopt;
  }
  return product;
}

std::optional<int64_t> from_double(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kMost = 9e15;
  if (error != std::errc() || stop != text.data() + text.size() || !(std::abs(value) < kMost)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(std::floor(value * 1000));
}

std::optional<int64_t> from_text(std::string_view text) {
  const size_t point = text.find('.');
  const bool plain = text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (!plain || point == std::string_view::npos || point == 0) {
    return from_double(text);
  }
  int64_t whole = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + point, whole);
  if (error != std::errc() || stop != text.data() + point) {
    return std::nullopt;
  }
  int64_t rest = 0;
  int64_t unit = 100;
  for (const char digit : text.substr(point + 1, 3)) {
    if (digit == '.') {
      return std::nullopt;
    }
    rest += (digit - '0') * unit;
    unit /= 10;
  }
  return scaled(whole, rest);
}

}  // namespace

std::optional<int64_t> nanoseconds(const boost::json::value& microseconds) {
  if (const boost::json::string* const text = microseconds.if_string()) {
    return from_text({text->data(), text->size()});
  }
  const std::optional<int64_t> integer = json_integer(microseconds);
  return integer ? scaled(*integer, 0) : std::nullopt;
}

}  // namespace nibblecore
