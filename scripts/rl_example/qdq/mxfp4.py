# SPDX-License-Identifier: Apache-2.0
"""MXFP4: blocks of 32 E2M1 elements under one E8M0 scale, rule `rceil`, nearest even."""
import torch
from torch import Tensor

from .blocks import as_nan_where, bits_of, from_bits, from_blocks, to_blocks
from .e2m1 import round_to_e2m1
from .selection import Selection, keep_all

BLOCK = 32
_FRACTION = 23
_INFINITY = 0x7F800000
_SMALLEST_POWER = 0x00400000  # 2^-127, a subnormal


def _power_of_two(code: Tensor) -> Tensor:
    """2^(code - 127) for codes 0 to 254."""
    return from_bits(torch.where(code == 0, _SMALLEST_POWER, code << _FRACTION))


def qdq(values: Tensor, select: Selection = keep_all) -> Tensor:
    """Values [..., K], quantized along K and dequantized: FP32 [..., K]. `select` keeps elements."""
    blocks = to_blocks(values, BLOCK)
    # Magnitudes compare as the integers of their bits, NaN and infinity above all numbers.
    largest = (bits_of(blocks) & 0x7FFFFFFF).amax(-1, keepdim=True)
    field = largest >> _FRACTION
    # The smallest 2^e with 6 * 2^e >= largest: one more where the significand exceeds 1.5.
    above = ((largest & 0x7FFFFF) > 0x400000).to(torch.int32)
    code = torch.where(field == 0, 0, (field - 2 + above).clamp(min=0, max=254))
    # Multiplying by the reciprocal, a power of two, is exact wherever it decides a rounding.
    magnitudes = round_to_e2m1(blocks.abs() * _power_of_two(254 - code))
    decoded = select(torch.copysign(magnitudes, blocks)) * _power_of_two(code)
    return from_blocks(as_nan_where(largest >= _INFINITY, decoded), values.shape[-1])
