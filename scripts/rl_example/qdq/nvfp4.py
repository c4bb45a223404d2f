# SPDX-License-Identifier: Apache-2.0
"""NVFP4 as TransformerEngine's reference quantizer has it: blocks of 16 E2M1 elements under a UE4M3
scale, and one FP32 scale a tensor."""
from typing import NamedTuple, Optional

import torch
from torch import Tensor

from .blocks import bits_of, from_bits, from_blocks, to_blocks
from .e2m1 import LARGEST, round_to_e2m1
from .selection import Selection, keep_all

BLOCK = 16
_LARGEST_SCALE = 448.0
_LARGEST_FP32 = torch.finfo(torch.float32).max
_SMALLEST_NORMAL = 2.0**-6
_DROPPED_BITS = 20  # of the 23 fraction bits of FP32, three are kept


def _round_to_ue4m3(values: Tensor) -> Tensor:
    """Values >= 0 rounded to UE4M3, ties to even; beyond 448 to 448."""
    held = values.clamp(max=_LARGEST_SCALE)
    bits = bits_of(held)
    odd = (bits >> _DROPPED_BITS) & 1
    below_half = (1 << (_DROPPED_BITS - 1)) - 1
    normal = from_bits(((bits + below_half + odd) >> _DROPPED_BITS) << _DROPPED_BITS)
    subnormal = torch.round(held * 2.0**9) * 2.0**-9
    return torch.where(held < _SMALLEST_NORMAL, subnormal, normal)


class TensorScale(NamedTuple):
    """The factors of a tensor: into the range of the blocks' scales, and back."""

    encode: Tensor
    decode: Tensor


def tensor_scale(values: Tensor) -> TensorScale:
    """The scale of a tensor of numbers."""
    # A tensor on the left, too: a number over a tensor would be multiplied by its reciprocal.
    quotient = torch.tensor(_LARGEST_SCALE * LARGEST) / values.float().abs().amax()
    encode = quotient.clamp(max=_LARGEST_FP32)
    return TensorScale(encode, encode.reciprocal())


def qdq(values: Tensor, scale: Optional[TensorScale] = None,
        select: Selection = keep_all) -> Tensor:
    """Values [..., K], all of them numbers, quantized along K and dequantized: FP32 [..., K]. `scale`
    is that of `values` unless it is given; `select` keeps elements."""
    encode, decode = scale or tensor_scale(values)
    blocks = to_blocks(values, BLOCK)
    largest = blocks.abs().amax(-1, keepdim=True)
    # 1/6 is folded into the tensor's factor before that meets the block.
    one_sixth = torch.tensor(LARGEST).reciprocal()
    block_scale = _round_to_ue4m3(largest * (encode * one_sixth))
    factor = (block_scale * decode).reciprocal().clamp(max=_LARGEST_FP32)
    scaled = blocks * factor
    # + 0.0 makes a product of -0 +0; a negative one that rounds to zero stays -0.
    elements = select(torch.copysign(round_to_e2m1(scaled.abs()), scaled + 0.0))
    return from_blocks(elements * block_scale * decode, values.shape[-1])
