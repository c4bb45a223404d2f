// SPDX-License-Identifier: Apache-2.0
#include "model/import/profile_records.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/common/error.hpp"
#include "model/import/layer_names.hpp"
#include "model/import/link_backward.hpp"
#include "model/import/merge_records.hpp"
#include "model/import/unquantized_layers.hpp"

namespace nibblecore {
namespace {

constexpr const char* kRecompute = ".recompute";
constexpr const char* kUnknownPhase = "unknown";

void require_gemms(const ReadProfile& profile, const std::string& name, const std::string& hint) {
  if (!profile.gemms.empty()) {
    return;
  }
  const auto& skipped = profile.counts.skipped;
  const auto without_shapes = skipped.find(SkipReason::kNoShapes);
  if (without_shapes != skipped.end()) {
    throw InputError(name,
                     "recorded without record_shapes: " + std::to_string(without_shapes->second) +
                         " GEMM operators, none with its shapes; record again with "
                         "record_shapes=True");
  }
  std::string reasons;
  for (const auto& [reason, count] : skipped) {
    reasons += "; skipped " + std::to_string(count) + ": " + std::string(text_of(reason));
  }
  throw InputError(name, "holds no GEMM operator that can be taken" + reasons + hint);
}

std::string phase_of(const ProfiledGemm& gemm, const ImportOptions& options) {
  const bool trains = gemm.pass != Pass::kForward || gemm.has_backward;
  std::string phase = gemm.phase;
  if (options.phase) {
    phase = *options.phase;
  } else if (phase.empty()) {
    phase = trains ? "train" : kUnknownPhase;
  }
  const bool says_so = phase.size() > 10 && phase.rfind(kRecompute) == phase.size() - 10;
  return gemm.pass == Pass::kRecompute && !says_so ? phase + kRecompute : phase;
}

// What a backward GEMM runs under on the engine's own thread is what its forward ran under.
void inherit_context(std::vector<ProfiledGemm>& gemms) {
  for (ProfiledGemm& gemm : gemms) {
    if (gemm.forward) {
      const ProfiledGemm& forward = gemms[*gemm.forward];
      gemm.phase = gemm.phase.empty() ? forward.phase : gemm.phase;
      gemm.step = gemm.step ? gemm.step : forward.step;
      gemm.weights_by_inputs = forward.weights_by_inputs;
    }
  }
}

Transpose transpose(Storage storage, bool usual) {
  if (storage == Storage::kUnknown) {
    return usual ? Transpose::kYes : Transpose::kNo;
  }
  return storage == Storage::kTransposed ? Transpose::kYes : Transpose::kNo;
}

GemmRecord record_of(const ProfiledGemm& gemm) {
  GemmRecord record;
  record.layer = gemm.layer;
  record.kind = gemm.kind;
  record.m = gemm.shape.m;
  record.n = gemm.shape.n;
  record.k = gemm.shape.k;
  record.batch = gemm.shape.batch;
  record.step = gemm.step;
  // Unless strides tell: B of a batched product and weights [in, out] are rows in fprop, weights
  // [out, in] in dgrad.
  const bool as_stored = gemm.gemm->rank == 3 || gemm.weights_by_inputs;
  const bool usual_b = gemm.kind == (as_stored ? GemmKind::kDgrad : GemmKind::kFprop);
  record.transpose_a = transpose(gemm.storage.front(), gemm.kind == GemmKind::kWgrad);
  record.transpose_b = transpose(gemm.storage.back(), usual_b);
  return record;
}

}  // namespace

ImportedTrace profile_records(ReadProfile profile, const std::string& name,
                              const ImportOptions& options, const std::string& hint) {
  const UnquantizedLayers unquantized(options);
  require_gemms(profile, name, hint);
  std::vector<ProfiledGemm>& gemms = profile.gemms;
  std::stable_sort(gemms.begin(), gemms.end(),
                   [](const auto& left, const auto& right) { return left.order < right.order; });
  ImportedTrace trace;
  trace.counts = std::move(profile.counts);
  link_backward(gemms, trace.counts);
  inherit_context(gemms);
  for (ProfiledGemm& gemm : gemms) {
    gemm.phase = phase_of(gemm, options);
  }
  name_layers(gemms);
  std::vector<GemmRecord> records;
  records.reserve(gemms.size());
  for (const ProfiledGemm& gemm : gemms) {
    GemmRecord record = record_of(gemm);
    record.phase = gemm.phase;
    record.rank = profile.rank;
    record.quantize = gemm.gemm->rank == 2 && !unquantized.have(record);
    if (options.merge == Merge::kShape) {
      record.layer = gemm.forward ? gemms[*gemm.forward].base : gemm.base;
    }
    ++trace.counts.taken;
    ++trace.counts.by_operator[std::string(gemm.gemm->short_name)];
    ++trace.counts.by_kind[record.kind];
    ++trace.counts.by_phase[record.phase];
    records.push_back(std::move(record));
  }
  trace.records = merge_records(std::move(records), options.merge);
  return trace;
}

}  // namespace nibblecore
