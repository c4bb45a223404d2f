// SPDX-License-Identifier: Apache-2.0
#include "hw/units/memory_port.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

std::string_view name_of(PortOperationKind kind) {
  switch (kind) {
    case PortOperationKind::kLoadA:
      return "load A";
    case PortOperationKind::kLoadB:
      return "load B";
    case PortOperationKind::kStore:
      return "store";
    case PortOperationKind::kLoadStart:
      return "load start values";
  }
  return {};
}

size_t half_of(int64_t region) { return static_cast<size_t>(region % 2); }

}  // namespace

MemoryPort::MemoryPort(const sc_core::sc_module_name& name, const PortPath& path,
                       int64_t largest_burst, std::unique_ptr<StoreStage> store_path)
    : ClockedUnit(name),
      path_(path),
      largest_burst_(std::min(largest_burst, kWholeTransfers)),
      store_path_(std::move(store_path)),
      answers_(this, &MemoryPort::on_answer) {
  socket.register_nb_transport_bw(this, &MemoryPort::nb_transport_bw);
}

void MemoryPort::start(const GemmJob& job, TimelineSink* timeline) {
  if (!quiet()) {
    throw InternalError(std::string(name()) + ": started before the memory answered the last");
  }
  job_ = job;
  walk_.start(*job.program);
  store_path_->start(job);
  requesting_ = false;
  request_ended_ = true;
  latest_burst_ = nullptr;
  a_half_ = b_half_ = 0;
  cycle_ = 0;
  active_ = true;
  account_.clear();
  loaded_bytes_ = stored_bytes_ = 0;
  timeline_ = timeline;
}

void MemoryPort::tick() { done.write(work()); }

bool MemoryPort::work() {
  if (!active_) {
    return false;
  }
  ++cycle_;
  if (requesting_ && request_ended_) {
    if (bursts_left_) {
      send_burst();
    } else {
      requesting_ = false;
    }
  }
  if (requesting_) {
    account_.busy();
    return false;
  }
  if (walk_.done()) {
    account_.idle();
    active_ = !transfers_.empty();
    return !active_;
  }
  if (const std::optional<StallCause> cause = obstacle()) {
    account_.stall(*cause);
    return false;
  }
  account_.busy();
  begin();
  return false;
}

std::optional<StallCause> MemoryPort::obstacle() const {
  const PortOperation& operation = walk_.front();
  const auto full_unless = [](bool ready) {
    return ready ? std::nullopt : std::optional(StallCause::kFullBuffer);
  };
  switch (operation.kind) {
    case PortOperationKind::kLoadA:
      return full_unless(!operation.body.load_a_takes || path_.a_flags.free.ready());
    case PortOperationKind::kLoadB:
      return full_unless(!operation.body.load_b_takes || path_.b_flags.free.ready());
    case PortOperationKind::kLoadStart:
      return full_unless(path_.region_flags.free.ready());
    case PortOperationKind::kStore:
      return path_.region_flags.filled.ready() ? std::nullopt : std::optional(StallCause::kResult);
  }
  throw InternalError("unknown operation of the memory port");
}

void MemoryPort::begin() {
  auto transfer = std::make_unique<Transfer>();
  transfer->operation = walk_.front();
  transfer->half = half_of(transfer->operation.region);
  transfer->begin = cycle_ - 1;
  switch (transfer->operation.kind) {
    case PortOperationKind::kStore:
      describe_store(*transfer);
      break;
    case PortOperationKind::kLoadStart:
      describe_start(*transfer);
      break;
    default:
      describe_load(*transfer);
  }
  const bool stores = transfer->operation.kind == PortOperationKind::kStore;
  (stores ? stored_bytes_ : loaded_bytes_) += transfer->size();
  transfers_.push_back(std::move(transfer));
  walk_.pop();
  requesting_ = true;
  send_burst();
}

void MemoryPort::describe_start(Transfer& transfer) {
  const PortOperation& operation = transfer.operation;
  path_.region_flags.free.take();
  transfer.bytes.resize(static_cast<size_t>(operation.body.start_bytes));
  transfer.address =
      job_.start_address + static_cast<uint64_t>(job_.program->start_offset(operation.index));
}

void MemoryPort::describe_load(Transfer& transfer) {
  const Program& program = *job_.program;
  const ChunkIndex& index = transfer.operation.index;
  const ChunkBody& body = transfer.operation.body;
  const bool a = transfer.operation.kind == PortOperationKind::kLoadA;
  size_t& half = a ? a_half_ : b_half_;
  if (a ? body.load_a_takes : body.load_b_takes) {
    (a ? path_.a_flags : path_.b_flags).free.take();
    half ^= 1;
  }
  transfer.bytes.resize(static_cast<size_t>(a ? body.load_a_bytes : body.load_b_bytes));
  transfer.address = a ? job_.a_address + static_cast<uint64_t>(program.a_offset(index))
                       : job_.b_address + static_cast<uint64_t>(program.b_offset(index));
  transfer.target = a ? path_.a.piece(half ^ 1, program.a_l1_offset(index))
                      : path_.b.piece(half ^ 1, program.b_l1_offset(index));
}

void MemoryPort::describe_store(Transfer& transfer) {
  const PortOperation& operation = transfer.operation;
  path_.region_flags.filled.take();
  std::vector<uint32_t> values(static_cast<size_t>(operation.body.rows * operation.body.columns));
  path_.region.read(transfer.half, operation.body, values.data());
  std::vector<uint32_t> residuals;
  if (job_.spec().residual_accumulator == ResidualAccumulator::kOwn) {
    residuals.resize(values.size());
    path_.region.read(transfer.half, operation.body, residuals.data(), AccumulatorPlane::kResidual);
  }
  store_path_->convert(values, residuals, transfer.bytes);
  transfer.command = tlm::TLM_WRITE_COMMAND;
  transfer.address =
      job_.store_address + static_cast<uint64_t>(job_.program->store_offset(operation.index));
}

void MemoryPort::send_burst() {
  Transfer& transfer = *transfers_.back();
  const int64_t first = transfer.requested;
  const int64_t length = std::min(largest_burst_, transfer.size() - first);
  transfer.requested += length;
  bursts_left_ = transfer.requested < transfer.size();
  request_ended_ = false;
  tlm::tlm_generic_payload* burst = pool_.burst(transfer, first, length);
  latest_burst_ = burst;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(*burst, phase, delay);
  if (status == tlm::TLM_COMPLETED) {
    answers_.notify(*burst, tlm::BEGIN_RESP, delay);
  } else if (status == tlm::TLM_UPDATED) {
    answers_.notify(*burst, phase, delay);
    if (phase == tlm::BEGIN_RESP) {
      // A response that is returned so is not yet ended, unlike one that nb_transport_bw brings.
      phase = tlm::END_RESP;
      socket->nb_transport_fw(*burst, phase, delay);
    }
  }
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload& transaction,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const bool responds = phase == tlm::BEGIN_RESP;
  if (delay == sc_core::SC_ZERO_TIME) {
    on_answer(transaction, phase);
  } else {
    answers_.notify(transaction, phase, delay);
  }
  return responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void MemoryPort::on_answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
  Transfer& transfer = BurstPool::transfer_of(transaction);
  // A response ends the request too, where the memory left END_REQ out.
  if (&transaction == latest_burst_ && !request_ended_ && !transfer.abandoned) {
    request_ended_ = true;
    if (transfer.requested == transfer.size()) {
      end_request(transfer);
    }
  }
  if (phase == tlm::BEGIN_RESP) {
    take_response(transaction);
  }
}

void MemoryPort::end_request(const Transfer& transfer) {
  const bool stores = transfer.operation.kind == PortOperationKind::kStore;
  if (stores) {
    path_.region_flags.free.post();
  }
  if (timeline_ != nullptr) {
    timeline_->span(stores ? Track::kStore : Track::kMemoryPort, name_of(transfer.operation.kind),
                    transfer.begin, cycle_);
  }
}

void MemoryPort::take_response(tlm::tlm_generic_payload& transaction) {
  Transfer& transfer = BurstPool::transfer_of(transaction);
  if (!transaction.is_response_ok()) {
    throw InternalError(std::string(name()) + ": the memory answered " +
                        transaction.get_response_string());
  }
  transfer.answered += transaction.get_data_length();
  transaction.release();
  while (!transfers_.empty() && transfers_.front()->answered == transfers_.front()->size()) {
    complete(*transfers_.front());
    transfers_.pop_front();
  }
  while (!abandoned_.empty() && abandoned_.front()->answered == abandoned_.front()->requested) {
    abandoned_.pop_front();
  }
}

void MemoryPort::complete(Transfer& transfer) {
  switch (transfer.operation.kind) {
    case PortOperationKind::kLoadA:
      std::copy(transfer.bytes.begin(), transfer.bytes.end(), transfer.target);
      path_.a_flags.filled.post();
      break;
    case PortOperationKind::kLoadB:
      std::copy(transfer.bytes.begin(), transfer.bytes.end(), transfer.target);
      path_.b_flags.filled.post();
      break;
    case PortOperationKind::kLoadStart: {
      std::vector<uint32_t> values(transfer.bytes.size() / sizeof(uint32_t));
      std::memcpy(values.data(), transfer.bytes.data(), transfer.bytes.size());
      path_.region.fill(transfer.half, transfer.operation.body, values.data());
      path_.start_filled.post();
      break;
    }
    case PortOperationKind::kStore:
      break;
  }
}

void MemoryPort::reset() {
  walk_.stop();
  active_ = false;
  requesting_ = false;
  for (std::unique_ptr<Transfer>& transfer : transfers_) {
    transfer->abandoned = true;
    abandoned_.push_back(std::move(transfer));
  }
  transfers_.clear();
  done.write(false);
}

void MemoryPort::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, requesting_, prefix + "busy");
  sc_core::sc_trace(file, loaded_bytes_, prefix + "loaded_bytes");
  sc_core::sc_trace(file, stored_bytes_, prefix + "stored_bytes");
}

}  // namespace nibblecore::hw
