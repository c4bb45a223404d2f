// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "hw/units/port_walk.hpp"

namespace nibblecore::hw {

/// One operation of the memory port under way: its bytes, and the bursts that they are cut into.
struct Transfer {
  PortOperation operation;
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
  uint8_t* target = nullptr;  ///< of a load: its piece of L1
  size_t half = 0;            ///< of L0C, where it has one
  int64_t requested = 0;      ///< bytes in bursts sent
  int64_t answered = 0;       ///< bytes whose response has come
  int64_t begin = 0;          ///< cycle
  bool abandoned = false;     ///< by a reset: its answers no longer count

  int64_t size() const { return static_cast<int64_t>(bytes.size()); }
};

/// Transactions for bursts, used again when the last of their users lets go.
class BurstPool final : public tlm::tlm_mm_interface {
 public:
  /// A transaction for bytes [first, first + length) of a transfer, acquired once.
  tlm::tlm_generic_payload* burst(Transfer& transfer, int64_t first, int64_t length);
  /// The transfer that a transaction of this pool belongs to.
  static Transfer& transfer_of(tlm::tlm_generic_payload& transaction);
  void free(tlm::tlm_generic_payload* transaction) override;

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> unused_;
};

}  // namespace nibblecore::hw
