// SPDX-License-Identifier: Apache-2.0
// The readers under libFuzzer: nibblecore_fuzz --reader=NAME [OPTIONS OF libFuzzer...] [CORPUS...],
// or nibblecore_fuzz --list for a line of every reader: its name and folders of more seeds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_reader.hpp"

namespace {

const nibblecore::FuzzReader* chosen_reader = nullptr;

void list_readers() {
  for (const nibblecore::FuzzReader& reader : nibblecore::fuzz_readers()) {
    std::cout << reader.name;
    for (const std::string_view folder : reader.more_seeds) {
      std::cout << ' ' << folder;
    }
    std::cout << '\n';
  }
}

}  // namespace

// libFuzzer leaves options with two dashes to the program.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const std::vector<std::string_view> given(*arguments, *arguments + *count);
  if (std::find(given.begin(), given.end(), "--list") != given.end()) {
    list_readers();
    std::exit(EXIT_SUCCESS);
  }
  for (const nibblecore::FuzzReader& reader : nibblecore::fuzz_readers()) {
    if (std::find(given.begin(), given.end(), "--reader=" + std::string(reader.name)) !=
        given.end()) {
      chosen_reader = &reader;
    }
  }
  if (chosen_reader == nullptr) {
    std::cerr << "nibblecore_fuzz: name a reader with --reader=NAME; --list lists them\n";
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen_reader->read({static_cast<const char*>(static_cast<const void*>(data)), size});
  return 0;
}
