# SPDX-License-Identifier: Apache-2.0
"""A linear layer in BF16 whose three GEMMs multiply operands that went through QDQ."""
from typing import Any, Optional, Tuple

import torch
from torch import Tensor, nn

from .numerics import BF16, Numerics
from .qdq import qdq, qdq_with_residual


class _Gemms(torch.autograd.Function):
    """fprop X W^T, dgrad dY W and wgrad dY^T X: each operand in blocks along K of its own GEMM, the
    product in FP32, the result rounded to BF16 once. The gradient passes through QDQ unchanged."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Optional[Tensor],
                numerics: Numerics) -> Tensor:
        """x [tokens, in], weight [out, in], bias [out]: [tokens, out] in the type of x."""
        ctx.save_for_backward(x, weight)
        ctx.numerics = numerics
        ctx.has_bias = bias is not None
        y = qdq_with_residual(x, *numerics) @ qdq(weight, numerics.number_format).t()
        return (y if bias is None else y + bias.float()).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Tuple[Tensor, Tensor, Optional[Tensor], None]:
        """dy [tokens, out]: dx [tokens, in], dw [out, in], db [out]."""
        x, weight = ctx.saved_tensors

        def quantized(values: Tensor) -> Tensor:
            return qdq(values, ctx.numerics.number_format)

        dx = quantized(dy) @ quantized(weight.t()).t()  # K = out
        dw = quantized(dy.t()) @ quantized(x.t()).t()  # K = tokens
        db = dy.float().sum(0).to(weight.dtype) if ctx.has_bias else None
        return dx.to(x.dtype), dw.to(weight.dtype), db, None


class Linear(nn.Linear):
    """nn.Linear in BF16 under `numerics`, which may change from call to call."""

    def __init__(self, inputs: int, outputs: int, bias: bool = False) -> None:
        super().__init__(inputs, outputs, bias=bias, dtype=torch.bfloat16)
        self.numerics = BF16

    def forward(self, x: Tensor) -> Tensor:
        """x [..., in]: [..., out]."""
        y = _Gemms.apply(x.flatten(0, -2), self.weight, self.bias, self.numerics)
        return y.unflatten(0, x.shape[:-1])
