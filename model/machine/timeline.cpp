// SPDX-License-Identifier: Apache-2.0
#include "model/machine/timeline.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a GEMM";
// From the issue of a chunk's last step until L0 may be filled again.
constexpr int64_t kIssueToFreeHalf = 2;

}  // namespace

Timeline::Timeline(const Program& program)
    : memory_latency_(program.machine().memory_latency),
      move_a_latency_(move_a_latency(program)),
      move_b_latency_(move_b_latency(program)),
      starts_from_memory_(program.spec().start == Start::kFromMemory) {}

void Timeline::wait(int64_t& free, Unit unit, StallCause cause, int64_t until) {
  if (until > free) {
    stalls_[static_cast<size_t>(unit)][static_cast<size_t>(cause)] += until - free;
    free = until;
  }
}

void Timeline::store(const PendingStore& pending) {
  if (pending.duration == 0) {
    return;
  }
  wait(port_free_, Unit::kMemoryPort, StallCause::kResult, pending.ready);
  port_free_ += pending.duration;
  l0_c_.release(port_free_);
}

Timeline::Inputs Timeline::load(const ChunkBody& body, const TripCost& cost) {
  // Data that lies in L1 or L0C already is there for every trip that comes.
  constexpr int64_t kThereAlready = 0;
  const auto transfer = [&](int64_t duration, DoubleBuffer* taken) {
    if (duration == 0) {
      return kThereAlready;
    }
    if (taken != nullptr) {
      wait(port_free_, Unit::kMemoryPort, StallCause::kFullBuffer, taken->take());
    }
    port_free_ += duration;
    return port_free_ + memory_latency_;
  };
  Inputs loaded;
  loaded.a = transfer(cost.load_a, body.load_a_takes ? &l1_a_ : nullptr);
  loaded.b = transfer(cost.load_b, body.load_b_takes ? &l1_b_ : nullptr);
  store(ended_before_);
  loaded.start = transfer(cost.start, &l0_c_);
  return loaded;
}

Timeline::Inputs Timeline::move(const ChunkBody& body, const TripCost& cost, const Inputs& loaded) {
  Inputs moved = loaded;
  wait(move_a_free_, Unit::kMoveA, StallCause::kOperandA, loaded.a);
  wait(move_a_free_, Unit::kMoveA, StallCause::kFullBuffer, l0_a_.take());
  move_a_free_ += cost.move_a;
  moved.a = move_a_free_ + move_a_latency_;
  if (body.move_a_frees) {
    l1_a_.release(move_a_free_);
  }
  wait(move_b_free_, Unit::kMoveB, StallCause::kOperandB, loaded.b);
  wait(move_b_free_, Unit::kMoveB, StallCause::kFullBuffer, l0_b_.take());
  move_b_free_ += cost.move_b;
  moved.b = move_b_free_ + move_b_latency_;
  if (body.move_b_frees) {
    l1_b_.release(move_b_free_);
  }
  return moved;
}

void Timeline::multiply(const ChunkBody& body, const StepTimes& steps, const Inputs& moved) {
  wait(array_free_, Unit::kArray, StallCause::kOperandA, moved.a);
  wait(array_free_, Unit::kArray, StallCause::kOperandB, moved.b);
  if (body.first_of_region) {
    if (!starts_from_memory_) {
      wait(array_free_, Unit::kArray, StallCause::kFullBuffer, l0_c_.take());
    }
    wait(array_free_, Unit::kArray, StallCause::kStartValues, moved.start);
  } else {
    wait(array_free_, Unit::kArray, StallCause::kAccumulate, accumulators_free_);
  }
  const int64_t issue = array_free_;
  const int64_t last_issue = issue + steps.last_issue;
  stalls_[static_cast<size_t>(Unit::kArray)][static_cast<size_t>(StallCause::kAccumulate)] +=
      steps.accumulate_stall;
  array_free_ = last_issue + 1;
  accumulators_free_ = issue + steps.accumulators_free;
  l0_a_.release(last_issue + kIssueToFreeHalf);
  l0_b_.release(last_issue + kIssueToFreeHalf);
}

void Timeline::run(const ChunkBody& body, const TripCost& cost) {
  require_room(cost.longest);
  multiply(body, cost.steps, move(body, cost, load(body, cost)));
  ended_before_ = ended_last_;
  ended_last_ = {};
  if (body.last_of_region) {
    ended_last_ = {array_free_ - 1 - cost.steps.last_issue + cost.steps.result, cost.store};
  }
}

void Timeline::finish() {
  require_room(checked_add(checked_add(ended_before_.duration, ended_last_.duration, kPlace),
                           memory_latency_, kPlace));
  store(ended_before_);
  store(ended_last_);
  ended_before_ = {};
  ended_last_ = {};
}

void Timeline::require_room(int64_t cycles) const {
  const int64_t latest = std::max({port_free_, move_a_free_, move_b_free_, array_free_,
                                   accumulators_free_, ended_last_.ready, ended_before_.ready});
  if (latest > std::numeric_limits<int64_t>::max() - cycles) {
    throw InputError(std::string(kPlace), "they leave 64 bits");
  }
}

int64_t Timeline::end(Unit unit) const {
  switch (unit) {
    case Unit::kMemoryPort:
      return port_free_;
    case Unit::kMoveA:
      return move_a_free_;
    case Unit::kMoveB:
      return move_b_free_;
    case Unit::kArray:
      return array_free_;
  }
  throw InternalError("an unknown unit");
}

// What the rest depends on: a time that the unit waiting for it has passed already is as good as
// the time at which that unit is free.
Timeline::Course Timeline::course() const {
  Course course{};
  size_t next = 0;
  const auto put = [&](int64_t value) { course[next++] = value; };
  const auto put_time = [&](int64_t time, int64_t waiting_free) {
    put(std::max(time, waiting_free) - array_free_);
  };
  const auto put_buffer = [&](const DoubleBuffer& buffer, int64_t waiting_free) {
    put(buffer.free_halves());
    for (int half = 0; half < 2; ++half) {
      put_time(half < buffer.free_halves() ? buffer.freed(half) : 0, waiting_free);
    }
  };
  put(port_free_ - array_free_);
  put(move_a_free_ - array_free_);
  put(move_b_free_ - array_free_);
  put_time(accumulators_free_, array_free_);
  for (const PendingStore& pending : {ended_before_, ended_last_}) {
    put(pending.duration);
    put_time(pending.ready, port_free_);
  }
  put_buffer(l1_a_, port_free_);
  put_buffer(l1_b_, port_free_);
  put_buffer(l0_a_, move_a_free_);
  put_buffer(l0_b_, move_b_free_);
  put_buffer(l0_c_, starts_from_memory_ ? port_free_ : array_free_);
  return course;
}

bool Timeline::continues_like(const Timeline& earlier) const {
  // The first differs most of the time, and is cheap.
  return port_free_ - array_free_ == earlier.port_free_ - earlier.array_free_ &&
         course() == earlier.course();
}

void Timeline::add_periods(const Timeline& earlier, int64_t periods) {
  const int64_t shift = checked_multiply(array_free_ - earlier.array_free_, periods, kPlace);
  require_room(checked_add(shift, kIssueToFreeHalf, kPlace));
  for (int64_t* time : {&port_free_, &move_a_free_, &move_b_free_, &array_free_,
                        &accumulators_free_, &ended_last_.ready, &ended_before_.ready}) {
    *time += shift;
  }
  for (DoubleBuffer* buffer : {&l1_a_, &l1_b_, &l0_a_, &l0_b_, &l0_c_}) {
    buffer->shift(shift);
  }
  // No stall passes the time that it is part of.
  for (size_t unit = 0; unit < stalls_.size(); ++unit) {
    for (size_t cause = 0; cause < stalls_[unit].size(); ++cause) {
      stalls_[unit][cause] += (stalls_[unit][cause] - earlier.stalls_[unit][cause]) * periods;
    }
  }
}

}  // namespace nibblecore
