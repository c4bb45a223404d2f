# SPDX-License-Identifier: Apache-2.0
"""HiF4 as the preset `amct` has it (arXiv 2602.11287, Algorithm 1): blocks of 64 elements S1P2
(sign and 0 to 7 quarters) under an E6M2 scale, 8 micro-exponents of 8 elements and 16 of 4."""
import torch
from torch import Tensor

from .blocks import as_nan_where, bits_of, from_bits, from_blocks, to_blocks
from .selection import Selection, keep_all

BLOCK = 64
_ONE_SEVENTH = 0.142578125  # 1/7 in BF16
_SMALLEST_SCALE = 2.0**-48
_LARGEST_SCALE = 49152.0
_DROPPED_BITS = 21  # of the 23 fraction bits of FP32, two are kept


def _to_bf16(values: Tensor) -> Tensor:
    return values.bfloat16().float()


def _round_to_e6m2(scale: Tensor) -> Tensor:
    """Positive scales with the fraction rounded to two bits, ties to even, in the range of E6M2."""
    bits = bits_of(scale.clamp(_SMALLEST_SCALE, _LARGEST_SCALE))
    odd = (bits >> _DROPPED_BITS) & 1
    below_half = (1 << (_DROPPED_BITS - 1)) - 1
    return from_bits(((bits + below_half + odd) >> _DROPPED_BITS) << _DROPPED_BITS)


def qdq(values: Tensor, select: Selection = keep_all) -> Tensor:
    """Values [..., K], quantized along K and dequantized: FP32 [..., K]. `select` keeps elements."""
    given = to_blocks(values, BLOCK)
    # -0 becomes +0, and what is no number counts as 0 until the end.
    is_finite = torch.isfinite(given)
    blocks = torch.where(is_finite, given, 0.0) + 0.0
    of_4 = blocks.abs().unflatten(-1, (16, 4)).amax(-1)
    of_8 = of_4.unflatten(-1, (8, 2)).amax(-1)
    scale = _round_to_e6m2(_to_bf16(of_8.amax(-1, keepdim=True) * _ONE_SEVENTH))
    reciprocal = _to_bf16(1 / scale)
    exponent_8 = (of_8 * reciprocal >= 4).repeat_interleave(2, -1)
    exponent_4 = of_4 * reciprocal >= torch.where(exponent_8, 4.0, 2.0)
    exponents = exponent_8.int() + exponent_4.int()
    step = (1 << exponents).float().repeat_interleave(4, -1)
    scaled = _to_bf16(blocks.abs() * (reciprocal / step))
    quarters = torch.floor(4 * scaled + 0.5).clamp(max=7)
    decoded = select(torch.copysign(quarters, blocks)) * (0.25 * step) * scale
    not_a_number = ~is_finite.all(-1, keepdim=True)
    return from_blocks(as_nan_where(not_a_number, decoded), values.shape[-1])
