// SPDX-License-Identifier: Apache-2.0
#include "model/trace/safetensors_writer.hpp"

#include <cstddef>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "model/common/atomic_file.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/safetensors_reader.hpp"

namespace nibblecore {
namespace {

constexpr size_t kHeaderAlignment = 8;

std::string json_text(std::string_view text) {
  return boost::json::serialize(boost::json::value(text));
}

std::string metadata_text(const std::map<std::string, std::string>& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    text += (text.empty() ? "" : ",") + json_text(key) + ":" + json_text(value);
  }
  return "\"__metadata__\":{" + text + "}";
}

std::string comma_separated(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) {
    text += (text.empty() ? "" : ",") + std::to_string(value);
  }
  return "[" + text + "]";
}

std::string header_text(const std::string& path, const std::vector<Tensor>& tensors,
                        const std::map<std::string, std::string>& metadata) {
  std::string text = metadata.empty() ? "" : metadata_text(metadata);
  int64_t begin = 0;
  for (const Tensor& tensor : tensors) {
    const std::string place = path + ": tensor " + in_quotes(tensor.name);
    if (tensor.name == "__metadata__") {
      throw InputError(place, "the name is reserved");
    }
    if (tensor.bytes != tensor_bytes(tensor.dtype, tensor.shape, place)) {
      throw InputError(place, std::to_string(tensor.bytes) + " bytes are not what " +
                                  shape_text(tensor.shape) + " of " +
                                  std::string(name_of(tensor.dtype)) + " takes");
    }
    const int64_t end = checked_add(begin, tensor.bytes, place);
    text += (text.empty() ? "" : ",") + json_text(tensor.name) + ":{\"dtype\":\"" +
            std::string(name_of(tensor.dtype)) + "\",\"shape\":" + comma_separated(tensor.shape) +
            ",\"data_offsets\":" + comma_separated({begin, end}) + "}";
    begin = end;
  }
  text = "{" + text + "}";
  // Finds names that occur twice or are not UTF-8 by the rules that readers apply.
  parse_strict_json(text, path + " (its header)", 0);
  text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  if (static_cast<int64_t>(text.size()) > kSafetensorsHeaderLimit) {
    throw InputError(path, "a header of " + std::to_string(text.size()) +
                               " bytes is more than the format allows");
  }
  return text;
}

void write_bytes(std::ostream& stream, const std::string& header,
                 const std::vector<Tensor>& tensors) {
  for (size_t i = 0; i < sizeof(uint64_t); ++i) {
    stream.put(static_cast<char>(header.size() >> (8 * i)));
  }
  stream << header;
  for (const Tensor& tensor : tensors) {
    if (tensor.bytes > 0) {
      stream.write(static_cast<const char*>(static_cast<const void*>(tensor.data)), tensor.bytes);
    }
  }
}

}  // namespace

void write_safetensors(std::ostream& stream, const std::string& place,
                       const std::vector<Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  write_bytes(stream, header_text(place, tensors, metadata), tensors);
}

void write_safetensors(const std::filesystem::path& path, const std::vector<Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  const std::string header = header_text(path.string(), tensors, metadata);
  AtomicFile file(path);
  write_bytes(file.stream(), header, tensors);
  file.commit();
}

}  // namespace nibblecore
