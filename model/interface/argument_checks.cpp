// SPDX-License-Identifier: Apache-2.0
#include "model/interface/argument_checks.hpp"

#include "model/common/error.hpp"
#include "model/formats/whole_nodes.hpp"
#include "model/interface/nibblecore/nibblecore.hpp"

namespace nibblecore {

void require_pointer(const void* pointer, const std::string& place) {
  if (pointer == nullptr) {
    throw InputError(place, "must not be null");
  }
}

void require_threads(int threads) {
  if (threads < 0) {
    throw InputError("threads", std::to_string(threads) + " is negative");
  }
}

void require_positive(int64_t size, const std::string& place) {
  if (size <= 0) {
    throw InputError(place, std::to_string(size) + " is not positive");
  }
}

void require_size(int64_t size, int64_t expected, const std::string& place) {
  if (size != expected) {
    throw InputError(place, std::to_string(size) + " bytes, expected " + std::to_string(expected));
  }
}

void require_whole(const PackedMatrix& matrix, const std::string& place) {
  const BlockFormat& given = matrix.format;
  const BlockFormat known = make_block_format(given.name, given.block, scale_name(given.scale));
  if (known.element != given.element) {
    throw InputError(place, "elements are not those of " + std::string(given.name));
  }
  const api::PackedSizes sizes = api::packed_sizes(given, matrix.rows, matrix.k);
  require_size(static_cast<int64_t>(matrix.codes.size()), sizes.codes, "codes of " + place);
  require_size(static_cast<int64_t>(matrix.scales.size()), sizes.scales, "scales of " + place);
}

void require_whole_k(int64_t k, const BlockFormat& format, Accumulation policy) {
  if (const std::optional<std::string> reason = partial_node(k, format, policy)) {
    throw InputError("K", std::to_string(k) + ' ' + *reason);
  }
}

}  // namespace nibblecore
