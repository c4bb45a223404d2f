// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_node.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(ExecutionNode, BothLayoutsSayTheSame) {
  for (
      const char* const text :
      {R"({"id":8,"name":"n","parent":3,"scope":7,"seq_id":5,"tid":2,"fw_tid":1,)"
       R"("inputs":[[1]],"input_shapes":[[2]],"input_strides":[[3]]})",
       R"({"id":8,"name":"n","ctrl_deps":3,"inputs":{"values":[[1]],"shapes":[[2]],"strides":[[3]]},)"
       R"("attrs":[{"name":"tid","value":2},{"name":"fw_tid","value":1},7,{"name":9},)"
       R"({"name":"scope","value":7},{"name":"seq_id","value":5}]})"}) {
    const boost::json::value value = boost::json::parse(text);
    const ExecutionNode node = read_execution_node(value, "f");
    EXPECT_EQ(node.name, "n");
    EXPECT_EQ(node.id, 8);
    EXPECT_EQ(node.parent, 3);
    const ExecutionDetails details = read_execution_details(value);
    EXPECT_TRUE(details.annotation);
    EXPECT_EQ(details.sequence, 5);
    EXPECT_EQ(details.thread, 2);
    EXPECT_EQ(details.forward_thread, 1);
    ASSERT_NE(details.values, nullptr);
    ASSERT_NE(details.shapes, nullptr);
    ASSERT_NE(details.strides, nullptr);
    EXPECT_EQ(*details.values, boost::json::parse("[[1]]"));
    EXPECT_EQ(*details.shapes, boost::json::parse("[[2]]"));
    EXPECT_EQ(*details.strides, boost::json::parse("[[3]]"));
  }
}

TEST(ExecutionNode, NoParentMeansRoot) {
  EXPECT_EQ(read_execution_node(boost::json::parse(R"({"id":8,"name":""})"), "f").parent, 8);
}

TEST(ExecutionNode, OperandIdentities) {
  const GemmOperator& addmm = *find_gemm_operator("aten::addmm");
  const auto identities = [&](const char* text) {
    const boost::json::value value = boost::json::parse(text);
    return operand_identities(addmm, &value);
  };
  const auto both = identities(R"(["<None>",[1,2,3,4,4,"cpu"],[5,6,7,8,4,"cuda:0"],1,1])");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->front(), TensorIdentity(2, 3, 4));
  EXPECT_EQ(both->back(), TensorIdentity(6, 7, 8));
  for (const char* const text : {"[1,[1,2,3,4],\"<unk>\"]", "[1,[1,2,3],[1,2,3,4]]", "{}",
                                 "[1,[1,2,3,4]]", "[1,[1,2,3,4],[1,\"2\",3,4]]"}) {
    EXPECT_EQ(identities(text), std::nullopt) << text;
  }
  EXPECT_EQ(operand_identities(addmm, nullptr), std::nullopt);
}

}  // namespace
}  // namespace nibblecore
