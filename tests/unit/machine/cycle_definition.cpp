// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/machine/cycle_definition.hpp"

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nibblecore {
namespace {

int64_t whole_cycles(int64_t bytes, const Rate& rate) {
  int64_t cycles = 0;
  while (cycles * rate.bytes < bytes * rate.cycles) {
    ++cycles;
  }
  return cycles;
}

/// Things that happen at the start of a cycle, before any unit looks.
class Calendar {
 public:
  void at(int64_t cycle, std::function<void()> action) {
    actions_.emplace(cycle, std::move(action));
  }
  void start_cycle(int64_t cycle) {
    for (auto next = actions_.find(cycle); next != actions_.end(); next = actions_.find(cycle)) {
      next->second();
      actions_.erase(next);
    }
  }

 private:
  std::multimap<int64_t, std::function<void()>> actions_;
};

struct PortOperation {
  Operation operation;
  size_t trip;
  int64_t bytes;
};

/// What the units know of each other.
struct Tokens {
  int l1_a = 2;  // free halves
  int l1_b = 2;
  int l0_a = 2;
  int l0_b = 2;
  int l0_c = 2;
  // Of each trip.
  std::vector<bool> a_in_l1;
  std::vector<bool> b_in_l1;
  std::vector<bool> a_in_l0;
  std::vector<bool> b_in_l0;
  std::vector<bool> start_in_l0c;
  std::vector<bool> result_ready;  // of the region that ends with it
  bool all_stored = false;
};

class Definition {
 public:
  explicit Definition(const Program& program) : program_(program), machine_(program.machine()) {
    ChunkIndex index;
    do {
      trips_.push_back(program.body(index));
    } while (advance(program, index));
    list_port_operations();
    for (const ChunkBody& trip : trips_) {
      tokens_.a_in_l1.push_back(trip.load_a_bytes == 0);
      tokens_.b_in_l1.push_back(trip.load_b_bytes == 0);
      tokens_.start_in_l0c.push_back(trip.start_bytes == 0);
    }
    tokens_.a_in_l0.resize(trips_.size());
    tokens_.b_in_l0.resize(trips_.size());
    tokens_.result_ready.resize(trips_.size());
  }

  DefinedCycles run() {
    constexpr int64_t kNeverThatLong = 10'000'000;
    for (cycle_ = 0; cycle_ < kNeverThatLong; ++cycle_) {
      calendar_.start_cycle(cycle_);
      if (tokens_.all_stored) {
        result_.report.total = cycle_;
        return result_;
      }
      step_port();
      step_move(move_a_);
      step_move(move_b_);
      step_array();
    }
    throw std::runtime_error("the program never ends");
  }

 private:
  struct Move {
    Unit unit;
    size_t trip = 0;
    int64_t left = 0;
  };

  void list_port_operations() {
    std::vector<size_t> to_store;
    const auto store_up_to = [&](size_t last_trip) {
      while (!to_store.empty() && to_store.front() <= last_trip) {
        const size_t trip = to_store.front();
        to_store.erase(to_store.begin());
        port_operations_.push_back({Operation::kStore, trip, trips_[trip].store_bytes});
      }
    };
    for (size_t x = 0; x < trips_.size(); ++x) {
      if (trips_[x].load_a_bytes > 0) {
        port_operations_.push_back({Operation::kLoadA, x, trips_[x].load_a_bytes});
      }
      if (trips_[x].load_b_bytes > 0) {
        port_operations_.push_back({Operation::kLoadB, x, trips_[x].load_b_bytes});
      }
      if (x >= 2) {
        store_up_to(x - 2);
      }
      if (trips_[x].start_bytes > 0) {
        port_operations_.push_back({Operation::kStart, x, trips_[x].start_bytes});
      }
      if (trips_[x].last_of_region) {
        to_store.push_back(x);
      }
    }
    store_up_to(trips_.size());
  }

  UnitCycles& of(Unit unit) { return result_.report[unit]; }
  void count_stall(Unit unit, StallCause cause) { ++of(unit).stalls[static_cast<size_t>(cause)]; }
  void note(Operation operation, size_t trip, int64_t first, int64_t end) {
    result_.occupancies.push_back({operation, static_cast<int64_t>(trip), first, end});
  }

  // --- memory port

  std::optional<StallCause> take_for(const PortOperation& next) {
    const ChunkBody& trip = trips_[next.trip];
    const auto take = [](int& halves) -> std::optional<StallCause> {
      if (halves == 0) {
        return StallCause::kFullBuffer;
      }
      --halves;
      return std::nullopt;
    };
    switch (next.operation) {
      case Operation::kLoadA:
        return trip.load_a_takes ? take(tokens_.l1_a) : std::nullopt;
      case Operation::kLoadB:
        return trip.load_b_takes ? take(tokens_.l1_b) : std::nullopt;
      case Operation::kStart:
        return take(tokens_.l0_c);
      default:
        return tokens_.result_ready[next.trip] ? std::nullopt : std::optional(StallCause::kResult);
    }
  }

  void end_port_operation(const PortOperation& done, bool last) {
    note(done.operation, done.trip, port_began_, cycle_ + 1);
    if (done.operation == Operation::kStore) {
      result_.report.stored_bytes += done.bytes;
      calendar_.at(cycle_ + 1, [this] { ++tokens_.l0_c; });
    } else {
      result_.report.loaded_bytes += done.bytes;
    }
    const int64_t answer = cycle_ + 1 + machine_.memory_latency;
    calendar_.at(answer, [this, done, last] {
      switch (done.operation) {
        case Operation::kLoadA:
          tokens_.a_in_l1[done.trip] = true;
          break;
        case Operation::kLoadB:
          tokens_.b_in_l1[done.trip] = true;
          break;
        case Operation::kStart:
          tokens_.start_in_l0c[done.trip] = true;
          break;
        default:
          tokens_.all_stored = last;
      }
    });
  }

  void step_port() {
    if (port_next_ == port_operations_.size()) {
      ++of(Unit::kMemoryPort).idle;
      return;
    }
    const PortOperation& next = port_operations_[port_next_];
    if (port_left_ == 0) {
      if (const std::optional<StallCause> cause = take_for(next)) {
        count_stall(Unit::kMemoryPort, *cause);
        return;
      }
      port_left_ = whole_cycles(next.bytes, machine_.memory);
      port_began_ = cycle_;
    }
    ++of(Unit::kMemoryPort).busy;
    if (--port_left_ == 0) {
      ++port_next_;
      end_port_operation(next, port_next_ == port_operations_.size());
    }
  }

  // --- moves

  int64_t move_cycles(const Move& move) const {
    const ChunkBody& trip = trips_[move.trip];
    const bool a = move.unit == Unit::kMoveA;
    const Rate& rate = a ? machine_.l1_to_l0a : machine_.l1_to_l0b;
    const int64_t transfer = whole_cycles(a ? trip.move_a_bytes : trip.move_b_bytes, rate);
    const int64_t beats = a ? trip.quantize_a_beats : trip.quantize_b_beats;
    const int64_t quantizer = beats * program_.cycles_a_beat();
    const int64_t mask = a ? whole_cycles(trip.mask_bytes, rate) : 0;
    return mask + (transfer > quantizer ? transfer : quantizer);
  }

  int64_t move_latency(const Move& move) const {
    const bool a = move.unit == Unit::kMoveA;
    const OperandPath path = a ? program_.spec().a : program_.spec().b;
    int64_t latency = machine_.l1_latency;
    if (path != OperandPath::kPacked) {
      latency += machine_.quantizer_latency + 1;
      if (a && program_.spec().residual != ResidualPattern::kNone) {
        latency += machine_.residual_latency;
      }
    }
    return latency;
  }

  void end_move(const Move& move, int64_t began) {
    const ChunkBody& trip = trips_[move.trip];
    const bool a = move.unit == Unit::kMoveA;
    const size_t x = move.trip;
    note(a ? Operation::kMoveA : Operation::kMoveB, x, began, cycle_ + 1);
    result_.report.quantized_blocks += a ? trip.quantize_a_blocks : trip.quantize_b_blocks;
    if (a ? trip.move_a_frees : trip.move_b_frees) {
      calendar_.at(cycle_ + 1, [this, a] { ++(a ? tokens_.l1_a : tokens_.l1_b); });
    }
    calendar_.at(cycle_ + 1 + move_latency(move),
                 [this, a, x] { (a ? tokens_.a_in_l0 : tokens_.b_in_l0)[x] = true; });
  }

  void step_move(Move& move) {
    const bool a = move.unit == Unit::kMoveA;
    if (move.trip == trips_.size()) {
      ++of(move.unit).idle;
      return;
    }
    if (move.left == 0) {
      if (!(a ? tokens_.a_in_l1 : tokens_.b_in_l1)[move.trip]) {
        count_stall(move.unit, a ? StallCause::kOperandA : StallCause::kOperandB);
        return;
      }
      int& halves = a ? tokens_.l0_a : tokens_.l0_b;
      if (halves == 0) {
        count_stall(move.unit, StallCause::kFullBuffer);
        return;
      }
      --halves;
      move.left = move_cycles(move);
      (a ? move_a_began_ : move_b_began_) = cycle_;
    }
    ++of(move.unit).busy;
    if (--move.left == 0) {
      end_move(move, a ? move_a_began_ : move_b_began_);
      ++move.trip;
    }
  }

  // --- array

  /// The accumulators of the region's half: cycles until an addition on the tile is done.
  std::map<int64_t, int64_t>& additions() { return additions_[region_ % 2]; }

  std::optional<StallCause> chunk_waits_for() {
    const ChunkBody& trip = trips_[array_trip_];
    if (!tokens_.a_in_l0[array_trip_]) {
      return StallCause::kOperandA;
    }
    if (!tokens_.b_in_l0[array_trip_]) {
      return StallCause::kOperandB;
    }
    if (trip.first_of_region) {
      if (trip.start_bytes == 0 && tokens_.l0_c == 0) {
        return StallCause::kFullBuffer;
      }
      return tokens_.start_in_l0c[array_trip_] ? std::nullopt
                                               : std::optional(StallCause::kStartValues);
    }
    // With all steps of a tile in one go, the next chunk waits for the tile that came last.
    const bool tiles_inner = program_.tiling().step_order == StepOrder::kTilesInner;
    const int64_t tile = tiles_inner ? 0 : trip.tiles() - 1;
    return additions()[tile] == 0 ? std::nullopt : std::optional(StallCause::kAccumulate);
  }

  void end_chunk(const Pass& pass) {
    const size_t x = array_trip_;
    note(Operation::kIssue, x, array_began_, cycle_ + 1);
    calendar_.at(cycle_ + 2, [this] {
      ++tokens_.l0_a;
      ++tokens_.l0_b;
    });
    if (trips_[x].last_of_region) {
      const int64_t ready = cycle_ + 3 + program_.additions(pass) * machine_.accumulate_latency;
      calendar_.at(ready, [this, x] { tokens_.result_ready[x] = true; });
      ++region_;
    }
    passes_.clear();
    ++array_trip_;
  }

  void step_array() {
    for (auto& half : additions_) {
      for (auto& [tile, left] : half) {
        left -= left > 0 ? 1 : 0;
      }
    }
    if (array_trip_ == trips_.size()) {
      ++of(Unit::kArray).idle;
      return;
    }
    const ChunkBody& trip = trips_[array_trip_];
    if (passes_.empty()) {
      if (const std::optional<StallCause> cause = chunk_waits_for()) {
        count_stall(Unit::kArray, *cause);
        return;
      }
      if (trip.first_of_region && trip.start_bytes == 0) {
        --tokens_.l0_c;
      }
      passes_ = program_.passes(trip);
      pass_ = 0;
      tile_ = 0;
      array_began_ = cycle_;
    }
    if (additions()[tile_] > 0) {
      // On the first step of a region's chunk only if two regions met in one half of L0C.
      if (trip.first_of_region && pass_ == 0) {
        throw std::runtime_error("a half of L0C is in use twice");
      }
      count_stall(Unit::kArray, StallCause::kAccumulate);
      return;
    }
    const Pass pass = passes_[pass_];
    additions()[tile_] = program_.additions(pass) * machine_.accumulate_latency;
    ++of(Unit::kArray).busy;
    ++result_.report.steps[static_cast<size_t>(pass.kind)];
    next_step(trip, pass);
  }

  void next_step(const ChunkBody& trip, const Pass& pass) {
    if (program_.tiling().step_order == StepOrder::kTilesInner) {
      if (++tile_ == trip.tiles()) {
        tile_ = 0;
        ++pass_;
      }
      if (pass_ == passes_.size()) {
        end_chunk(pass);
      }
      return;
    }
    if (++pass_ == passes_.size()) {
      pass_ = 0;
      ++tile_;
    }
    if (tile_ == trip.tiles()) {
      end_chunk(pass);
    }
  }

  const Program& program_;
  const Machine& machine_;
  std::vector<ChunkBody> trips_;
  Calendar calendar_;
  Tokens tokens_;
  DefinedCycles result_;
  int64_t cycle_ = 0;

  std::vector<PortOperation> port_operations_;
  size_t port_next_ = 0;
  int64_t port_left_ = 0;
  int64_t port_began_ = 0;

  Move move_a_{Unit::kMoveA};
  Move move_b_{Unit::kMoveB};
  int64_t move_a_began_ = 0;
  int64_t move_b_began_ = 0;

  size_t array_trip_ = 0;
  size_t region_ = 0;
  std::vector<Pass> passes_;  // of the chunk at work
  size_t pass_ = 0;
  int64_t tile_ = 0;
  int64_t array_began_ = 0;
  std::array<std::map<int64_t, int64_t>, 2> additions_;
};

}  // namespace

DefinedCycles defined_cycles(const Program& program) { return Definition(program).run(); }

}  // namespace nibblecore
