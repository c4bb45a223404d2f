// SPDX-License-Identifier: Apache-2.0
#include "model/fill/fill.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <system_error>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

constexpr std::array<NamedValue<ValueType>, 2> kFillTypes{
    {{"bf16", ValueType::kBf16}, {"f32", ValueType::kF32}}};

/// The text before `mark`; what follows it stays, nothing where there is none.
std::string_view taken(std::string_view& text, char mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

double number(std::string_view text, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw InputError(option, "'" + std::string(text) + "' is not a finite number");
  }
  return value;
}

size_t tensor_index(std::string_view name, const std::string& option) {
  const auto* const found = std::find(kLayerTensors.begin(), kLayerTensors.end(), name);
  if (found == kLayerTensors.end()) {
    throw InputError(option, "unknown tensor '" + std::string(name) + "' (known: x, w, dy)");
  }
  return static_cast<size_t>(found - kLayerTensors.begin());
}

/// Calls set(tensor, value) for every `tensor=value` of a list.
void read_list(std::string_view list, const std::string& option,
               const std::function<void(size_t, std::string_view)>& set) {
  std::array<bool, kLayerTensors.size()> is_set{};
  while (!list.empty()) {
    std::string_view value = taken(list, ',');
    const std::string_view name = taken(value, '=');
    const size_t tensor = tensor_index(name, option);
    if (is_set.at(tensor)) {
      throw InputError(option, "'" + std::string(name) + "' is given twice");
    }
    is_set.at(tensor) = true;
    set(tensor, value);
  }
}

void read_law(std::string_view text, TensorFill& tensor) {
  const bool has_scale = text.find(':') != std::string_view::npos;
  const std::string_view law = taken(text, ':');
  tensor.law = find_record(kLaws, law, "--fill");
  if (!has_scale) {
    return;
  }
  tensor.scale = number(text, "--fill");
  if (!(tensor.scale > 0)) {
    throw InputError("--fill", "scale '" + std::string(text) + "' is not positive");
  }
}

void read_outliers(std::string_view text, TensorFill& tensor) {
  const std::string option = "--fill-outliers";
  if (text.find(':') == std::string_view::npos) {
    throw InputError(option, "'" + std::string(text) + "' is not RATE:FACTOR");
  }
  const std::string_view rate = taken(text, ':');
  tensor.outlier_rate = number(rate, option);
  if (!(tensor.outlier_rate >= 0 && tensor.outlier_rate <= 1)) {
    throw InputError(option, "rate '" + std::string(rate) + "' is not within 0 to 1");
  }
  tensor.outlier_factor = number(text, option);
}

bool is_list(std::string_view text) { return text.find('=') != std::string_view::npos; }

}  // namespace

Fill parse_fill(std::string_view laws) {
  Fill fill;
  if (is_list(laws)) {
    read_list(laws, "--fill", [&](size_t tensor, std::string_view value) {
      read_law(value, fill.tensors.at(tensor));
    });
    return fill;
  }
  TensorFill all;
  read_law(laws, all);
  fill.tensors.fill(all);
  return fill;
}

void parse_outliers(std::string_view outliers, Fill& fill) {
  if (!is_list(outliers)) {
    read_outliers(outliers, fill.tensors[static_cast<size_t>(LayerTensor::kX)]);
    return;
  }
  read_list(outliers, "--fill-outliers", [&](size_t tensor, std::string_view value) {
    read_outliers(value, fill.tensors.at(tensor));
  });
}

ValueType parse_fill_type(std::string_view name) {
  return find_record(kFillTypes, name, "--fill-type").value;
}

std::string_view fill_type_name(ValueType type) {
  return type == ValueType::kBf16 ? kFillTypes[0].name : kFillTypes[1].name;
}

}  // namespace nibblecore
