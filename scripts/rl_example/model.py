# SPDX-License-Identifier: Apache-2.0
"""A small model of Qwen2's shape, in BF16, with the module names of Hugging Face's."""
from typing import NamedTuple, Optional

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from .attention import Attention, Cache
from .linear import Linear
from .numerics import Numerics


class Config(NamedTuple):
    """Widths that blocks of 16, 32 and 64 don't divide, on purpose."""

    vocabulary: int
    hidden: int = 80
    intermediate: int = 200
    layers: int = 3
    heads: int = 4
    kv_heads: int = 2
    rope_base: float = 10000.0
    tied_head: bool = False


class RmsNorm(nn.Module):
    """x over its root mean square, times a weight; in FP32 inside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, dtype=torch.bfloat16))

    def forward(self, x: Tensor) -> Tensor:
        """x [..., width]: the same shape and type."""
        wide = x.float()
        scaled = wide * (wide.square().mean(-1, keepdim=True) + 1e-6).rsqrt()
        return (scaled * self.weight.float()).to(x.dtype)


class Mlp(nn.Module):
    """SwiGLU."""

    def __init__(self, hidden: int, intermediate: int) -> None:
        super().__init__()
        self.gate_proj = Linear(hidden, intermediate)
        self.up_proj = Linear(hidden, intermediate)
        self.down_proj = Linear(intermediate, hidden)

    def forward(self, x: Tensor) -> Tensor:
        """x [..., hidden]: the same shape."""
        return self.down_proj(nn.functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """Attention, then SwiGLU, each behind a norm and beside a skip."""

    def __init__(self, config: Config, index: int) -> None:
        super().__init__()
        self.input_layernorm = RmsNorm(config.hidden)
        self.self_attn = Attention(index, config.hidden, config.heads, config.kv_heads,
                                   config.rope_base)
        self.post_attention_layernorm = RmsNorm(config.hidden)
        self.mlp = Mlp(config.hidden, config.intermediate)

    def forward(self, x: Tensor, cache: Optional[Cache]) -> Tensor:
        """x [sequences, positions, hidden]: the same shape."""
        x = x + self.self_attn(self.input_layernorm(x), cache)
        return x + self.mlp(self.post_attention_layernorm(x))


class Body(nn.Module):
    """Everything below the head."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocabulary, config.hidden, dtype=torch.bfloat16)
        self.layers = nn.ModuleList(Layer(config, i) for i in range(config.layers))
        self.norm = RmsNorm(config.hidden)


class Policy(nn.Module):
    """Token numbers to the logarithms of the next token's probabilities."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.checkpointing = False  # forget activations, compute them again going backward
        self.model = Body(config)
        self.lm_head = Linear(config.hidden, config.vocabulary)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.1)
        if config.tied_head:
            self.lm_head.weight = self.model.embed_tokens.weight

    def use(self, numerics: Numerics) -> None:
        """Sets the numerics of all linear layers but the head, which stays in BF16."""
        for module in self.model.modules():
            if isinstance(module, Linear):
                module.numerics = numerics

    def forward(self, tokens: Tensor, cache: Optional[Cache] = None,
                last_only: bool = False) -> Tensor:
        """tokens [sequences, positions], behind those that the cache has: FP32 [sequences, positions
        or 1, vocabulary]."""
        x = self.model.embed_tokens(tokens)
        for layer in self.model.layers:
            if self.checkpointing and torch.is_grad_enabled():
                x = checkpoint(layer, x, cache, use_reentrant=False)
            else:
                x = layer(x, cache)
        x = self.model.norm(x[:, -1:] if last_only else x)
        return self.lm_head(x).float().log_softmax(-1)
