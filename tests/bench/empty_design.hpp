// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "hw/channel/ready_valid.hpp"
#include "hw/units/clocked_unit.hpp"

namespace nibblecore::bench {

/// A unit that does nothing but take an entry from all of its inputs and hand one on to all of its
/// outputs.
class EmptyUnit final : public hw::ClockedUnit {
 public:
  sc_core::sc_vector<sc_core::sc_port<hw::ReadyValidIn<int>>> inputs;
  sc_core::sc_vector<sc_core::sc_port<hw::ReadyValidOut<int>>> outputs;

  EmptyUnit(const sc_core::sc_module_name& name, size_t input_count, size_t output_count)
      : ClockedUnit(name), inputs("input", input_count), outputs("output", output_count) {}

 private:
  void tick() override;
  void reset() override {}
};

/// The core without its work: as many processes and channels, connected alike, with a clock. What
/// it runs a second is the SystemC kernel's own limit.
class EmptyDesign final : public sc_core::sc_module {
 public:
  explicit EmptyDesign(const sc_core::sc_module_name& name);

  static void run(int64_t cycles);

 private:
  /// A unit of its own, its inputs the listed channels and its outputs those that follow.
  void add_unit(const char* name, const std::vector<size_t>& inputs,
                const std::vector<size_t>& outputs);

  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> reset_n_;
  std::vector<std::unique_ptr<hw::ReadyValid<int>>> channels_;
  std::vector<std::unique_ptr<EmptyUnit>> units_;
};

}  // namespace nibblecore::bench
