// SPDX-License-Identifier: Apache-2.0
#include "hw/units/store_unit.hpp"

#include <algorithm>

#include "hw/datapath/fp32_multiply.hpp"
#include "model/common/bits.hpp"

namespace nibblecore::hw {
namespace {

constexpr uint32_t kOne = 0x3F800000;

}  // namespace

StoreUnit::StoreUnit(const sc_core::sc_module_name& name, const CoreDescription& core)
    : ClockedUnit(name), core_(core) {}

void StoreUnit::start(const GemmJob& job) {
  job_ = job;
  alpha_ = fp32_multiply(float_bits(job.a->tensor_scale), float_bits(job.b->tensor_scale));
  stored_ = 0;
}

void StoreUnit::tick() {
  bool finished = false;
  if (tiles->can_pop()) {
    write(tiles->front());
    finished = tiles->front().tag.last_of_gemm;
    ++stored_;
    tiles->pop();
  }
  done.write(finished);
}

void StoreUnit::write(const ResultTile& tile) const {
  const int64_t first_row = tile.tag.tile_row * core_.rows;
  const int64_t first_column = tile.tag.tile_column * core_.columns;
  const int64_t rows = std::min<int64_t>(core_.rows, job_.m() - first_row);
  const int64_t columns = std::min<int64_t>(core_.columns, job_.n() - first_column);
  for (int64_t i = 0; i < rows; ++i) {
    const uint32_t* from = tile.values.data() + i * core_.columns;
    uint32_t* to = job_.d + (first_row + i) * job_.n() + first_column;
    for (int64_t j = 0; j < columns; ++j) {
      to[j] = alpha_ == kOne ? from[j] : fp32_multiply(from[j], alpha_);
    }
  }
}

void StoreUnit::reset() {
  tiles->clear();
  done.write(false);
}

void StoreUnit::trace(sc_core::sc_trace_file* file) const {
  sc_core::sc_trace(file, stored_, std::string(name()) + ".stored_tiles");
}

}  // namespace nibblecore::hw
