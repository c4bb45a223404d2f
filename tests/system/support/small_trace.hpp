// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {

/// A trace made by hand: the folder `trace` in a temporary folder, operands in `t.safetensors`.
class SmallTrace {
 public:
  SmallTrace() { std::filesystem::create_directory(path()); }

  TensorFile& tensors() { return tensors_; }

  /// Adds a line to the manifest, as it is.
  void add(const std::string& line) { manifest_ += line + "\n"; }

  /// Adds a record `shape` ("M":1,...) of operands A [M,K] and B [N,K], with `more` fields.
  void add(int id, const std::string& shape, const std::string& a, const std::string& b,
           const std::string& more = R"("quantize":true)") {
    add(R"({"id":)" + std::to_string(id) + R"(,"phase":"train","layer":"l","gemm":"fprop",)" +
        shape + R"(,"a":["t.safetensors",")" + a + R"("],"ta":0,"b":["t.safetensors",")" + b +
        R"("],"tb":1,)" + more + "}");
  }

  void write() const {
    tensors_.write(path() / "t.safetensors");
    folder_.write("trace/gemms.jsonl", manifest_);
  }

  const TemporaryFolder& folder() const { return folder_; }
  std::filesystem::path path() const { return folder_.path() / "trace"; }

 private:
  TemporaryFolder folder_;
  TensorFile tensors_;
  std::string manifest_;
};

}  // namespace nibblecore
