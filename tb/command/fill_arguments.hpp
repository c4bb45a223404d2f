// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/fill/fill.hpp"
#include "tb/command/command_line.hpp"

namespace nibblecore::tb {

/// The options that fill records without operands.
class FillArguments {
 public:
  void add_to(Arguments& arguments);

  /// The fill; nothing without --fill. InputError as the parsers of model/fill/fill.hpp, or where
  /// one of the other options comes without --fill.
  std::optional<Fill> resolve() const;

 private:
  std::string laws_;
  std::string outliers_;
  std::string type_;
};

}  // namespace nibblecore::tb
