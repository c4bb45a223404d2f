// SPDX-License-Identifier: Apache-2.0
#include "model/formats/named_record.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

struct Fruit {
  std::string_view name;
  int weight;
};
constexpr std::array<Fruit, 3> kFruits{{{"apple", 1}, {"pear", 2}, {"fig", 3}}};

TEST(NamedRecord, FindsTheWholeName) {
  EXPECT_EQ(find_record(kFruits, "apple", "--fruit").weight, 1);
  EXPECT_EQ(find_record(kFruits, "fig", "--fruit").weight, 3);
}

TEST(NamedRecord, TheErrorNamesPlaceAndKnownNames) {
  for (const std::string name : {"", "pea", "pears"}) {
    try {
      find_record(kFruits, name, "--fruit");
      ADD_FAILURE() << "accepted '" << name << "'";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "--fruit: unknown name '" + name + "' (known: apple, pear, fig)");
    }
  }
}

}  // namespace
}  // namespace nibblecore
