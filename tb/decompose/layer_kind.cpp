// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/layer_kind.hpp"

#include <algorithm>
#include <array>

namespace nibblecore::tb {
namespace {

constexpr std::array<std::string_view, 11> kParts{"weight", "bias", "x",  "y",  "w", "dx",
                                                  "dy",     "dw",   "gx", "gy", "gw"};

std::string_view after_last(std::string_view name, char separator) {
  const size_t position = name.rfind(separator);
  return position == std::string_view::npos ? name : name.substr(position + 1);
}

}  // namespace

std::string layer_kind(std::string_view name) {
  std::string_view rest = after_last(name, '/');
  const size_t dot = rest.rfind('.');
  if (dot != std::string_view::npos &&
      std::find(kParts.begin(), kParts.end(), rest.substr(dot + 1)) != kParts.end()) {
    rest = rest.substr(0, dot);
  }
  return std::string(after_last(rest, '.'));
}

}  // namespace nibblecore::tb
