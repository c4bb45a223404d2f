# SPDX-License-Identifier: Apache-2.0
"""A grouped product as one product for each expert."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional

import torch

from .errors import CaptureError


@dataclass(frozen=True)
class Part:
    """One product of those that a call makes."""

    expert: Optional[int]
    begin: Optional[int] = None  # its tokens, where tokens are sorted by expert
    end: Optional[int] = None
    batched: bool = False

    def of_tokens(self, tensor: torch.Tensor) -> torch.Tensor:
        """Its rows of the input, the output or the output's gradient."""
        if self.begin is not None:
            return tensor[self.begin:self.end]
        if self.batched:
            return tensor
        return tensor.reshape(-1, tensor.shape[-1])

    def of_weight(self, weight: torch.Tensor) -> torch.Tensor:
        """Its weights."""
        return weight if self.begin is None else weight[self.expert]


def group_ranges(layer: str, x: torch.Tensor, weight: torch.Tensor, sizes: Any,
                 expert: Optional[int]) -> List[Part]:
    """The products of a call: one for a 2-D weight, one with a batch for a 3-D weight without
    sizes, else one for each expert, in order."""
    if sizes is None:
        return [Part(expert, batched=weight.dim() == 3)]
    counts = [int(size) for size in (sizes.tolist() if isinstance(sizes, torch.Tensor) else sizes)]
    if weight.dim() != 3 or x.dim() != 2 or len(counts) != weight.shape[0]:
        raise CaptureError(f"layer {layer}: {len(counts)} group sizes don't fit input "
                           f"{list(x.shape)} and weight {list(weight.shape)}")
    if any(size < 0 for size in counts) or sum(counts) > x.shape[0]:
        raise CaptureError(f"layer {layer}: group sizes {counts} are no shares of {x.shape[0]} "
                           "tokens")
    parts, begin = [], 0
    for number, size in enumerate(counts):
        parts.append(Part(number, begin, begin + size))
        begin += size
    return parts
