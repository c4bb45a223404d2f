// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibblecore::tb {

enum class Verdict { kHolds, kHoldsInPart, kDoesNotHold };
std::string_view name_of(Verdict verdict);

/// What a figure has to do with its statement.
enum class FigureRole {
  kDecides,  ///< the statement is about such data
  kWidens,   ///< data that the statement may still be true of, where it fails on its own
  kContext,  ///< for the reader
};

/// A computed number.
struct Figure {
  std::string data;  ///< a law, or a trace and a group of its operands
  std::string name;  ///< what was computed of it
  double value;
  FigureRole role;
};

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// A published figure: what rounds to it.
Interval rounds_to(double published, double last_digit);

/// How several figures meet an interval.
enum class Quantifier {
  kEvery,  ///< each lies in it
  kRange,  ///< the range from the least to the largest has a point in common with it
};

/// One statement that figures can decide.
struct Statement {
  std::string text;
  std::string published;  ///< as its source gives it
  Interval holds_within;  ///< of the deciding figures
  std::optional<Interval> partly_within;
  Quantifier quantifier = Quantifier::kEvery;
  double tolerance = 0;  ///< widens both intervals on either side: the figures' sampling error
  std::vector<Figure> figures;
};

/// Holds: the deciding figures meet `holds_within`, widened by the tolerance. Holds in part: they
/// meet `partly_within` so, or one of them or of the widening figures lies in `holds_within`, or
/// (kRange) the range of both meets it. Else does not hold. InternalError without a deciding
/// figure; a NaN meets nothing.
Verdict verdict(const Statement& statement);

/// A numbered claim of a paper.
struct Claim {
  int number;
  std::string title;
  std::string source;
  std::vector<Statement> statements;
};

/// That of all its statements where they agree, else in part.
Verdict verdict(const Claim& claim);

}  // namespace nibblecore::tb
