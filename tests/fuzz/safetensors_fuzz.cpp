// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {
namespace {

// Reads every byte of both.
bool same_tensor(const Tensor& left, const Tensor& right) {
  return left.name == right.name && left.dtype == right.dtype && left.shape == right.shape &&
         std::equal(left.data, left.data + left.bytes, right.data, right.data + right.bytes);
}

}  // namespace

Verdict fuzz_safetensors(std::string_view bytes) {
  SafetensorsContents contents;
  if (!accepts([&] { contents = parse_safetensors(bytes, "safetensors"); })) {
    return Verdict::kRefused;
  }
  std::ostringstream stream;
  write_safetensors(stream, "safetensors", contents.tensors, contents.metadata);
  const std::string written = stream.str();
  const SafetensorsContents again = parse_safetensors(written, "safetensors as written");
  require(again.metadata == contents.metadata, "metadata are read as they were written");
  require(std::equal(again.tensors.begin(), again.tensors.end(), contents.tensors.begin(),
                     contents.tensors.end(), same_tensor),
          "tensors are read as they were written");
  return Verdict::kAccepted;
}

}  // namespace nibblecore
