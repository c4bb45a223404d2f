// SPDX-License-Identifier: Apache-2.0
#include "model/common/atomic_path.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

TEST(AtomicPath, PutsAFinishedFileInPlace) {
  const TemporaryFolder folder;
  AtomicPath path(folder.path() / "x", ".vcd");
  EXPECT_EQ(path.temporary().extension(), ".vcd");
  EXPECT_EQ(path.temporary().parent_path(), folder.path());
  std::ofstream(path.temporary()) << "text";
  path.commit();
  EXPECT_EQ(read_bytes(folder.path() / "x"), "text");
  EXPECT_THAT(folder.entries(), ElementsAre("x"));
}

TEST(AtomicPath, RemovesWhatWasNotCommitted) {
  const TemporaryFolder folder;
  {
    const AtomicPath path(folder.path() / "x");
    std::ofstream(path.temporary()) << "half";
  }
  EXPECT_TRUE(folder.entries().empty());
}

TEST(AtomicPath, CommitWithoutAFileIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THAT(input_error([&] { AtomicPath(folder.path() / "x").commit(); }),
              testing::HasSubstr((folder.path() / "x").string()));
}

}  // namespace
}  // namespace nibblecore
