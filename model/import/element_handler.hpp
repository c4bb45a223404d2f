// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/error.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value_stack.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/import/json_elements.hpp"

namespace nibblecore {

/// What Boost's parser calls for read_json_elements: follows the depth in the document, builds
/// those values that are wanted and hands each over.
class ElementHandler {
 public:
  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = std::size_t{1} << 16;
  static constexpr std::size_t max_string_size = std::size_t{16} << 20;

  ElementHandler(const JsonElements& wanted, const std::string& name)
      : wanted_(wanted), name_(name) {}

  bool found_array() const { return found_array_; }
  int64_t elements() const { return elements_; }

  bool on_document_begin(boost::json::error_code& /*error*/) { return true; }
  bool on_document_end(boost::json::error_code& /*error*/) { return true; }

  bool on_object_begin(boost::json::error_code& /*error*/) {
    begin_value();
    ++depth_;
    return true;
  }
  bool on_object_end(std::size_t count, boost::json::error_code& /*error*/) {
    --depth_;
    if (building()) {
      stack_.push_object(count);
      end_value();
    }
    return true;
  }
  bool on_array_begin(boost::json::error_code& /*error*/) {
    const bool is_top = depth_ == 0;
    const bool is_member = depth_ == 1 && in_object_ && key_ == wanted_.array;
    if (is_top || is_member) {
      in_object_ = !is_top;
      list_depth_ = depth_ + 1;
      found_array_ = true;
    } else {
      begin_value();
    }
    ++depth_;
    return true;
  }
  bool on_array_end(std::size_t count, boost::json::error_code& /*error*/) {
    if (depth_ == list_depth_) {
      list_depth_ = kNoDepth;
    }
    --depth_;
    if (building()) {
      stack_.push_array(count);
      end_value();
    }
    return true;
  }

  bool on_key_part(boost::json::string_view part, std::size_t /*size*/,
                   boost::json::error_code& /*error*/) {
    if (building()) {
      weigh(part.size());
      stack_.push_chars(part);
    } else if (depth_ == 1) {
      key_part_.append(part.data(), part.size());
    }
    return true;
  }
  bool on_key(boost::json::string_view part, std::size_t /*size*/,
              boost::json::error_code& /*error*/) {
    if (building()) {
      weigh(part.size());
      stack_.push_key(part);
    } else if (depth_ == 1) {
      key_part_.append(part.data(), part.size());
      key_ = std::move(key_part_);
      key_part_.clear();
    }
    return true;
  }

  bool on_string_part(boost::json::string_view part, std::size_t /*size*/,
                      boost::json::error_code& /*error*/) {
    if (begin_value()) {
      weigh(part.size());
      stack_.push_chars(part);
    }
    return true;
  }
  bool on_string(boost::json::string_view part, std::size_t /*size*/,
                 boost::json::error_code& /*error*/) {
    return push(part.size(), [&] { stack_.push_string(part); });
  }
  bool on_number_part(boost::json::string_view part, boost::json::error_code& /*error*/) {
    if (begin_value()) {
      weigh(part.size());
      digits_.append(part.data(), part.size());
    }
    return true;
  }
  bool on_int64(int64_t value, boost::json::string_view text, boost::json::error_code& /*error*/) {
    return push(text.size(), [&] { stack_.push_int64(value); });
  }
  bool on_uint64(uint64_t value, boost::json::string_view text,
                 boost::json::error_code& /*error*/) {
    return push(text.size(), [&] { stack_.push_uint64(value); });
  }
  bool on_double(double /*value*/, boost::json::string_view text,
                 boost::json::error_code& /*error*/) {
    return push(text.size(), [&] {
      digits_.append(text.data(), text.size());
      stack_.push_string(digits_);
    });
  }
  bool on_bool(bool value, boost::json::error_code& /*error*/) {
    return push(1, [&] { stack_.push_bool(value); });
  }
  bool on_null(boost::json::error_code& /*error*/) {
    return push(1, [&] { stack_.push_null(); });
  }
  bool on_comment_part(boost::json::string_view /*part*/, boost::json::error_code& /*error*/) {
    return true;
  }
  bool on_comment(boost::json::string_view /*part*/, boost::json::error_code& /*error*/) {
    return true;
  }

 private:
  static constexpr int kNoDepth = -1;
  static constexpr int64_t kLargestElement = int64_t{8} << 20;

  bool building() const { return value_depth_ != kNoDepth; }

  bool wanted_here() const {
    if (depth_ == list_depth_) {
      return true;
    }
    bool is_member = false;
    for (const std::string_view member : wanted_.members) {
      is_member = is_member || member == key_;
    }
    return depth_ == 1 && in_object_ && is_member;
  }

  // A value begins or goes on; returns whether it is built.
  bool begin_value() {
    if (depth_ == 0) {
      in_object_ = true;
    } else if (!building() && wanted_here()) {
      value_depth_ = depth_;
      size_ = 0;
      stack_.reset(&memory_);
    }
    if (building()) {
      weigh(0);
    }
    return building();
  }

  void end_value() {
    if (depth_ != value_depth_) {
      return;
    }
    value_depth_ = kNoDepth;
    {
      const boost::json::value value = stack_.release();
      if (depth_ == list_depth_) {
        wanted_.on_element(value, elements_++);
      } else {
        wanted_.on_member(key_, value);
      }
    }
    memory_.release();
  }

  template <typename Push>
  bool push(std::size_t size, const Push& push_value) {
    if (begin_value()) {
      weigh(size);
      push_value();
      end_value();
    }
    digits_.clear();
    return true;
  }

  // A value takes 16 bytes and its text; the text of an element bounds what it takes.
  void weigh(std::size_t text) {
    constexpr int64_t kValue = 4;
    size_ += static_cast<int64_t>(text) + kValue;
    if (size_ > kLargestElement) {
      throw InputError(depth_place(), "is larger than 8 MiB");
    }
  }

  std::string depth_place() const {
    return name_ + (value_depth_ == list_depth_ ? ", element " + std::to_string(elements_)
                                                : ", member " + in_quotes(key_));
  }

  const JsonElements& wanted_;
  const std::string& name_;
  std::array<unsigned char, 65536> buffer_{};
  boost::json::monotonic_resource memory_{buffer_.data(), buffer_.size()};
  boost::json::value_stack stack_;
  int depth_ = 0;
  bool in_object_ = false;      // the top level is an object
  int list_depth_ = kNoDepth;   // of the elements, while inside their array
  int value_depth_ = kNoDepth;  // of the value being built
  bool found_array_ = false;
  int64_t elements_ = 0;
  int64_t size_ = 0;
  std::string key_;
  std::string key_part_;
  std::string digits_;
};

}  // namespace nibblecore
