# SPDX-License-Identifier: Apache-2.0
"""Which elements of a quantized block are kept: all of them, or two of every four."""
from typing import Callable

import torch
from torch import Tensor

# From signed elements [..., block], in front of their scale, to those that are kept; +0 elsewhere.
Selection = Callable[[Tensor], Tensor]


def keep_all(elements: Tensor) -> Tensor:
    """The elements as they are."""
    return elements


def keep_two_of_four(elements: Tensor) -> Tensor:
    """The two largest magnitudes of every four, the first ones where they tie."""
    quads = elements.unflatten(-1, (-1, 4))
    mine, other = quads.abs().unsqueeze(-1), quads.abs().unsqueeze(-2)
    is_earlier = torch.ones(4, 4, dtype=torch.bool).tril(-1)
    rank = ((other > mine) | ((other == mine) & is_earlier)).sum(-1)
    return torch.where(rank < 2, quads, torch.zeros(())).flatten(-2)
