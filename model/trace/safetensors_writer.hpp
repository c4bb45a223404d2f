// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "model/trace/tensor.hpp"

namespace nibblecore {

/// Writes a safetensors file: tensors in the given order without gaps, the header padded with
/// spaces to a multiple of 8, so equal input gives equal bytes. The file appears whole or not at
/// all. InputError where it can't be written, a name occurs twice, is reserved or is not UTF-8, or
/// a tensor's `bytes` are not what its type and shape take.
void write_safetensors(const std::filesystem::path& path, const std::vector<Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// The same bytes into a stream, whose state says whether they could be written; `place` stands for
/// the file in messages.
void write_safetensors(std::ostream& stream, const std::string& place,
                       const std::vector<Tensor>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace nibblecore
