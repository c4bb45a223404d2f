// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/common/name_pattern.hpp"
#include "model/machine/confidence.hpp"
#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Which GEMMs get a treatment; what is not set matches all.
struct SchemeRule {
  std::string phase;  ///< prefix
  std::optional<GemmKind> kind;
  std::string layer;  ///< regular expression, found anywhere in the name
  std::optional<NamePattern> layer_pattern;
  GemmTreatment treatment;

  bool matches(const GemmRecord& record) const;
};

/// What each operand of fprop, dgrad and wgrad gets in each phase (docs/schemes.md). Operand A is X
/// of fprop, dY of dgrad, dY^T of wgrad; B is W, W and X.
struct Scheme {
  std::string name;
  std::string description;
  std::string source;
  Confidence confidence = Confidence::kAssumed;
  std::vector<std::string> notes;
  std::vector<SchemeRule> rules;
  std::string text;  ///< of its file

  /// The treatment of the first rule that matches; a GEMM that none matches stays unquantized.
  const GemmTreatment& treatment(const GemmRecord& record) const;
};

/// Reads a scheme file's text. InputError naming `place`, the offset or field, and the reason.
Scheme parse_scheme(std::string_view text, const std::string& place);

/// The schemes that come with the program.
const std::vector<Scheme>& built_in_schemes();

/// The built-in scheme of this name, else the scheme file at this path; InputError naming the
/// built-in ones where it is neither.
Scheme load_scheme(std::string_view name_or_path);

}  // namespace nibblecore
