// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/decomposition.hpp"
#include "model/analysis/signal_to_noise.hpp"
#include "model/quantize/operand_statistics.hpp"
#include "tb/sweep/grid.hpp"
#include "tb/sweep/storage.hpp"

namespace nibblecore::tb {

/// What a sweep read.
enum class SweepInputKind { kTrace, kTensors };

/// Figures of one grid point over a part of the input: its GEMMs or its tensors.
struct SweepPart {
  std::string name;
  int64_t items = 0;              ///< GEMMs that are multiplied, calls counted; or tensors
  SignalToNoise noise;            ///< of a trace's outputs, or of the values themselves
  Agreement agreement;            ///< of the same
  OperandStatistics a;            ///< of a trace's A, or of the tensors
  OperandStatistics b;            ///< of a trace's B
  std::optional<int64_t> cycles;  ///< of a trace on the machine
  std::optional<Decomposition> decomposition;  ///< of tensors that are quantized and no more

  /// Energy of the error over that of the reference; nothing without one.
  std::optional<double> relative_error() const;
};

/// One grid point's figures.
struct SweepRow {
  GridPoint point;
  SweepPart total;
  std::vector<SweepPart> parts;  ///< rollout, logprob and train, or layer kinds; as they appear
  Storage storage;               ///< of tensors: A alone
  std::string cycles_note;       ///< why a trace's row has no cycles
  bool is_pareto = false;
};

/// A combination that is none, and why.
struct SkippedPoint {
  GridPoint point;
  std::string reason;
};

struct SweepResult {
  SweepInputKind kind = SweepInputKind::kTrace;
  std::vector<SweepRow> rows;
  std::vector<SkippedPoint> skipped;
};

/// The part of this name, added at the end where there is none.
SweepPart& part_of(std::vector<SweepPart>& parts, const std::string& name);

}  // namespace nibblecore::tb
