# SPDX-License-Identifier: Apache-2.0
"""Which tokens of a GEMM are kept."""
from __future__ import annotations

from typing import List, Optional, Tuple

from .errors import CaptureError

GROUP = 64
"""Tokens of a group: the longest block of any format, so that a group is whole blocks in all of
them."""


def check_max_rows(max_rows: Optional[int]) -> None:
    """Refuses a bound that isn't a positive multiple of 64."""
    if max_rows is None:
        return
    if not isinstance(max_rows, int) or max_rows <= 0 or max_rows % GROUP != 0:
        raise CaptureError(f"max_rows: is {max_rows!r}, not a positive multiple of {GROUP}: tokens "
                           f"are kept in whole groups of {GROUP}, or the blocks of wgrad would "
                           "change")


def kept_rows(tokens: int, max_rows: Optional[int]) -> List[Tuple[int, int]]:
    """The ranges [begin, end) of tokens to keep, ascending, begins multiples of 64, at most
    `max_rows` tokens in all.

    A function of its arguments alone, so that X and dY of a layer keep the same ones: the group in
    the middle of each of max_rows / 64 equal stretches. Only the last group of the tensor may be
    short, and then it is the last one kept: every earlier token stays in its block of wgrad.
    """
    if max_rows is None or tokens <= max_rows:
        return [(0, tokens)]
    groups = -(-tokens // GROUP)
    keep = max_rows // GROUP
    chosen = [(2 * i + 1) * groups // (2 * keep) for i in range(keep)]
    return [(group * GROUP, min((group + 1) * GROUP, tokens)) for group in chosen]
