// SPDX-License-Identifier: Apache-2.0
#include "model/trace/safetensors_reader.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

constexpr int64_t kLengthBytes = 8;

struct Extent {
  int64_t begin;
  int64_t end;
  const Tensor* tensor;
};

std::string at_offset(const std::string& path, int64_t offset) {
  return path + ", offset " + std::to_string(offset);
}

std::string_view header_text(std::string_view bytes, const std::string& path) {
  const auto size = static_cast<int64_t>(bytes.size());
  if (size < kLengthBytes) {
    throw InputError(at_offset(path, 0), "the file has " + std::to_string(size) +
                                             " bytes, too few for the header length");
  }
  uint64_t length = 0;
  for (int64_t i = kLengthBytes - 1; i >= 0; --i) {
    length = length << 8 | static_cast<unsigned char>(bytes[static_cast<size_t>(i)]);
  }
  const int64_t rest = size - kLengthBytes;
  if (length > static_cast<uint64_t>(std::min(rest, kSafetensorsHeaderLimit))) {
    throw InputError(at_offset(path, 0),
                     "header length " + std::to_string(length) + " is more than " +
                         (length > static_cast<uint64_t>(kSafetensorsHeaderLimit)
                              ? "the format's limit of " + std::to_string(kSafetensorsHeaderLimit)
                              : "the " + std::to_string(rest) + " bytes that follow"));
  }
  const std::string_view text = bytes.substr(kLengthBytes, length);
  if (text.empty() || text.front() != '{') {
    throw InputError(at_offset(path, kLengthBytes), "the header does not start with '{'");
  }
  return text;
}

std::map<std::string, std::string> read_metadata(const json::value& value,
                                                 const std::string& place) {
  const json::object* const entries = value.if_object();
  if (entries == nullptr) {
    throw InputError(place, "is " + shown(value) + ", not an object");
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, entry] : *entries) {
    const json::string* const text = entry.if_string();
    if (text == nullptr) {
      throw InputError(place, "key " + in_quotes(key) + " is " + shown(entry) + ", not a string");
    }
    metadata.emplace(key, *text);
  }
  return metadata;
}

// The fields of one tensor in the header, with places for messages.
class TensorEntry {
 public:
  TensorEntry(const json::value& value, std::string place) : place_(std::move(place)) {
    fields_ = value.if_object();
    if (fields_ == nullptr) {
      throw InputError(place_, "is " + shown(value) + ", not an object");
    }
  }

  std::string place(std::string_view name) const {
    return place_ + ", field \"" + std::string(name) + "\"";
  }

  DType dtype() const {
    const json::value& value = field("dtype");
    const json::string* const name = value.if_string();
    const std::optional<DType> dtype = name != nullptr ? find_dtype(*name) : std::nullopt;
    if (!dtype) {
      throw InputError(place("dtype"), shown(value) + " is not a known type");
    }
    return *dtype;
  }

  /// An array of non-negative integers.
  std::vector<int64_t> sizes(std::string_view name) const {
    const json::value& value = field(name);
    const json::array* const entries = value.if_array();
    if (entries == nullptr) {
      throw InputError(place(name), "is " + shown(value) + ", not an array");
    }
    std::vector<int64_t> sizes;
    sizes.reserve(entries->size());
    for (const json::value& entry : *entries) {
      const std::optional<int64_t> size = json_integer(entry);
      if (!size || *size < 0) {
        throw InputError(place(name), "entry " + std::to_string(sizes.size()) + " is " +
                                          shown(entry) + ", not a non-negative 64-bit integer");
      }
      sizes.push_back(*size);
    }
    return sizes;
  }

 private:
  const json::value& field(std::string_view name) const {
    const json::value* const value = fields_->if_contains(name);
    if (value == nullptr) {
      throw InputError(place(name), "is missing");
    }
    return *value;
  }

  const json::object* fields_ = nullptr;
  std::string place_;
};

std::pair<int64_t, int64_t> read_offsets(const TensorEntry& entry, int64_t buffer_size) {
  const std::string place = entry.place("data_offsets");
  const std::vector<int64_t> offsets = entry.sizes("data_offsets");
  if (offsets.size() != 2) {
    throw InputError(place, "has " + std::to_string(offsets.size()) + " entries, not 2");
  }
  if (offsets[0] > offsets[1]) {
    throw InputError(place, shape_text(offsets) + " ends before it begins");
  }
  if (offsets[1] > buffer_size) {
    throw InputError(place, shape_text(offsets) + " leaves the buffer of " +
                                std::to_string(buffer_size) + " bytes");
  }
  return {offsets[0], offsets[1]};
}

void check_coverage(std::vector<Extent> extents, int64_t buffer_size, const std::string& path) {
  std::sort(extents.begin(), extents.end(), [](const Extent& left, const Extent& right) {
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
  int64_t covered = 0;
  for (const Extent& extent : extents) {
    if (extent.begin != covered) {
      throw InputError(
          path + ": tensor " + in_quotes(extent.tensor->name) + ", field \"data_offsets\"",
          "begins at " + std::to_string(extent.begin) + " where " + std::to_string(covered) +
              " is expected: " +
              (extent.begin < covered ? "tensors overlap" : "the buffer has a hole"));
    }
    covered = extent.end;
  }
  if (covered != buffer_size) {
    throw InputError(path, "the tensors end at " + std::to_string(covered) + " of a buffer of " +
                               std::to_string(buffer_size) + " bytes");
  }
}

}  // namespace

SafetensorsContents parse_safetensors(std::string_view bytes, const std::string& file) {
  const std::string_view text = header_text(bytes, file);
  const json::value header = parse_strict_json(text, file, kLengthBytes);
  const std::string_view buffer = bytes.substr(kLengthBytes + text.size());
  const auto buffer_size = static_cast<int64_t>(buffer.size());

  SafetensorsContents contents;
  contents.buffer_begin = kLengthBytes + static_cast<int64_t>(text.size());
  contents.tensors.reserve(header.get_object().size());
  std::vector<Extent> extents;
  for (const auto& [key, value] : header.get_object()) {
    if (key == "__metadata__") {
      contents.metadata = read_metadata(value, file + ": field \"__metadata__\"");
      continue;
    }
    const TensorEntry entry(value, file + ": tensor " + in_quotes(key));
    Tensor tensor;
    tensor.name = key;
    tensor.dtype = entry.dtype();
    tensor.shape = entry.sizes("shape");
    tensor.bytes = tensor_bytes(tensor.dtype, tensor.shape, entry.place("shape"));
    const auto [begin, end] = read_offsets(entry, buffer_size);
    if (end - begin != tensor.bytes) {
      throw InputError(entry.place("data_offsets"),
                       "spans " + std::to_string(end - begin) + " bytes, " +
                           shape_text(tensor.shape) + " of " + std::string(name_of(tensor.dtype)) +
                           " takes " + std::to_string(tensor.bytes));
    }
    tensor.data = static_cast<const std::byte*>(static_cast<const void*>(buffer.data())) + begin;
    contents.tensors.push_back(std::move(tensor));
    extents.push_back({begin, end, &contents.tensors.back()});
  }
  check_coverage(std::move(extents), buffer_size, file);
  return contents;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : path_(path.string()),
      file_(path),
      contents_(parse_safetensors(file_.text(0, file_.size()), path_)) {
  for (size_t i = 0; i < tensors().size(); ++i) {
    index_.emplace(tensors()[i].name, i);
  }
  file_.release(file_.data(), contents_.buffer_begin);
}

const Tensor* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? nullptr : &tensors()[found->second];
}

const Tensor& SafetensorsFile::tensor(std::string_view name) const {
  const Tensor* const found = find(name);
  if (found == nullptr) {
    throw InputError(path_, "has no tensor " + in_quotes(name));
  }
  return *found;
}

}  // namespace nibblecore
