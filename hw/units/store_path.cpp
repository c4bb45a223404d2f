// SPDX-License-Identifier: Apache-2.0
#include "hw/units/store_path.hpp"

#include <cstring>

#include "hw/datapath/fp32_fma.hpp"
#include "hw/datapath/fp32_multiply.hpp"
#include "hw/datapath/fp32_to_bf16.hpp"

namespace nibblecore::hw {
namespace {

constexpr uint32_t kOne = 0x3F800000;

}  // namespace

template <class Hooks>
void BasicStorePath<Hooks>::start(const GemmJob& job) {
  columns_ = job.program->machine().core.columns;
  alpha_ = fp32_multiply(job.a_tensor_scale, job.b_tensor_scale);
  residual_alpha_ = job.residual_alpha;
  width_ = job.spec().output;
  nan_ = job.nan();
}

template <class Hooks>
void BasicStorePath<Hooks>::convert(const std::vector<uint32_t>& values,
                                    const std::vector<uint32_t>& residuals,
                                    std::vector<uint8_t>& bytes) const {
  const size_t width = width_ == OutputWidth::kFp32 ? sizeof(uint32_t) : sizeof(uint16_t);
  bytes.resize(values.size() * width);
  uint8_t* to = bytes.data();
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t column = static_cast<int64_t>(i) % columns_;
    const uint32_t sum = residuals.empty()
                             ? values[i]
                             : fp32_fma(residual_alpha_, residuals[i], values[i],
                                        FmaTap<Hooks>({hooks_, column}, Site::kFmaProduct));
    uint32_t scaled = alpha_ == kOne ? sum : fp32_multiply(sum, alpha_, nan_);
    hooks_.value(Site::kStoreProduct, column, scaled);
    if (width_ == OutputWidth::kFp32) {
      std::memcpy(to, &scaled, sizeof scaled);
    } else {
      uint16_t rounded = fp32_to_bf16(scaled, nan_);
      hooks_.value(Site::kStoreBf16, column, rounded);
      std::memcpy(to, &rounded, sizeof rounded);
    }
    to += width;
  }
}

template class BasicStorePath<NoHooks>;
template class BasicStorePath<ProbeHooks>;

}  // namespace nibblecore::hw
