// SPDX-License-Identifier: Apache-2.0
#include "model/import/operator_names.hpp"

#include <algorithm>
#include <string>

namespace nibblecore {
namespace {

constexpr std::array<std::string_view, 2> kWrappers{"aten::linear", "aten::matmul"};
constexpr std::array<std::string_view, 2> kGrouped{"aten::_grouped_mm", "aten::_scaled_grouped_mm"};

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_backward_function(std::string_view name) {
  constexpr std::string_view kSuffix = "Backward";
  const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
  const bool is_engine = name.find(' ') != std::string_view::npos;
  return !is_engine && stem.size() > kSuffix.size() &&
         stem.substr(stem.size() - kSuffix.size()) == kSuffix;
}

// Words are what '_', ':' and '.' separate: "record_param_comms" has no word "mm".
bool has_word_ending_in_mm(std::string_view name) {
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find_first_of("_:.", begin), name.size());
    const std::string_view word = name.substr(begin, end - begin);
    if (word == "mm" || word == "addmm" || word == "bmm" || word == "baddbmm" || word == "addbmm" ||
        word == "spmm") {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

// By the name without its namespace: most of fbgemm's operators look up embeddings.
bool looks_like_gemm(std::string_view full_name) {
  const size_t colon = full_name.rfind(':');
  std::string name(colon == std::string_view::npos ? full_name : full_name.substr(colon + 1));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : static_cast<char>(letter);
  });
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  // Names of operators have no blanks; "upsample_bilinear2d" interpolates.
  if (has(" ") || has("upsample") || has("nonlinear")) {
    return false;
  }
  return has("gemm") || has("matmul") || has("linear") || has("fused_moe") || has("grouped_mm") ||
         has("f8f8") || has_word_ending_in_mm(name);
}

}  // namespace

const GemmOperator* find_gemm_operator(std::string_view name) {
  const auto* const found =
      std::find_if(kGemmOperators.begin(), kGemmOperators.end(),
                   [&](const GemmOperator& known) { return known.name == name; });
  return found != kGemmOperators.end() ? found : nullptr;
}

NameClass classify_name(std::string_view name) {
  if (find_gemm_operator(name) != nullptr) {
    return NameClass::kGemm;
  }
  if (is_one_of(name, kWrappers)) {
    return NameClass::kWrapper;
  }
  if (is_one_of(name, kGrouped)) {
    return NameClass::kGrouped;
  }
  if (is_backward_function(name)) {
    return NameClass::kBackward;
  }
  return looks_like_gemm(name) ? NameClass::kUnknown : NameClass::kOther;
}

}  // namespace nibblecore
