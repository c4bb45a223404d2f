// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <tlm>

namespace nibblecore::test {

/// The bytes of an example memory, and what passed to and from them.
class MemoryBytes {
 public:
  explicit MemoryBytes(size_t size) : bytes_(size), reads_(size), writes_(size) {}

  /// Copies a transaction's data and sets its response.
  void access(tlm::tlm_generic_payload& transaction) {
    if (copy(transaction)) {
      const uint64_t first = transaction.get_address();
      std::vector<uint32_t>& counts = transaction.is_read() ? reads_ : writes_;
      for (uint64_t i = 0; i < transaction.get_data_length(); ++i) {
        ++counts[first + i];
      }
      (transaction.is_read() ? bytes_read_ : bytes_written_) += transaction.get_data_length();
    }
  }

  /// The same without being counted: for transport_dbg.
  unsigned int debug(tlm::tlm_generic_payload& transaction) {
    return copy(transaction) ? transaction.get_data_length() : 0;
  }

  int64_t bytes_read() const { return bytes_read_; }
  int64_t bytes_written() const { return bytes_written_; }
  /// How often each byte was read, and written.
  const std::vector<uint32_t>& reads() const { return reads_; }
  const std::vector<uint32_t>& writes() const { return writes_; }

 private:
  bool copy(tlm::tlm_generic_payload& transaction) {
    const uint64_t address = transaction.get_address();
    const uint64_t length = transaction.get_data_length();
    if (address > bytes_.size() || length > bytes_.size() - address) {
      transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return false;
    }
    uint8_t* memory = bytes_.data() + address;
    if (transaction.is_read()) {
      std::memcpy(transaction.get_data_ptr(), memory, length);
    } else {
      std::memcpy(memory, transaction.get_data_ptr(), length);
    }
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    return true;
  }

  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> reads_;
  std::vector<uint32_t> writes_;
  int64_t bytes_read_ = 0;
  int64_t bytes_written_ = 0;
};

}  // namespace nibblecore::test
