# SPDX-License-Identifier: Apache-2.0
"""Tensors as the bytes of a file."""
from __future__ import annotations

import ctypes
import sys
from typing import List, Tuple

import torch

from .errors import CaptureError

DTYPE_NAMES = {torch.float32: "F32", torch.bfloat16: "BF16"}
"""The types that a trace holds, by their safetensors names."""

TORCH_DTYPES = {name: dtype for dtype, name in DTYPE_NAMES.items()}


def storable(tensor: torch.Tensor, what: str) -> torch.Tensor:
    """The tensor on the CPU, contiguous and apart from autograd, F32 or BF16 as it is; F16 widened
    to F32, which is exact. No copy where it is all that already. `what` names it in errors."""
    if not isinstance(tensor, torch.Tensor):
        raise CaptureError(f"{what}: is a {type(tensor).__name__}, not a tensor")
    if hasattr(tensor, "to_local"):
        raise CaptureError(f"{what}: is a distributed tensor; capture wants the local one of each "
                           "rank")
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        raise CaptureError(f"{what}: has no dense values ({tensor.layout}, device {tensor.device})")
    if tensor.dtype is torch.float16:
        tensor = tensor.float()
    if tensor.dtype not in DTYPE_NAMES:
        raise CaptureError(f"{what}: is {tensor.dtype}; a trace holds float32 and bfloat16 (and "
                           "float16 as float32)")
    return tensor.detach().cpu().contiguous()


def byte_view(tensor: torch.Tensor) -> memoryview:
    """The bytes of a storable tensor, in place: valid while the tensor lives."""
    if sys.byteorder != "little":
        raise CaptureError("capture needs a little-endian host: safetensors are little-endian")
    size = tensor.numel() * tensor.element_size()
    if size == 0:
        return memoryview(b"")
    return memoryview((ctypes.c_char * size).from_address(tensor.data_ptr())).cast("B")


def select_rows(tensor: torch.Tensor, rows: List[Tuple[int, int]]) -> torch.Tensor:
    """These ranges of the last dimension but one, joined."""
    if len(rows) == 1:
        begin, end = rows[0]
        return tensor.narrow(-2, begin, end - begin)
    return torch.cat([tensor.narrow(-2, begin, end - begin) for begin, end in rows], dim=-2)


def as_the_gemm_saw(tensor: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    """An operand in the type in which the product took it: under autocast, a layer casts input and
    weight inside, where hooks don't see it, and its output has the type of the cast."""
    if tensor.dtype == output.dtype or not tensor.is_floating_point():
        return tensor
    if autocast_dtype(output.device.type) == output.dtype:
        return tensor.to(output.dtype)
    return tensor


def autocast_dtype(device: str):
    """The type to which autocast casts on this kind of device; None where it is off."""
    if device == "cpu":
        return torch.get_autocast_cpu_dtype() if torch.is_autocast_cpu_enabled() else None
    return torch.get_autocast_gpu_dtype() if torch.is_autocast_enabled() else None
