// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/empty_design.hpp"

#include <string>

namespace nibblecore::bench {

void EmptyUnit::tick() {
  bool runs = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    runs = inputs[i]->can_pop() && runs;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    runs = outputs[i]->can_push() && runs;
  }
  if (!runs) {
    return;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i]->back() = 0;
    outputs[i]->push();
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i]->pop();
  }
}

EmptyDesign::EmptyDesign(const sc_core::sc_module_name& name)
    : sc_core::sc_module(name), clock_("clock", 1, sc_core::SC_NS), reset_n_("reset_n", true) {
  for (size_t i = 0; i < 9; ++i) {
    channels_.push_back(
        std::make_unique<hw::ReadyValid<int>>(("channel" + std::to_string(i)).c_str(), 0));
  }
  add_unit("core", {}, {});
  add_unit("sequencer", {}, {0, 1});
  add_unit("a_buffer", {0}, {2, 3});
  add_unit("b_buffer", {1}, {4, 5});
  add_unit("dot_product_unit", {2, 4}, {6});
  add_unit("scale_unit", {3, 5}, {7});
  add_unit("accumulator", {6, 7}, {8});
  add_unit("store_unit", {8}, {});
}

void EmptyDesign::run(int64_t cycles) {
  sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
}

void EmptyDesign::add_unit(const char* name, const std::vector<size_t>& inputs,
                           const std::vector<size_t>& outputs) {
  units_.push_back(std::make_unique<EmptyUnit>(name, inputs.size(), outputs.size()));
  EmptyUnit& unit = *units_.back();
  unit.clock(clock_);
  unit.reset_n(reset_n_);
  for (size_t i = 0; i < inputs.size(); ++i) {
    unit.inputs[i](*channels_[inputs[i]]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    unit.outputs[i](*channels_[outputs[i]]);
  }
}

}  // namespace nibblecore::bench
