# SPDX-License-Identifier: Apache-2.0
"""A safetensors file that grows tensor by tensor."""
from __future__ import annotations

import json
import os
from typing import Dict, Sequence

from .errors import CaptureError

HEADER_BYTES = 64 * 1024
"""Kept free in front of the data: the format lets spaces follow the header, so no data has to move
when it is known. A multiple of 64, for the data to be aligned."""

# https://github.com/huggingface/safetensors#format: 8 bytes of length, then the header.
LENGTH_BYTES = 8


class Shard:
    """Writes one file, which is valid once closed. Holds no tensor: every byte goes to the file at
    once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._entries: Dict[str, dict] = {}
        self._header_size = len("{}")
        self._data_size = 0
        self._file = open(path, "xb+", buffering=0)
        self._file.seek(HEADER_BYTES)

    @property
    def data_size(self) -> int:
        """Bytes of all tensors so far."""
        return self._data_size

    def fits(self, name: str, dtype: str, shape: Sequence[int], size: int) -> bool:
        """Whether the header has room for one more tensor."""
        return LENGTH_BYTES + self._header_size + self._entry_size(name, dtype, shape,
                                                                   size) <= HEADER_BYTES

    def add(self, name: str, dtype: str, shape: Sequence[int], data: memoryview) -> int:
        """Appends a tensor that fits; returns the offset of its bytes in the file."""
        if name in self._entries or not self.fits(name, dtype, shape, len(data)):
            raise CaptureError(f"{self._path}: no room for tensor {name!r}")
        self._header_size += self._entry_size(name, dtype, shape, len(data))
        self._entries[name] = self._entry(dtype, shape, len(data))
        self._write(data)
        self._data_size += len(data)
        return HEADER_BYTES + self._data_size - len(data)

    def close(self) -> None:
        """Puts the header in front and waits until all of it is on the disk."""
        header = json.dumps(self._entries, ensure_ascii=False, separators=(",", ":")).encode()
        size = HEADER_BYTES - LENGTH_BYTES
        self._file.seek(0)
        self._write(memoryview(size.to_bytes(LENGTH_BYTES, "little") + header.ljust(size)))
        os.fsync(self._file.fileno())
        self._file.close()

    def abandon(self) -> None:
        """Closes the file as it is."""
        self._file.close()

    def _entry(self, dtype: str, shape: Sequence[int], size: int) -> dict:
        return {"dtype": dtype, "shape": list(shape),
                "data_offsets": [self._data_size, self._data_size + size]}

    def _entry_size(self, name: str, dtype: str, shape: Sequence[int], size: int) -> int:
        entry = {name: self._entry(dtype, shape, size)}
        # Its braces stand for the comma.
        return len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode())

    def _write(self, data: memoryview) -> None:
        # One call writes at most 2 GiB.
        while len(data) > 0:
            data = data[self._file.write(data):]
