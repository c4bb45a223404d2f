# SPDX-License-Identifier: Apache-2.0
"""A folder that appears whole or not at all."""
from __future__ import annotations

import os
import secrets
import shutil

from .errors import CaptureError


class PartialFolder:
    """Is filled beside its place and renamed into it: a process that ends before, however it ends,
    leaves nothing there, only a hidden `.NAME.partial-*` beside it that may be deleted."""

    def __init__(self, path: str) -> None:
        self.final = os.path.abspath(path)
        self._refuse_if_taken()
        parent, name = os.path.split(self.final)
        os.makedirs(parent, exist_ok=True)
        self.path = os.path.join(parent, f".{name}.partial-{os.getpid()}-{secrets.token_hex(4)}")
        os.mkdir(self.path)

    def finish(self) -> None:
        """Renames the folder, whose files are on the disk already, into its place."""
        _sync_folder(self.path)
        self._refuse_if_taken()
        # Renames onto an empty folder, never onto one with files in it.
        os.rename(self.path, self.final)
        _sync_folder(os.path.dirname(self.final))

    def abandon(self) -> None:
        """Deletes what was written."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _refuse_if_taken(self) -> None:
        is_empty_folder = os.path.isdir(self.final) and not os.listdir(self.final)
        if os.path.lexists(self.final) and not is_empty_folder:
            raise CaptureError(f"{self.final}: exists already; a capture never overwrites")


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
