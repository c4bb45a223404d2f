# SPDX-License-Identifier: Apache-2.0
"""Causal attention with grouped key and value heads, rotary positions, and a cache for decoding."""
from typing import List, Optional, Tuple

import torch
from torch import Tensor, nn

from .linear import Linear


class Cache:
    """Keys and values of each layer so far, [sequences, kv heads, positions, head width]."""

    def __init__(self, layers: int) -> None:
        self.layers: List[Optional[Tuple[Tensor, Tensor]]] = [None] * layers

    def length(self, layer: int) -> int:
        """Positions that a layer has so far."""
        known = self.layers[layer]
        return 0 if known is None else known[0].shape[2]

    def extend(self, layer: int, keys: Tensor, values: Tensor) -> Tuple[Tensor, Tensor]:
        """Appends positions; returns all of the layer."""
        known = self.layers[layer]
        if known is not None:
            keys = torch.cat((known[0], keys), 2)
            values = torch.cat((known[1], values), 2)
        self.layers[layer] = keys, values
        return keys, values

    def select(self, sequences: Tensor) -> None:
        """Keeps these sequences, in this order, each as often as it is named."""
        self.layers = [(keys[sequences], values[sequences])
                       for keys, values in filter(None, self.layers)]


def rotate(x: Tensor, first_position: int, base: float) -> Tensor:
    """Rotary embedding in the layout of Qwen2, halves of x [..., positions, width], in FP32."""
    half = x.shape[-1] // 2
    frequencies = base ** (-torch.arange(half) / half)
    positions = first_position + torch.arange(x.shape[-2])
    angles = positions[:, None] * frequencies
    cosine, sine = angles.cos(), angles.sin()
    a, b = x.float().split(half, -1)
    return torch.cat((a * cosine - b * sine, b * cosine + a * sine), -1).to(x.dtype)


class Attention(nn.Module):
    """Products of queries, keys and values stay in FP32 over BF16 operands, as recipes keep them in
    high precision."""

    def __init__(self, layer: int, hidden: int, heads: int, kv_heads: int, rope_base: float) -> None:
        super().__init__()
        self.layer, self.heads, self.kv_heads, self.rope_base = layer, heads, kv_heads, rope_base
        self.width = hidden // heads
        self.q_proj = Linear(hidden, heads * self.width, bias=True)
        self.k_proj = Linear(hidden, kv_heads * self.width, bias=True)
        self.v_proj = Linear(hidden, kv_heads * self.width, bias=True)
        self.o_proj = Linear(heads * self.width, hidden)

    def forward(self, x: Tensor, cache: Optional[Cache]) -> Tensor:
        """x [sequences, positions, hidden], behind those that the cache has: the same shape."""
        past = 0 if cache is None else cache.length(self.layer)
        queries = rotate(self._heads(self.q_proj(x), self.heads), past, self.rope_base)
        keys = rotate(self._heads(self.k_proj(x), self.kv_heads), past, self.rope_base)
        values = self._heads(self.v_proj(x), self.kv_heads)
        if cache is not None:
            keys, values = cache.extend(self.layer, keys, values)
        group = self.heads // self.kv_heads
        keys, values = (t.float().repeat_interleave(group, 1) for t in (keys, values))
        scores = queries.float() @ keys.transpose(-1, -2) * self.width**-0.5
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(past + 1)
        mixed = scores.masked_fill(future, float("-inf")).softmax(-1) @ values
        return self.o_proj(mixed.transpose(1, 2).flatten(2).to(x.dtype))

    def _heads(self, x: Tensor, heads: int) -> Tensor:
        return x.unflatten(-1, (heads, self.width)).transpose(1, 2)
