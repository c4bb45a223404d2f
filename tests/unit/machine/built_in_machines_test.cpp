// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/formats/block_format.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/machine_texts.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

constexpr int64_t kTera = 1'000'000'000'000;

std::filesystem::path in_project(const std::string& path) {
  return std::filesystem::path(NIBBLECORE_TEST_DATA) / "../.." / path;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int64_t fp4_operations_a_second(const Machine& machine) {
  return machine.cores * machine.clock_hertz * machine.core.macs_a_step() * 2;
}

int64_t bf16_operations_a_second(const Machine& machine) {
  return machine.cores * machine.clock_hertz * machine.bf16_macs_per_cycle * 2;
}

TEST(BuiltInMachines, AreTheFilesOfTheFolderAndNamedAsThey) {
  std::vector<std::string> names;
  for (const EmbeddedText& file : machine_texts()) {
    const std::string name(file.name);
    names.push_back(name);
    EXPECT_EQ(file.text, text_of(in_project("model/machine/machines/" + name + ".json")));
    EXPECT_EQ(load_machine(name).machine.name, name);
  }
  EXPECT_THAT(names, testing::ElementsAre("core16x16x64", "ascend950pr", "b200", "edge"));
  std::vector<std::string> in_folder;
  for (const auto& entry :
       std::filesystem::directory_iterator(in_project("model/machine/machines"))) {
    in_folder.push_back(entry.path().stem().string());
  }
  EXPECT_THAT(in_folder, testing::UnorderedElementsAreArray(names));
}

TEST(BuiltInMachines, AreValidAndRunEveryFormat) {
  ASSERT_EQ(built_in_machines().size(), 4U);
  for (const MachineFile& file : built_in_machines()) {
    EXPECT_NO_THROW(require_valid(file.machine)) << file.machine.name;
    for (const BlockFormat& format : kBlockFormats) {
      EXPECT_NO_THROW(require_supported(file.machine.core, format)) << file.machine.name;
    }
    EXPECT_FALSE(file.notes.empty()) << file.machine.name;
  }
}

TEST(BuiltInMachines, TheDefaultCoreComesFirst) {
  const Machine& machine = built_in_machines().front().machine;
  EXPECT_EQ(machine.cores, 1);
  EXPECT_EQ(machine.core.rows, kDefaultCore.rows);
  EXPECT_EQ(machine.core.columns, kDefaultCore.columns);
  EXPECT_EQ(machine.core.depth, kDefaultCore.depth);
  EXPECT_EQ(machine.memory, (Rate{256, 1}));
}

// Published 1513 TFLOPS of MXFP4 and 378 of BF16; 1.6 TB/s over 28 * 1.65e9 core cycles a second.
TEST(BuiltInMachines, Ascend950PrComesOutAtItsPublishedRates) {
  const Machine machine = load_machine("ascend950pr").machine;
  EXPECT_EQ(fp4_operations_a_second(machine), 1'513'881'600'000'000);
  EXPECT_EQ(fp4_operations_a_second(machine) / kTera, 1513);
  EXPECT_EQ(bf16_operations_a_second(machine), 378'470'400'000'000);
  EXPECT_EQ(bf16_operations_a_second(machine) / kTera, 378);
  EXPECT_EQ(machine.memory, (Rate{8000, 231}));
  EXPECT_EQ(machine.memory.duration(1 << 20), 30'278);
}

// Published 9,000 TFLOPS of FP4 and 2,250 of BF16, within 1 in 300; 8 TB/s over 148 * 1.85e9.
TEST(BuiltInMachines, B200ComesOutNearItsPublishedRates) {
  const Machine machine = load_machine("b200").machine;
  EXPECT_EQ(fp4_operations_a_second(machine), 8'971'878'400'000'000);
  EXPECT_EQ(bf16_operations_a_second(machine), 2'242'969'600'000'000);
  EXPECT_EQ(machine.memory, (Rate{40'000, 1369}));
  EXPECT_EQ(machine.memory.duration(1 << 20), 35'888);
}

TEST(BuiltInMachines, EdgeHasAQuarterOfTheArrayAndAnEighthOfTheBandwidthACycle) {
  const Machine machine = load_machine("edge").machine;
  EXPECT_EQ(machine.core.macs_a_step() * 4, kDefaultCore.macs_a_step());
  EXPECT_EQ(machine.memory, (Rate{32, 1}));
  EXPECT_EQ(fp4_operations_a_second(machine), 6'553'600'000'000);
}

TEST(BuiltInMachines, NotesSayWhichMachinesAreProposed) {
  const auto notes_of = [](const char* name) {
    std::string notes;
    for (const std::string& note : load_machine(name).notes) {
      notes += note + "\n";
    }
    return notes;
  };
  EXPECT_THAT(notes_of("ascend950pr"), HasSubstr("has no 2:4 unit"));
  EXPECT_THAT(notes_of("b200"), HasSubstr("has no HiF4"));
  for (const char* name : {"core16x16x64", "edge"}) {
    EXPECT_THAT(notes_of(name), HasSubstr("HiF4 together with a 2:4 unit is a proposed machine"));
  }
}

std::string grouped(int64_t value) {
  std::string digits = std::to_string(value);
  for (size_t end = digits.size(); end > 3;) {
    end -= 3;
    digits.insert(end, ",");
  }
  return digits;
}

TEST(MachinesPage, HoldsEveryFieldAsTheFilesDo) {
  const std::string page = text_of(in_project("docs/machines.md"));
  for (const MachineFile& file : built_in_machines()) {
    const std::string heading = "### " + file.machine.name + "\n";
    const size_t begin = page.find(heading);
    ASSERT_NE(begin, std::string::npos) << heading;
    const size_t end = page.find("\n#", begin + heading.size());
    const std::string section = page.substr(begin, end - begin);
    for (const MachineField& field : file.fields) {
      EXPECT_THAT(section, HasSubstr("| `" + field.name + "` | " + grouped(field.value) + " | " +
                                     std::string(confidence_record(field.confidence).name) + " | " +
                                     field.source + " |\n"));
    }
    for (const std::string& note : file.notes) {
      EXPECT_THAT(section, HasSubstr("- " + note + "\n"));
    }
  }
  for (const ConfidenceRecord& record : kConfidences) {
    EXPECT_THAT(page, HasSubstr("| " + std::string(record.name) + " | " +
                                std::string(record.meaning) + " |\n"));
  }
}

}  // namespace
}  // namespace nibblecore
