// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace nibblecore {

/// Element types of the safetensors format.
enum class DType {
  kBool,
  kF4,
  kF6E2m3,
  kF6E3m2,
  kU8,
  kI8,
  kF8E5m2,
  kF8E4m3,
  kF8E8m0,
  kF8E4m3Fnuz,
  kF8E5m2Fnuz,
  kI16,
  kU16,
  kF16,
  kBf16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};

struct DTypeRecord {
  DType dtype;
  std::string_view name;
  int bits;
};

/// Every type, in the order of the enumeration.
inline constexpr std::array<DTypeRecord, 22> kDTypes{{
    {DType::kBool, "BOOL", 8},
    {DType::kF4, "F4", 4},
    {DType::kF6E2m3, "F6_E2M3", 6},
    {DType::kF6E3m2, "F6_E3M2", 6},
    {DType::kU8, "U8", 8},
    {DType::kI8, "I8", 8},
    {DType::kF8E5m2, "F8_E5M2", 8},
    {DType::kF8E4m3, "F8_E4M3", 8},
    {DType::kF8E8m0, "F8_E8M0", 8},
    {DType::kF8E4m3Fnuz, "F8_E4M3FNUZ", 8},
    {DType::kF8E5m2Fnuz, "F8_E5M2FNUZ", 8},
    {DType::kI16, "I16", 16},
    {DType::kU16, "U16", 16},
    {DType::kF16, "F16", 16},
    {DType::kBf16, "BF16", 16},
    {DType::kI32, "I32", 32},
    {DType::kU32, "U32", 32},
    {DType::kF32, "F32", 32},
    {DType::kC64, "C64", 64},
    {DType::kF64, "F64", 64},
    {DType::kI64, "I64", 64},
    {DType::kU64, "U64", 64},
}};

/// The type's name in a safetensors header.
std::string_view name_of(DType dtype);

/// Bits of one element.
int bits_of(DType dtype);

/// The type of this name, or nothing.
std::optional<DType> find_dtype(std::string_view name);

}  // namespace nibblecore
