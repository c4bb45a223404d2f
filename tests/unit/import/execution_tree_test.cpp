// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_tree.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ExecutionTree, MarksOfAncestorsNearestFirst) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  ExecutionTree tree;
  tree.add(kLargest, 9);
  tree.add(9, 4, 90);
  tree.add(4, 2);
  tree.add(2, 1, 20);
  tree.add(1, 1, 10);
  tree.close("f");
  EXPECT_THAT(tree.marks_above(kLargest, "f"), ElementsAre(90, 20, 10));
  EXPECT_THAT(tree.marks_above(9, "f"), ElementsAre(20, 10));
  EXPECT_THAT(tree.marks_above(1, "f"), IsEmpty());
}

TEST(ExecutionTree, AMissingParentIsARoot) {
  ExecutionTree tree;
  tree.add(5, 4, 50);
  tree.add(6, 5);
  tree.close("f");
  EXPECT_THAT(tree.marks_above(6, "f"), ElementsAre(50));
}

TEST(ExecutionTree, CirclesAreRefused) {
  ExecutionTree tree;
  tree.add(5, 6);
  tree.add(6, 5);
  tree.close("f");
  EXPECT_THAT(input_error([&] { tree.marks_above(5, "f"); }),
              HasSubstr("f, node 5, field \"parent\": has more than 1000 ancestors"));
}

TEST(ExecutionTree, DeepButFinite) {
  ExecutionTree tree;
  for (int64_t id = 1; id <= 1001; ++id) {
    tree.add(id, id == 1 ? 1 : id - 1, 7);
  }
  tree.close("f");
  EXPECT_EQ(tree.marks_above(1001, "f").size(), 1000U);
}

TEST(ExecutionTree, IdsOccurOnce) {
  ExecutionTree tree;
  tree.add(5, 1);
  tree.add(6, 1);
  tree.add(5, 1);
  EXPECT_EQ(input_error([&] { tree.close("f"); }), "f, field \"id\": 5 occurs twice");
}

}  // namespace
}  // namespace nibblecore
