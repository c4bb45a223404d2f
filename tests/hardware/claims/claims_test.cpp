// SPDX-License-Identifier: Apache-2.0
// Claims at a bounded size against independently computed figures of 2^21 values, with their
// standard deviations over seeds at that size.
#include "tb/claims/claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tb/claims/claims_report.hpp"

namespace nibblecore::tb {
namespace {

ClaimInputs small_inputs() {
  ClaimInputs inputs;
  inputs.values = int64_t{1} << 16;
  inputs.threads = 1;
  return inputs;
}

struct Expected {
  int claim;
  const char* figure;
  const char* data;
  double value;
  double deviation;
};

const std::vector<Expected>& expected_figures() {
  static const std::vector<Expected> all{
      {1, "scale / total", "gaussian", 1.738, .0023},
      {1, "grid / total", "gaussian", .728, .0015},
      {1, "dead zone / total", "gaussian", .0200, .0001},
      {1, "scale / total", "t40", 1.722, .0028},
      {1, "grid / total", "t40", .709, .0016},
      {1, "dead zone / total", "t40", .0216, .0001},
      {1, "scale / total", "t4", 1.517, .0025},
      {1, "dead zone / total", "t4", .0629, .0005},
      {2, "cosine", "gaussian", -.660, .0006},
      {2, "cosine", "t40", -.657, .0007},
      {4, "mean of s / s*", "gaussian", 1.4427, .001},
      {5, "|x| < m / 24", "gaussian", .0776, .0003},
      {5, "|x| < m / 24", "t12", .0893, .0003},
      {5, "Q = 0", "gaussian", .1116, .0003},
      {6, "best real scale / floor", "gaussian", .5737 / .7483, .0008},
      {6, "k = 4 rounded down / floor", "gaussian", .741 / .746, .0006},
      {6, "floor / k = 0 rounded up", "gaussian", .746, .001},
      {7, "total, k = 2 over k = 0", "gaussian", .932, .0015},
      {7, "total, k = 3 over k = 0", "t40", .796, .0013},
      {8, "static / plain", "gaussian", .867, .0007},
      {8, "dynamic / plain", "gaussian", .803, .0007},
      {8, "static / plain", "t4", .719, .0035},
      {8, "dynamic / plain", "t4", .704, .0025},
      {9, "dead zone recovered: error / plain", "gaussian", .981, .0002},
      {9, "dead zone recovered: error / plain", "t4", .939, .001},
      {9, "where Q = 0 recovered: error / plain", "gaussian", .935, .0004},
      {10, "error at 1 / plain", "gaussian", .0141, .00003},
      {10, "error at .5 / plain", "gaussian", .250, .0001},
      {12, "dB", "gaussian", .56, .0075},
      {12, "dB", "t4", .55, .015},
      {12, "maxima uniform in their octave", "gaussian, blocks of 32", .2224, .0015},
      {13, "HiF4 / sigma^2", "gaussian, 18 sigmas", .00689, .000005},
      {13, "NVFP4 / sigma^2", "gaussian, 18 sigmas", .00904, .000005},
      {13, "MXFP4 / sigma^2", "gaussian, 18 sigmas", .01300, .00001},
      {14, "mxfp4, 2:4: error / plain", "gaussian", .156, .0004},
      {14, "hif4, 2:4: error / plain", "gaussian", .201, .0003},
      {14, "mxfp4, 2:4: error / plain", "t4", .171, .0008},
      {14, "hif4, dense: error / plain", "gaussian", .0053, .00003},
      {15, "gain", "gaussian", .9906, .0002},
  };
  return all;
}

const Figure& find_figure(const std::vector<Claim>& claims, const Expected& expected) {
  for (const Claim& claim : claims) {
    for (const Statement& statement : claim.statements) {
      for (const Figure& figure : statement.figures) {
        if (claim.number == expected.claim && figure.name == expected.figure &&
            figure.data == expected.data) {
          return figure;
        }
      }
    }
  }
  throw std::runtime_error(std::string("no figure ") + expected.figure);
}

TEST(Claims, FiguresAreWithinTheirSamplingError) {
  const std::vector<Claim> claims = compute_claims(small_inputs(), claim_numbers());
  for (const Expected& expected : expected_figures()) {
    EXPECT_NEAR(find_figure(claims, expected).value, expected.value,
                sampling_tolerance(small_inputs(), expected.deviation))
        << expected.claim << ": " << expected.figure << ", " << expected.data;
  }
}

TEST(Claims, VerdictsFollow) {
  const std::map<int, Verdict> expected{
      {1, Verdict::kHolds},        {2, Verdict::kHolds},       {3, Verdict::kHolds},
      {4, Verdict::kHoldsInPart},  {5, Verdict::kHoldsInPart}, {6, Verdict::kDoesNotHold},
      {7, Verdict::kHolds},        {8, Verdict::kHoldsInPart}, {9, Verdict::kDoesNotHold},
      {10, Verdict::kDoesNotHold}, {11, Verdict::kHolds},      {12, Verdict::kHoldsInPart},
      {13, Verdict::kHolds},       {14, Verdict::kHolds},      {15, Verdict::kDoesNotHold},
      {16, Verdict::kHolds}};
  const std::vector<Claim> claims = compute_claims(small_inputs(), claim_numbers());
  ASSERT_EQ(claims.size(), expected.size());
  for (const Claim& claim : claims) {
    EXPECT_EQ(verdict(claim), expected.at(claim.number)) << claim.number;
  }
}

TEST(Claims, ResidualsCostWhatTheCycleModelSays) {
  const Claim cost = compute_claims(small_inputs(), {16}).front();
  // 4,387,940, 6,362,468 and 8,389,605 cycles against 16,777,216.
  EXPECT_EQ(cost.statements[0].figures[0].value, 16777216.0 / 4387940);
  EXPECT_EQ(cost.statements[1].figures[0].value, 16777216.0 / 6362468);
  EXPECT_EQ(cost.statements[2].figures[0].value, 16777216.0 / 8389605);
}

/// Shares of another reading of the same paper: the dead zone at the rounded scale, |x| <= s / 4,
/// and the scale error outside of it alone. It adds up too.
struct OtherReading {
  double scale = 0;
  double dead_zone = 0;
};

OtherReading other_reading(const ClaimInputs& inputs) {
  constexpr ScaleChoice kRceil{SweepScale::kRoundedUp, 0};
  constexpr ScaleChoice kIdeal{SweepScale::kUnlimited, 0};
  constexpr size_t kBlock = 32;
  constexpr std::array<double, 8> kMagnitudes{0, .5, 1, 1.5, 2, 3, 4, 6};
  constexpr std::array<double, 7> kLimits{.25, .75, 1.25, 1.75, 2.5, 3.5, 5};
  const auto round = [&](double x, double scale) {
    const auto code = std::lower_bound(kLimits.begin(), kLimits.end(), std::fabs(x) / scale);
    return std::copysign(kMagnitudes[static_cast<size_t>(code - kLimits.begin())] * scale, x);
  };
  const SyntheticTensor tensor = phased_tensor(inputs, find_law("gaussian"), kBlock);
  const std::vector<float> values = tensor.values(1);
  double total = 0;
  OtherReading sums;
  for (size_t begin = 0; begin < values.size(); begin += kBlock) {
    const float* const block = values.data() + begin;
    const double s = sweep_scale(block, kBlock, kRceil);
    const double ideal = sweep_scale(block, kBlock, kIdeal);
    const auto k = static_cast<size_t>(tensor.spec().k);
    const double weight = tensor.energy_weight(static_cast<int64_t>(begin / k),
                                               static_cast<int64_t>(begin % k / kBlock));
    for (size_t i = 0; i < kBlock; ++i) {
      const double x = block[i];
      total += weight * std::pow(round(x, s) - x, 2);
      if (std::fabs(x) <= s / 4) {
        sums.dead_zone += weight * x * x;
      } else {
        sums.scale += weight * std::pow(round(x, s) - round(x, ideal), 2);
      }
    }
  }
  return {sums.scale / total, sums.dead_zone / total};
}

TEST(Claims, AnotherReadingOfTheDecompositionIsToldApart) {
  ClaimInputs inputs = small_inputs();
  inputs.values = int64_t{1} << 17;
  const OtherReading other = other_reading(inputs);
  const double tolerance = sampling_tolerance(inputs, 0.0023);
  EXPECT_NEAR(other.scale, 1.634, tolerance);
  EXPECT_NEAR(other.dead_zone, 0.0669, tolerance);
  EXPECT_GT(std::fabs(other.scale - 1.738), tolerance);
  const Claim shares = compute_claims(inputs, {1}).front();
  const auto with_figure = [](Statement statement, double value) {
    statement.figures = {{"gaussian", "other reading", value, FigureRole::kDecides}};
    return verdict(statement);
  };
  EXPECT_EQ(with_figure(shares.statements[0], other.scale), Verdict::kDoesNotHold);
  EXPECT_EQ(with_figure(shares.statements[2], other.dead_zone), Verdict::kDoesNotHold);
}

TEST(Claims, ComputesTheClaimsAskedFor) {
  ClaimInputs inputs;
  inputs.values = 4096;
  const std::vector<Claim> claims = compute_claims(inputs, {16, 2, 15});
  ASSERT_EQ(claims.size(), 3);
  EXPECT_EQ(claims[0].number, 2);
  EXPECT_EQ(claims[1].number, 15);
  EXPECT_EQ(claims[2].number, 16);
  EXPECT_THROW(compute_claims(inputs, {17}), InputError);
  EXPECT_THROW(compute_claims(inputs, {0}), InputError);
}

// A trace's operands stand beside the laws in every claim on errors, and decide none but the one
// that is to hold for any data.
TEST(Claims, OperandsOfATraceAreContext) {
  const std::vector<float> values{1, -2, 3.5F, 0.1F};
  ClaimInputs inputs;
  inputs.values = 4096;
  inputs.groups = {{"trace weights", {row_major_view(values.data(), 1, 4)}}};
  for (const Claim& claim : compute_claims(inputs, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15})) {
    for (const Statement& statement : claim.statements) {
      const auto figure =
          std::find_if(statement.figures.begin(), statement.figures.end(),
                       [](const Figure& each) { return each.data == "trace weights"; });
      ASSERT_NE(figure, statement.figures.end()) << claim.number;
      EXPECT_EQ(figure->role, claim.number == 3 ? FigureRole::kDecides : FigureRole::kContext)
          << claim.number;
    }
  }
}

TEST(Claims, DoesNotDependOnThreads) {
  const auto json = [](int threads) {
    ClaimInputs inputs;
    inputs.values = 1 << 14;
    inputs.threads = threads;
    std::ostringstream out;
    write_claims_json(out, inputs, compute_claims(inputs, {1, 5, 6, 7, 8, 9, 13, 14}));
    return out.str();
  };
  EXPECT_EQ(json(1), json(3));
}

}  // namespace
}  // namespace nibblecore::tb
