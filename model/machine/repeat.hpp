// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Applies `step` to `state` `times` times and gets exactly the same state in fewer applications
/// where it becomes periodic. State is copyable and has
///   bool continues_like(const State& earlier)  same future, but for a shift in time;
///   void add_periods(const State& earlier, int64_t periods)
///                                              what `periods` times the way from there would add.
/// The state is compared with one mark that moves on after 1, 2, 4, .. steps (R. P. Brent, An
/// improved Monte Carlo factorization algorithm, 1980): that finds a period of any length, at most
/// at twice the place where it begins to hold plus one period.
template <class State, class Step>
void repeat(State& state, int64_t times, const Step& step) {
  State mark = state;
  int64_t since_mark = 0;
  int64_t window = 1;
  while (times > 0) {
    step(state);
    --times;
    ++since_mark;
    // A last odd period is not worth a look.
    if (times >= since_mark && state.continues_like(mark)) {
      state.add_periods(mark, times / since_mark);
      times %= since_mark;
      for (; times > 0; --times) {
        step(state);
      }
      return;
    }
    if (since_mark == window && times > 1) {
      mark = state;
      since_mark = 0;
      window *= 2;
    }
  }
}

}  // namespace nibblecore
