// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/workload/model_config.hpp"

namespace nibblecore {

/// A model with its provenance.
struct ModelFile {
  std::string name;  ///< the built-in one's, else the path it was read from
  std::string description;
  std::string source;
  ModelConfig config;
};

/// The models that come with the program.
const std::vector<ModelFile>& built_in_models();

/// The built-in model of this name, else the `config.json` at this path; InputError naming the
/// built-in ones where it is neither.
ModelFile load_model(std::string_view name_or_path);

}  // namespace nibblecore
