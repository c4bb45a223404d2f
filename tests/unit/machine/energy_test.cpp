// SPDX-License-Identifier: Apache-2.0
#include "model/machine/energy.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// Entry i of the known ones costs 2^i femtojoules, so that a sum shows what is in it.
EnergyTable powers_of_two() {
  EnergyTable table;
  table.name = "powers";
  int64_t price = 1;
  for (const std::string_view name : energy_entry_names()) {
    table.entries.push_back({std::string(name), price, Confidence::kAssumed, "a test"});
    price *= 2;
  }
  return table;
}

int64_t price(const EnergyTable& table, std::string_view entry) {
  return table.find(entry)->femtojoules;
}

TEST(Energy, OfEveryKindOfWorkIsItsCountTimesItsEntry) {
  const EnergyTable table = powers_of_two();
  for (size_t i = 0; i < work_records().size(); ++i) {
    WorkCounts work;
    work.counts[i] = 1000 + static_cast<int64_t>(i);
    const Energy energy = energy_of(work, table);
    const WorkRecord& record = work_records()[i];
    const Femtojoules expected = Femtojoules{work.counts[i]} * price(table, record.entry);
    EXPECT_EQ(energy.total(), expected) << record.name;
    EXPECT_EQ(energy[record.group], expected) << record.name;
  }
}

TEST(Energy, GroupsSumExactly) {
  const EnergyTable table = powers_of_two();
  WorkCounts work;
  work[Work::kHif4DenseMacs] = 7;
  work[Work::kHif4ResidualMacs] = 5;
  work[Work::kAdditions] = 3;
  work[Work::kHif4QuantizedValues] = 11;
  work[Work::kMemoryStoredBytes] = 13;
  const Energy energy = energy_of(work, table);
  EXPECT_EQ(energy[WorkGroup::kArithmetic],
            12 * price(table, "hif4_mac") + 3 * price(table, "addition"));
  EXPECT_EQ(energy[WorkGroup::kQuantizer], 11 * price(table, "hif4_quantized_value"));
  EXPECT_EQ(energy[WorkGroup::kMemory], 13 * price(table, "memory_byte"));
  EXPECT_EQ(energy[WorkGroup::kL1], 0);
  EXPECT_EQ(energy.total(), energy[WorkGroup::kArithmetic] + energy[WorkGroup::kQuantizer] +
                                energy[WorkGroup::kMemory]);
}

TEST(Energy, PassesWhat64BitsHold) {
  EnergyTable table;
  table.entries.push_back({"bf16_mac", 1'000'000'000'000, Confidence::kAssumed, "a test"});
  WorkCounts work;
  work[Work::kBf16Macs] = std::numeric_limits<int64_t>::max();
  const Femtojoules total = energy_of(work, table).total();
  EXPECT_EQ(total / 1'000'000'000'000, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(total % 1'000'000'000'000, 0);
}

TEST(Energy, InJoules) {
  EXPECT_EQ(joules(0), 0.0);
  EXPECT_EQ(joules(Femtojoules{3'000'000'000'000'000}), 3.0);
  EXPECT_EQ(joules(500'000'000'000'000), 0.5);
}

TEST(Energy, AMissingEntryThatIsNeededIsAnError) {
  EnergyTable table = powers_of_two();
  table.entries.erase(table.entries.begin());
  WorkCounts work;
  work[Work::kMemoryLoadedBytes] = 1;
  EXPECT_THAT(input_error([&] { energy_of(work, table); }), IsEmpty());
  work[Work::kMxfp4ResidualMacs] = 9;
  EXPECT_THAT(input_error([&] { energy_of(work, table); }),
              AllOf(HasSubstr("energy table powers"), HasSubstr("\"mxfp4_mac\" is missing"),
                    HasSubstr("9 mxfp4_residual_macs")));
}

}  // namespace
}  // namespace nibblecore
