// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// What a choice costs and gives; one without a figure takes no part.
struct Tradeoff {
  std::optional<double> cost;
  std::optional<double> gain;
};

/// Whether `other` costs no more and gives no less, and one of both strictly.
bool dominates(const Tradeoff& other, const Tradeoff& one);

/// Marks the rows that no other dominates in SNR against cost. A row with cycles is held to the
/// rows with cycles, in cycles; one without (a file of tensors, what the core can't do) to all
/// rows, in bits per value.
void mark_pareto(std::vector<SweepRow>& rows);

}  // namespace nibblecore::tb
