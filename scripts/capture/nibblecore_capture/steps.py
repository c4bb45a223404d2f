# SPDX-License-Identifier: Apache-2.0
"""Which training steps are captured."""
from __future__ import annotations

from typing import Iterable, Optional

from .errors import CaptureError


class StepFilter:
    """Steps by number, or by TransformerEngine's three words: multiples of `freq` from `start_step`
    to `end_step`, both included. Without any, every step."""

    def __init__(self, steps: Optional[Iterable[int]] = None, freq: Optional[int] = None,
                 start_step: Optional[int] = None, end_step: Optional[int] = None) -> None:
        words = (freq, start_step, end_step)
        if steps is not None and any(word is not None for word in words):
            raise CaptureError("steps: give either a list of steps or freq, start_step and "
                               "end_step")
        self._steps = None if steps is None else frozenset(_step("steps", step) for step in steps)
        self._freq = 1 if freq is None else _step("freq", freq)
        self._start = 0 if start_step is None else _step("start_step", start_step)
        self._end = None if end_step is None else _step("end_step", end_step)
        if self._freq == 0:
            raise CaptureError("freq: is 0")
        if self._steps is not None and not self._steps:
            raise CaptureError("steps: is empty")
        if self._end is not None and self._end < self._start:
            raise CaptureError(f"end_step: {self._end} lies before start_step {self._start}")

    def selects(self, step: int) -> bool:
        """Whether GEMMs of this step are captured."""
        if self._steps is not None:
            return step in self._steps
        is_before_end = self._end is None or step <= self._end
        return step % self._freq == 0 and step >= self._start and is_before_end


def _step(name: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaptureError(f"{name}: {value!r} is no step (an integer from 0)")
    return value
