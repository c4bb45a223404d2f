// SPDX-License-Identifier: Apache-2.0
#include "model/trace/filter.hpp"

#include <algorithm>
#include <cstddef>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

std::string key_place(std::string_view key) { return "filter, key " + in_quotes(key); }

// Length of the word before an '=' at the start of `text`; 0 where no key starts here.
size_t key_length(std::string_view text) {
  const size_t length = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return length < text.size() && text[length] == '=' ? length : 0;
}

// Position of the comma before the next key, or the end of `text`.
size_t value_end(std::string_view text) {
  size_t comma = text.find(',');
  while (comma != std::string_view::npos && key_length(text.substr(comma + 1)) == 0) {
    comma = text.find(',', comma + 1);
  }
  return std::min(comma, text.size());
}

}  // namespace

Filter::Filter(std::string_view text) {
  while (!text.empty()) {
    const size_t length = key_length(text);
    if (length == 0) {
      throw InputError("filter", in_quotes(text) + " does not start with a key and '='");
    }
    const std::string key(text.substr(0, length));
    text.remove_prefix(length + 1);
    const size_t end = value_end(text);
    set(key, std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Filter::set(const std::string& key, const std::string& value) {
  if (value.empty()) {
    throw InputError(key_place(key), "has no value");
  }
  if ((key == "phase" && phase_) || (key == "gemm" && kind_) || (key == "layer" && layer_)) {
    throw InputError(key_place(key), "is given twice");
  }
  if (key == "phase") {
    phase_ = value;
  } else if (key == "gemm") {
    kind_ = find_gemm_kind(value);
    if (!kind_) {
      throw InputError(key_place(key), in_quotes(value) + " is not fprop, dgrad or wgrad");
    }
  } else if (key == "layer") {
    layer_.emplace(value, key_place(key));
  } else {
    throw InputError(key_place(key), "is unknown; known are phase, gemm, layer");
  }
}

bool Filter::matches(const GemmRecord& record) const {
  if (phase_ && record.phase.compare(0, phase_->size(), *phase_) != 0) {
    return false;
  }
  if (kind_ && record.kind != *kind_) {
    return false;
  }
  return !layer_ || layer_->is_in(record.layer);
}

}  // namespace nibblecore
