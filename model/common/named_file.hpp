// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibblecore {

/// A kind of thing that is named on the command line: built in, or in a file.
struct NamedFileKind {
  std::string_view option;  ///< which names it, such as --machine
  std::string_view noun;    ///< machine
  std::string_view file;    ///< what its file is called in messages: a machine file
};

/// The text of the file at `path`, which is no built-in thing. InputError naming `built_in`, all
/// that is, where there is no such file; InputError as read_small_file.
std::string read_named_file(const NamedFileKind& kind, std::string_view path,
                            const std::vector<std::string_view>& built_in);

/// The one of `built_in` whose name_of(it) is `name_or_path`, or else parse(text, path) of that
/// file.
template <class Thing, class NameOf, class Parse>
Thing load_named(const NamedFileKind& kind, const std::vector<Thing>& built_in,
                 std::string_view name_or_path, NameOf name_of, Parse parse) {
  std::vector<std::string_view> names;
  for (const Thing& thing : built_in) {
    if (name_of(thing) == name_or_path) {
      return thing;
    }
    names.push_back(name_of(thing));
  }
  return parse(read_named_file(kind, name_or_path, names), std::string(name_or_path));
}

}  // namespace nibblecore
