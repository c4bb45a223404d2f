// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/bf16_stretch.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/emulate/gemm_steps.hpp"
#include "model/emulate/result_row.hpp"
#include "model/emulate/tile_range.hpp"

namespace nibblecore {

/// Computes some tiles of a result together, a stretch of K after the other, so that what their
/// operands share stays in the caches whatever the length of K.
class TileRegion {
 public:
  explicit TileRegion(const EmulatedGemm& gemm);

  /// Writes the outputs of `range`; other arguments as EmulatedGemm::run. What `following` needs
  /// first is fetched on the way.
  void compute(const TileRange& range, const TileRange& following, const uint32_t* c, uint32_t* d,
               uint8_t* truncation);

 private:
  /// One tile of the range: its panel and strip, and its number within the range.
  struct Tile {
    int64_t panel;
    int64_t strip;
    int64_t index;
  };

  /// Memory to fetch while a tile is computed.
  struct Ahead {
    const uint8_t* memory = nullptr;
    int64_t bytes = 0;
  };

  size_t end_of_stretch(size_t first) const;
  size_t add_stretch(const TileRange& range, const TileRange& following, size_t first);
  size_t add_bf16_stretch(const TileRange& range, size_t first);
  Ahead ahead_of(const TileRange& range, const GemmStep& next, int64_t index) const;
  template <class Body>
  void for_each_tile(const TileRange& range, const Body& body) const;
  template <class Body>
  void for_each_row(const TileRange& range, const Body& body) const;
  int64_t place_of(const Tile& tile, int64_t row) const;
  void reserve(const TileRange& range, const uint8_t* truncation);
  bool is_used(TilePlane plane) const;
  float* plane(TilePlane plane, const Tile& tile);
  uint8_t* lost_bits(const Tile& tile);
  void clear(const Tile& tile);
  void load_row(const Tile& tile, int64_t row, const uint32_t* c);
  void tell_truncation(const Tile& tile, int64_t row, uint8_t* truncation);
  void store_row(const TileRange& range, int64_t panel, int64_t row, StoreKind kind, uint32_t* d);
  void store(const TileRange& range, uint32_t* d, uint8_t* truncation);
  void perform(const GemmStep& step, const Tile& tile, Ahead& ahead);
  void add(const LeftPanels& a, const GemmStep& step, const Tile& tile, Ahead& ahead);
  void take_in(const GemmStep& step, const Tile& tile);
  void add_planes(const Tile& tile);
  int64_t rows_of(const Tile& tile) const;
  int64_t columns_of(const Tile& tile) const;

  const EmulatedGemm& gemm_;
  std::optional<Bf16Stretch> bf16_;  ///< where the operands are decoded only here
  int64_t capacity_ = 0;             ///< tiles that the buffers hold
  std::array<AlignedBuffer<float>, kTilePlanes> planes_;
  AlignedBuffer<uint8_t> truncation_;
  AlignedBuffer<uint32_t> row_;  ///< results of a row of the range that is being stored
};

}  // namespace nibblecore
