// SPDX-License-Identifier: Apache-2.0
#include "model/fill/fill.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Fill, OneLawIsForAllTensors) {
  const Fill fill = parse_fill("t4:0.02");
  for (const TensorFill& tensor : fill.tensors) {
    EXPECT_EQ(tensor.law.name, "t4");
    EXPECT_EQ(tensor.scale, 0.02);
    EXPECT_EQ(tensor.outlier_rate, 0);
  }
  EXPECT_EQ(fill.type, ValueType::kBf16);
}

TEST(Fill, ListsNameTheirTensorsInAnyOrder) {
  const Fill fill = parse_fill("dy=t2:1e-3,x=laplace");
  EXPECT_EQ(fill.of(LayerTensor::kX).law.name, "laplace");
  EXPECT_EQ(fill.of(LayerTensor::kX).scale, 1);
  EXPECT_EQ(fill.of(LayerTensor::kW).law.name, "gaussian");
  EXPECT_EQ(fill.of(LayerTensor::kDy).law.name, "t2");
  EXPECT_EQ(fill.of(LayerTensor::kDy).scale, 1e-3);
}

TEST(Fill, OutliersAreThoseOfXUnlessNamed) {
  Fill fill = parse_fill("gaussian");
  parse_outliers("0.001:64", fill);
  EXPECT_EQ(fill.of(LayerTensor::kX).outlier_rate, 0.001);
  EXPECT_EQ(fill.of(LayerTensor::kX).outlier_factor, 64);
  EXPECT_EQ(fill.of(LayerTensor::kW).outlier_rate, 0);
  EXPECT_EQ(fill.of(LayerTensor::kDy).outlier_rate, 0);

  parse_outliers("w=1:-2,dy=0:8", fill);
  EXPECT_EQ(fill.of(LayerTensor::kX).outlier_rate, 0.001);
  EXPECT_EQ(fill.of(LayerTensor::kW).outlier_rate, 1);
  EXPECT_EQ(fill.of(LayerTensor::kW).outlier_factor, -2);
  EXPECT_EQ(fill.of(LayerTensor::kDy).outlier_factor, 8);
}

TEST(Fill, NamesItsTypes) {
  for (const ValueType type : {ValueType::kF32, ValueType::kBf16}) {
    EXPECT_EQ(parse_fill_type(fill_type_name(type)), type);
  }
  EXPECT_EQ(fill_type_name(ValueType::kF32), "f32");
  EXPECT_THAT(input_error([] { parse_fill_type("f16"); }),
              AllOf(HasSubstr("--fill-type"), HasSubstr("'f16'"), HasSubstr("bf16, f32")));
}

struct Refusal {
  const char* text;
  const char* reason;
};

class RefusedLaws : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedLaws, AreNamed) {
  EXPECT_THAT(input_error([] { parse_fill(GetParam().text); }),
              AllOf(HasSubstr("--fill:"), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Laws, RefusedLaws,
    testing::Values(Refusal{"", "unknown name ''"}, Refusal{"cauchy", "known: gaussian, t40"},
                    Refusal{"t4:", "'' is not a finite number"},
                    Refusal{"t4:2x", "'2x' is not a finite number"},
                    Refusal{"t4:inf", "'inf' is not a finite number"},
                    Refusal{"t4:1e999", "'1e999' is not a finite number"},
                    Refusal{"t4:0", "'0' is not positive"},
                    Refusal{"t4:-1", "'-1' is not positive"}, Refusal{"z=t4", "unknown tensor 'z'"},
                    Refusal{"x=t4,t8", "unknown tensor 't8'"}, Refusal{"x=t4,w", "unknown name ''"},
                    Refusal{"x=t4,x=t8", "'x' is given twice"}));

class RefusedOutliers : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOutliers, AreNamed) {
  Fill fill;
  EXPECT_THAT(input_error([&] { parse_outliers(GetParam().text, fill); }),
              AllOf(HasSubstr("--fill-outliers:"), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(Outliers, RefusedOutliers,
                         testing::Values(Refusal{"0.1", "'0.1' is not RATE:FACTOR"},
                                         Refusal{"1.5:8", "'1.5' is not within 0 to 1"},
                                         Refusal{"-0.1:8", "'-0.1' is not within 0 to 1"},
                                         Refusal{"nan:8", "'nan' is not a finite number"},
                                         Refusal{"0.1:inf", "'inf' is not a finite number"},
                                         Refusal{"0.1:", "'' is not a finite number"},
                                         Refusal{"0.1:8:8", "'8:8' is not a finite number"},
                                         Refusal{"v=0.1:8", "unknown tensor 'v'"},
                                         Refusal{"w=0.1:8,w=0.1:8", "'w' is given twice"}));

}  // namespace
}  // namespace nibblecore
