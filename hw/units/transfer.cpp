// SPDX-License-Identifier: Apache-2.0
#include "hw/units/transfer.hpp"

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

/// Says which transfer a burst belongs to; ignorable, as the standard demands.
struct BurstOwner final : tlm::tlm_extension<BurstOwner> {
  Transfer* transfer = nullptr;

  tlm_extension_base* clone() const override { return new BurstOwner(*this); }
  void copy_from(const tlm_extension_base& other) override {
    transfer = static_cast<const BurstOwner&>(other).transfer;
  }
};

}  // namespace

tlm::tlm_generic_payload* BurstPool::burst(Transfer& transfer, int64_t first, int64_t length) {
  if (unused_.empty()) {
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    all_.back()->set_extension(new BurstOwner);
    unused_.push_back(all_.back().get());
  }
  tlm::tlm_generic_payload* burst = unused_.back();
  unused_.pop_back();
  burst->acquire();
  burst->get_extension<BurstOwner>()->transfer = &transfer;
  burst->set_command(transfer.command);
  burst->set_address(transfer.address + static_cast<uint64_t>(first));
  burst->set_data_ptr(transfer.bytes.data() + first);
  burst->set_data_length(static_cast<unsigned int>(length));
  burst->set_streaming_width(static_cast<unsigned int>(length));
  burst->set_byte_enable_ptr(nullptr);
  burst->set_dmi_allowed(false);
  burst->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return burst;
}

Transfer& BurstPool::transfer_of(tlm::tlm_generic_payload& transaction) {
  const BurstOwner* owner = transaction.get_extension<BurstOwner>();
  if (owner == nullptr || owner->transfer == nullptr) {
    throw InternalError("a memory answered a transaction that the port did not send");
  }
  return *owner->transfer;
}

void BurstPool::free(tlm::tlm_generic_payload* transaction) { unused_.push_back(transaction); }

}  // namespace nibblecore::hw
