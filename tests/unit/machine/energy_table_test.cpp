// SPDX-License-Identifier: Apache-2.0
#include "model/machine/energy_table.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/machine/work_counts.hpp"
#include "tests/support/input_error.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string document(const std::string& entries, const std::string& more = "") {
  return R"({"name":"mine","description":"what it is","notes":["a caveat"],"entries":{)" + entries +
         "}" + more + "}";
}

std::string error_of(const std::string& text) {
  return input_error([&] { parse_energy_table(text, "mine.json"); });
}

TEST(ParseEnergyTable, TakesEveryEntryWithItsSource) {
  const EnergyTable table = parse_energy_table(
      document(R"("bf16_mac":{"femtojoules":720,"confidence":"P","source":"a page"},)"
               R"("l1_byte":{"femtojoules":0,"confidence":"A","source":"assumed"})"),
      "mine.json");
  EXPECT_EQ(table.name, "mine");
  EXPECT_EQ(table.description, "what it is");
  EXPECT_EQ(table.notes, std::vector<std::string>{"a caveat"});
  ASSERT_EQ(table.entries.size(), 2U);
  ASSERT_NE(table.find("bf16_mac"), nullptr);
  EXPECT_EQ(table.find("bf16_mac")->femtojoules, 720);
  EXPECT_EQ(table.find("bf16_mac")->confidence, Confidence::kPublished);
  EXPECT_EQ(table.find("bf16_mac")->source, "a page");
  EXPECT_EQ(table.find("l0_byte"), nullptr);
}

TEST(ParseEnergyTable, RefusesWhatIsNotWhole) {
  const auto entry = [](const std::string& body) {
    return document(R"("l1_byte":{)" + body + "}");
  };
  EXPECT_THAT(
      error_of(entry(R"("femtojoules":1,"confidence":"A")")),
      AllOf(HasSubstr("mine.json"), HasSubstr("entries.l1_byte.source"), HasSubstr("is missing")));
  EXPECT_THAT(error_of(entry(R"("femtojoules":1,"confidence":"A","source":"")")),
              HasSubstr("entries.l1_byte.source"));
  EXPECT_THAT(error_of(entry(R"("femtojoules":1,"confidence":"X","source":"s")")),
              HasSubstr("entries.l1_byte.confidence"));
  EXPECT_THAT(error_of(entry(R"("femtojoules":1.5,"confidence":"A","source":"s")")),
              HasSubstr("entries.l1_byte.femtojoules"));
  EXPECT_THAT(error_of(entry(R"("femtojoules":-1,"confidence":"A","source":"s")")),
              HasSubstr("entries.l1_byte.femtojoules"));
  EXPECT_THAT(error_of(entry(R"("femtojoules":1000000000001,"confidence":"A","source":"s")")),
              HasSubstr("entries.l1_byte.femtojoules"));
  EXPECT_THAT(error_of(document(R"("dram_byte":{})")),
              AllOf(HasSubstr("entries.dram_byte"), HasSubstr("memory_byte")));
  EXPECT_THAT(error_of(document("", R"(,"unit":"pJ")")), HasSubstr("unit"));
  EXPECT_THAT(error_of(document(R"("l1_byte":{},"l1_byte":{})")), HasSubstr("duplicate key"));
  EXPECT_THAT(error_of("{"), HasSubstr("offset"));
}

TEST(EnergyTables, BuiltInOnesPriceEverythingAndSayWhereFrom) {
  EXPECT_GE(built_in_energy_tables().size(), 2U);
  for (const EnergyTable& table : built_in_energy_tables()) {
    EXPECT_FALSE(table.notes.empty());
    for (const std::string_view name : energy_entry_names()) {
      const EnergyEntry* entry = table.find(name);
      ASSERT_NE(entry, nullptr) << table.name << " " << name;
      EXPECT_GT(entry->femtojoules, 0);
      EXPECT_GT(entry->source.size(), 20U);
      // What is assumed says so.
      EXPECT_EQ(entry->confidence == Confidence::kAssumed,
                entry->source.rfind("assumed by this project", 0) == 0)
          << table.name << " " << name;
    }
  }
}

TEST(LoadEnergyTable, ByNameOrPath) {
  EXPECT_EQ(load_energy_table("horowitz45nm").name, "horowitz45nm");
  TemporaryFolder folder;
  folder.write("t.json", document(""));
  EXPECT_EQ(load_energy_table((folder.path() / "t.json").string()).name, "mine");
  EXPECT_THAT(input_error([] { load_energy_table("none"); }),
              AllOf(HasSubstr("--energy"), HasSubstr("jouppi7nm"), HasSubstr("nor a file")));
}

}  // namespace
}  // namespace nibblecore
