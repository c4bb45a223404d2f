// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <boost/pfr.hpp>

#include "model/common/error.hpp"

namespace nibblecore::tb {

/// Calls `visit` with each field of a value: of a class its own `for_each_field(visit)` says which,
/// of an aggregate they are all members, so that none can be forgotten.
template <typename T, typename Visit, typename = void>
struct FieldsOf {
  static void visit(T& value, Visit& visit) {
    static_assert(std::is_aggregate_v<T>, "this class needs a member for_each_field(visit)");
    boost::pfr::for_each_field(value, [&](auto& field) { visit(field); });
  }
};

template <typename T, typename Visit>
struct FieldsOf<T, Visit,
                std::void_t<decltype(std::declval<T&>().for_each_field(std::declval<Visit&>()))>> {
  static void visit(T& value, Visit& visit) { value.for_each_field(visit); }
};

/// A value as bytes that FieldReader turns into the same value, bit for bit: numbers as the
/// processor stores them; strings, lists and optional values behind their sizes.
class FieldWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  template <typename T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      const auto at = bytes_.size();
      bytes_.resize(at + sizeof value);
      std::memcpy(bytes_.data() + at, &value, sizeof value);
    } else {
      FieldsOf<T, FieldWriter>::visit(value, *this);
    }
  }

  void operator()(std::string& text) {
    size(text.size());
    bytes_ += text;
  }

  template <typename T>
  void operator()(std::optional<T>& value) {
    size(value ? 1 : 0);
    if (value) {
      (*this)(*value);
    }
  }

  template <typename T>
  void operator()(std::vector<T>& values) {
    size(values.size());
    for (T& value : values) {
      (*this)(value);
    }
  }

  template <typename T, size_t kSize>
  void operator()(std::array<T, kSize>& values) {
    for (T& value : values) {
      (*this)(value);
    }
  }

 private:
  void size(uint64_t count) { (*this)(count); }

  std::string bytes_;
};

/// Reads what FieldWriter wrote. InputError naming `place` where the bytes end too early or
/// can't have been written so.
class FieldReader {
 public:
  /// The bytes outlive the reader.
  FieldReader(std::string_view bytes, std::string place) : rest_(bytes), place_(std::move(place)) {}

  template <typename T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = flag(static_cast<uint8_t>(take(sizeof value).front()));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      FieldsOf<T, FieldReader>::visit(value, *this);
    }
  }

  void operator()(std::string& text) { text = take(size()); }

  template <typename T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (flag(size())) {
      (*this)(value.emplace());
    }
  }

  template <typename T>
  void operator()(std::vector<T>& values) {
    values.clear();
    // Grown as they are read: a size is not believed before its values are there.
    for (uint64_t left = size(); left != 0; --left) {
      (*this)(values.emplace_back());
    }
  }

  template <typename T, size_t kSize>
  void operator()(std::array<T, kSize>& values) {
    for (T& value : values) {
      (*this)(value);
    }
  }

  /// InputError where bytes are left.
  void require_end() const {
    if (!rest_.empty()) {
      throw InputError(place_, "has more bytes than its fields");
    }
  }

 private:
  uint64_t size() {
    uint64_t count = 0;
    (*this)(count);
    return count;
  }

  bool flag(uint64_t number) const {
    if (number > 1) {
      throw InputError(place_, "has a flag that is neither 0 nor 1");
    }
    return number == 1;
  }

  std::string_view take(uint64_t count) {
    if (count > rest_.size()) {
      throw InputError(place_, "has fewer bytes than its fields");
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
  std::string place_;
};

}  // namespace nibblecore::tb
