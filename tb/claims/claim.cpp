// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

bool lies_within(double value, const Interval& interval, double tolerance) {
  return value >= interval.low - tolerance && value <= interval.high + tolerance;
}

std::vector<double> values_of(const Statement& statement, bool widened) {
  std::vector<double> values;
  for (const Figure& figure : statement.figures) {
    if (figure.role == FigureRole::kDecides || (widened && figure.role == FigureRole::kWidens)) {
      values.push_back(figure.value);
    }
  }
  return values;
}

bool meets(const std::vector<double>& values, const Interval& interval,
           const Statement& statement) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
    return false;
  }
  if (statement.quantifier == Quantifier::kEvery) {
    return std::all_of(values.begin(), values.end(), [&](double value) {
      return lies_within(value, interval, statement.tolerance);
    });
  }
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  return *largest >= interval.low - statement.tolerance &&
         *least <= interval.high + statement.tolerance;
}

bool some_lie_within(const std::vector<double>& values, const Statement& statement) {
  return std::any_of(values.begin(), values.end(), [&](double value) {
    return lies_within(value, statement.holds_within, statement.tolerance);
  });
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kHoldsInPart:
      return "holds in part";
    case Verdict::kDoesNotHold:
      return "does not hold";
  }
  throw InternalError("unknown verdict");
}

Interval rounds_to(double published, double last_digit) {
  return {published - last_digit / 2, published + last_digit / 2};
}

Verdict verdict(const Statement& statement) {
  const std::vector<double> deciding = values_of(statement, false);
  if (deciding.empty()) {
    throw InternalError("a statement without a figure to decide it: " + statement.text);
  }
  if (meets(deciding, statement.holds_within, statement)) {
    return Verdict::kHolds;
  }
  const std::vector<double> widened = values_of(statement, true);
  const bool partly =
      (statement.partly_within && meets(deciding, *statement.partly_within, statement)) ||
      some_lie_within(widened, statement) ||
      (statement.quantifier == Quantifier::kRange &&
       meets(widened, statement.holds_within, statement));
  return partly ? Verdict::kHoldsInPart : Verdict::kDoesNotHold;
}

Verdict verdict(const Claim& claim) {
  if (claim.statements.empty()) {
    throw InternalError("a claim without statements: " + claim.title);
  }
  const Verdict first = verdict(claim.statements.front());
  const bool agree = std::all_of(claim.statements.begin(), claim.statements.end(),
                                 [&](const Statement& each) { return verdict(each) == first; });
  return agree ? first : Verdict::kHoldsInPart;
}

}  // namespace nibblecore::tb
