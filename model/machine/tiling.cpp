// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tiling.hpp"

#include "model/formats/named_record.hpp"

namespace nibblecore {

LoopOrder loop_order(std::string_view name) {
  return find_record(kLoopOrders, name, "--loop-order").order;
}

StepOrder step_order(std::string_view name) {
  return find_record(kStepOrders, name, "--step-order").order;
}

std::string_view name_of(LoopOrder order) {
  return kLoopOrders.at(static_cast<size_t>(order)).name;
}

std::string_view name_of(StepOrder order) {
  return kStepOrders.at(static_cast<size_t>(order)).name;
}

}  // namespace nibblecore
