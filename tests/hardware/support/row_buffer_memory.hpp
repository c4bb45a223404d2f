// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "tests/hardware/support/memory_bytes.hpp"

namespace nibblecore::test {

/// An example of a memory of one's own, in the fewest lines: loosely timed, with b_transport and
/// transport_dbg alone. A DRAM-like row buffer in each of four banks: an access to the open row
/// takes 4 ns, one to another row 15 ns. The time is annotated to the transaction; the socket's
/// adapter, which the SystemC library provides, turns it into the response that the core waits
/// for. Such a memory answers one burst at a time.
class RowBufferMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RowBufferMemory> socket{"socket"};

  RowBufferMemory(const sc_core::sc_module_name& name, size_t size)
      : sc_core::sc_module(name), bytes_(size) {
    open_rows_.fill(kNoRow);
    socket.register_b_transport(this, &RowBufferMemory::b_transport);
    socket.register_transport_dbg(this, &RowBufferMemory::transport_dbg);
  }

  const MemoryBytes& bytes() const { return bytes_; }
  int64_t hits() const { return hits_; }
  int64_t misses() const { return misses_; }

 private:
  static constexpr uint64_t kRowBytes = 1024;
  static constexpr uint64_t kNoRow = UINT64_MAX;

  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
    const uint64_t row = transaction.get_address() / kRowBytes;
    uint64_t& open = open_rows_.at(row % open_rows_.size());
    const bool hit = open == row;
    ++(hit ? hits_ : misses_);
    open = row;
    delay += sc_core::sc_time(hit ? 4 : 15, sc_core::SC_NS);
    bytes_.access(transaction);
  }

  unsigned int transport_dbg(tlm::tlm_generic_payload& transaction) {
    return bytes_.debug(transaction);
  }

  MemoryBytes bytes_;
  std::array<uint64_t, 4> open_rows_{};
  int64_t hits_ = 0;
  int64_t misses_ = 0;
};

}  // namespace nibblecore::test
