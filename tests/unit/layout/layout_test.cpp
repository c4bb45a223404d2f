// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

TEST(Layout, NamesOfEachFormat) {
  EXPECT_EQ(layout_names(kMxfp4),
            "low-first, high-first, split-halves, unpacked, gguf, swizzle-128x4, ascend-pairs");
  EXPECT_EQ(layout_names(kNvfp4),
            "low-first, high-first, split-halves, unpacked, gguf, swizzle-128x4");
  EXPECT_EQ(layout_names(kHif4),
            "low-first, high-first, unpacked, pto, cann, a6-zz, a6-nz, amct, msmodelslim, "
            "hifloat4-research");
}

TEST(Layout, FirstIsTheDefaultOfAllFormats) {
  for (const BlockFormat& format : kBlockFormats) {
    const Layout& first = layout(format, layouts().front().name);
    EXPECT_EQ(first.name, "low-first");
    EXPECT_EQ(first.codes, CodeOrder::kLowFirst);
    EXPECT_EQ(first.code_place, CodePlace::kRows);
    EXPECT_EQ(first.scale_place, ScalePlace::kRows);
    EXPECT_EQ(first.word.position, kPtoWord.position);
    EXPECT_EQ(first.word.bits, kPtoWord.bits);
  }
}

TEST(Layout, EveryRecordIsFoundByItsNameAndExplained) {
  std::set<std::string_view> names;
  for (const Layout& record : layouts()) {
    SCOPED_TRACE(record.name);
    EXPECT_TRUE(names.insert(record.name).second);
    EXPECT_FALSE(record.meaning.empty());
    EXPECT_FALSE(record.provenance.empty());
    int formats = 0;
    for (const BlockFormat& format : kBlockFormats) {
      if (record.formats.contains(format)) {
        ++formats;
        EXPECT_EQ(&layout(format, record.name), &record);
      }
    }
    EXPECT_GT(formats, 0);
    // Records hold codes and scales together.
    EXPECT_EQ(record.code_place == CodePlace::kInRecords,
              record.scale_place == ScalePlace::kInRecords);
  }
}

void expect_unknown(const BlockFormat& format, std::string_view name) {
  try {
    layout(format, name);
    ADD_FAILURE() << "accepted '" << name << "' of " << format.name;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "--layout: unknown layout '" + std::string(name) + "' of " +
                                std::string(format.name) + " (known: " + layout_names(format) +
                                ")");
  }
}

TEST(Layout, NameOfAnotherFormatIsAnErrorThatListsThoseOfTheFormat) {
  expect_unknown(kMxfp4, "");
  expect_unknown(kMxfp4, "LOW-FIRST");
  expect_unknown(kMxfp4, "amct");
  expect_unknown(kNvfp4, "ascend-pairs");
  expect_unknown(kHif4, "gguf");
  expect_unknown(kHif4, "split-halves");
  expect_unknown(kHif4, "swizzle-128x4");
}

TEST(Layout, NoneIsOfAFormatThatOnlySharesItsName) {
  EXPECT_EQ(layout_names(make_block_format("mxfp4", 16, "ue8m0")), "");
  EXPECT_EQ(layout_names(make_block_format("nvfp4", 16, "ue8m0")), "");
  EXPECT_NE(layout_names(make_block_format("nvfp4", 16, "ue4m3")), "");
}

}  // namespace
}  // namespace nibblecore
