// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore {

/// The real scale under which `count` finite values, not all zero, have the least squared error in
/// E2M1 (nearest even, saturating at 6), exact up to FP64 rounding.
///
/// Between two neighbouring scales |x_i| / t (t: a limit between two element magnitudes) no code
/// changes, and with codes q fixed the error is least at s = <x,q> / <q,q>, where it is
/// <x,x> - <x,q>^2 / <q,q>. Rounding to nearest never does worse than fixed codes, so the best of
/// these over all 7 * count + 1 sets of codes is the minimum over all scales.
double best_real_scale(const float* values, int count);

}  // namespace nibblecore
