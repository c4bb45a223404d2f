// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <systemc>

#include "model/common/error.hpp"

namespace nibblecore::hw {

/// The producer's side of a ready/valid channel. In one cycle: ask can_push() once, fill back(),
/// push() once.
template <class Payload>
class ReadyValidOut : public virtual sc_core::sc_interface {
 public:
  /// True where the channel takes an entry this cycle (ready).
  virtual bool can_push() = 0;
  /// The entry to fill, reused from earlier traffic: every field must be written.
  virtual Payload& back() = 0;
  /// Hands the entry over; the consumer sees it from the next cycle on.
  virtual void push() = 0;
};

/// The consumer's side: ask can_pop() once a cycle, read front(), pop() once.
template <class Payload>
class ReadyValidIn : public virtual sc_core::sc_interface {
 public:
  /// True where an entry waits (valid).
  virtual bool can_pop() const = 0;
  virtual const Payload& front() const = 0;
  /// Frees the entry; the producer sees the room from the next cycle on.
  virtual void pop() = 0;
  /// Drops all entries (reset).
  virtual void clear() = 0;
};

/// A ready/valid channel with registered ready and valid: two entries deep, so that both sides run
/// every cycle; one cycle of latency. What one side does shows to the other only in the next
/// cycle, whatever the order of the processes.
template <class Payload>
class ReadyValid final : public sc_core::sc_prim_channel,
                         public ReadyValidOut<Payload>,
                         public ReadyValidIn<Payload> {
 public:
  /// `prototype` gives every entry its shape (vectors are sized once).
  ReadyValid(const char* name, const Payload& prototype)
      : sc_core::sc_prim_channel(name), entries_(kDepth, prototype) {}

  bool can_push() override { return occupancy_ < kDepth && !withheld(); }

  Payload& back() override { return entries_[tail_]; }

  void push() override {
    require(!pushed_ && occupancy_ < kDepth, "push without room");
    pushed_ = true;
    request_update();
  }

  bool can_pop() const override { return occupancy_ > 0; }

  const Payload& front() const override { return entries_[head_]; }

  void pop() override {
    require(!popped_ && occupancy_ > 0, "pop without an entry");
    popped_ = true;
    request_update();
  }

  void clear() override {
    cleared_ = true;
    request_update();
  }

  /// Makes the channel refuse entries at random with this probability, from a seed: back-pressure
  /// for tests. Bits never depend on it.
  void throttle(uint32_t seed, double probability) {
    random_.seed(seed);
    refuse_ = std::bernoulli_distribution(probability);
  }

  /// Entries held; readable by traces.
  const uint32_t& occupancy() const { return occupancy_; }

 private:
  static constexpr uint32_t kDepth = 2;

  bool withheld() { return refuse_.p() > 0 && refuse_(random_); }

  void require(bool condition, const char* what) const {
    if (!condition) {
      throw InternalError(std::string(name()) + ": " + what);
    }
  }

  void update() override {
    if (cleared_) {
      occupancy_ = head_ = tail_ = 0;
    } else {
      occupancy_ += (pushed_ ? 1U : 0U);
      occupancy_ -= (popped_ ? 1U : 0U);
      tail_ = (tail_ + (pushed_ ? 1 : 0)) % kDepth;
      head_ = (head_ + (popped_ ? 1 : 0)) % kDepth;
    }
    pushed_ = popped_ = cleared_ = false;
  }

  std::vector<Payload> entries_;
  uint32_t occupancy_ = 0;
  uint32_t head_ = 0;
  uint32_t tail_ = 0;
  bool pushed_ = false;
  bool popped_ = false;
  bool cleared_ = false;
  std::minstd_rand random_;
  std::bernoulli_distribution refuse_{0.0};
};

}  // namespace nibblecore::hw
