# SPDX-License-Identifier: Apache-2.0
"""Blocks along the last axis, and FP32 numbers as bits."""
import torch
from torch import Tensor


def to_blocks(values: Tensor, block: int) -> Tensor:
    """Values [..., K] as FP32 blocks [..., ceil(K / block), block]; zeros fill the last one."""
    missing = -values.shape[-1] % block
    padded = torch.nn.functional.pad(values.float(), (0, missing))
    return padded.unflatten(-1, (-1, block))


def from_blocks(blocks: Tensor, length: int) -> Tensor:
    """The inverse: [..., length], without what filled the last block."""
    return blocks.flatten(-2)[..., :length]


def bits_of(values: Tensor) -> Tensor:
    """The 32 bits of each FP32 number, as INT32."""
    return values.contiguous().view(torch.int32)


def from_bits(bits: Tensor) -> Tensor:
    """The FP32 numbers of these 32 bits."""
    return bits.to(torch.int32).contiguous().view(torch.float32)


def as_nan_where(is_nan: Tensor, values: Tensor) -> Tensor:
    """The values, with NaN where `is_nan` (broadcast) says so."""
    return values.masked_fill(is_nan, float("nan"))
