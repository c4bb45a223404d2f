# SPDX-License-Identifier: Apache-2.0
"""The folder of a trace while it is written."""
from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import Counter
from typing import Callable, Iterator, Optional

import torch

from .errors import CaptureError
from .folder import PartialFolder
from .gemm import Gemm
from .operands import OperandStore, Reference

MANIFEST = "gemms.jsonl"
SUMMARY = "capture.json"


class TraceWriter:
    """Takes operands and lines in the run's order. Several threads may call: on GPUs autograd has
    its own.

    `skipped` counts what was seen and is not in the trace, by reason.
    """

    def __init__(self, path: str, rank: Optional[int],
                 callback: Optional[Callable[[Gemm], None]]) -> None:
        self._rank = rank
        self._callback = callback
        self.lock = threading.RLock()
        self.skipped: Counter = Counter()
        self.is_open = True
        self._is_spoilt = False
        self.gemms = 0
        self._folder = PartialFolder(path if rank is None else os.path.join(path, f"rank{rank}"))
        self._store = OperandStore(self._folder.path)
        # Unbuffered: a forked process has no bytes of it to write twice.
        self._manifest = open(os.path.join(self._folder.path, MANIFEST), "xb", buffering=0)

    def put(self, name: str, tensor: torch.Tensor) -> Reference:
        """Stores an operand as it is now; one that is stored already, only once."""
        with self._spoiling():
            return self._store.put(name, tensor)

    def add(self, fields: dict) -> None:
        """Writes the line of a GEMM and tells the callback."""
        record = {"id": self.gemms, **fields}
        if self._rank is not None:
            record["rank"] = self._rank
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        self.gemms += 1
        with self._spoiling():
            self._write_line(line.encode())
            if self._callback is not None:
                self._callback(Gemm(record, self._store.get))

    def finish(self) -> None:
        """Makes the trace appear, all of it on the disk; nothing if it has no GEMM."""
        with self.lock:
            self.is_open = False
            if self._is_spoilt:
                self._discard()
                raise CaptureError(f"{self._folder.final}: an error while capturing was caught, so "
                                   "files may be incomplete; there is no trace")
            if self.gemms == 0:
                self._discard()
                return
            try:
                self._store.close()
                os.fsync(self._manifest.fileno())
                self._manifest.close()
                self._write_summary()
                self._folder.finish()
            except BaseException:
                self._discard()
                raise

    def abandon(self) -> None:
        """Leaves no trace."""
        with self.lock:
            self.is_open = False
            self._discard()

    @contextlib.contextmanager
    def _spoiling(self) -> Iterator[None]:
        """An error in the block, which somebody may catch, must not end in a trace that lacks what
        was being written."""
        try:
            yield
        except BaseException:
            self._is_spoilt = True
            raise

    def _write_line(self, line: bytes) -> None:
        while line:
            line = line[self._manifest.write(line):]

    def _discard(self) -> None:
        self._store.abandon()
        self._manifest.close()
        self._folder.abandon()

    def _write_summary(self) -> None:
        summary = {"torch": torch.__version__, "gemms": self.gemms,
                   "skipped": dict(sorted(self.skipped.items()))}
        with open(os.path.join(self._folder.path, SUMMARY), "x", encoding="utf-8") as file:
            file.write(json.dumps(summary, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
