# SPDX-License-Identifier: Apache-2.0
"""The tensors of a trace, each stored once."""
from __future__ import annotations

import hashlib
import os
from typing import Dict, List, Tuple

import torch

from .shard import Shard
from .tensors import DTYPE_NAMES, TORCH_DTYPES, byte_view, storable

SHARD_BYTES = 4 << 30
"""A file that has reached this size is closed and the next one begun."""

Reference = Tuple[str, str]
"""File and tensor."""


class OperandStore:
    """Writes tensors to safetensors files of a folder as they come.

    Tensors are known by their content (type, shape, BLAKE2 of 128 bits), since nothing cheaper is
    safe: weights that are changed through `.data` keep identity, address and version. Files hold
    one type each, so that every tensor is aligned.
    """

    def __init__(self, folder: str, shard_bytes: int = SHARD_BYTES) -> None:
        self._folder = folder
        self._shard_bytes = shard_bytes
        self._open: Dict[str, Tuple[str, Shard]] = {}
        self._full: Dict[str, int] = {}
        self._known: Dict[tuple, Reference] = {}
        self._places: Dict[Reference, Tuple[str, List[int], int, int]] = {}
        self._uses: Dict[str, int] = {}

    def put(self, name: str, tensor: torch.Tensor) -> Reference:
        """Where the tensor is stored: under this name (with a number, where another one has it), or
        where an equal one was stored before."""
        tensor = storable(tensor, name)
        data = byte_view(tensor)
        dtype, shape = DTYPE_NAMES[tensor.dtype], list(tensor.shape)
        key = (dtype, tuple(shape), hashlib.blake2b(data, digest_size=16).digest())
        if key not in self._known:
            self._known[key] = self._append(self._unused(name), dtype, shape, data)
        return self._known[key]

    def get(self, reference: Reference) -> torch.Tensor:
        """A copy of a stored tensor, on the CPU."""
        dtype, shape, begin, size = self._places[reference]
        data = bytearray(size)
        with open(os.path.join(self._folder, reference[0]), "rb") as file:
            file.seek(begin)
            file.readinto(data)
        return torch.frombuffer(data, dtype=TORCH_DTYPES[dtype]).reshape(shape)

    def close(self) -> None:
        """Completes all files."""
        for _, shard in self._open.values():
            shard.close()

    def abandon(self) -> None:
        """Lets go of all files."""
        for _, shard in self._open.values():
            shard.abandon()

    def _unused(self, name: str) -> str:
        used = self._uses.get(name, 0)
        self._uses[name] = used + 1
        return name if used == 0 else f"{name}#{used}"

    def _append(self, name: str, dtype: str, shape: List[int], data: memoryview) -> Reference:
        file, shard = self._shard_for(name, dtype, shape, len(data))
        self._places[(file, name)] = (dtype, shape, shard.add(name, dtype, shape, data), len(data))
        return file, name

    def _shard_for(self, name: str, dtype: str, shape: List[int], size: int) -> Tuple[str, Shard]:
        if dtype in self._open:
            _, shard = self._open[dtype]
            if shard.data_size < self._shard_bytes and shard.fits(name, dtype, shape, size):
                return self._open[dtype]
            shard.close()
            self._full[dtype] = self._full.get(dtype, 0) + 1
        file = f"{dtype.lower()}-{self._full.get(dtype, 0):05d}.safetensors"
        self._open[dtype] = (file, Shard(os.path.join(self._folder, file)))
        return self._open[dtype]
