# SPDX-License-Identifier: Apache-2.0
"""Quantize, then dequantize (QDQ), in torch: what a framework does in place of 4-bit hardware. Every
value equals, bit for bit, the one that `nibblecore quantize --dequantize` writes."""
from torch import Tensor

from . import hif4, mxfp4, nvfp4
from .selection import keep_all, keep_two_of_four

FORMATS = ("bf16", "mxfp4", "hif4", "nvfp4")
RESIDUALS = ("none", "2:4", "dense")
_QDQ = {"mxfp4": mxfp4.qdq, "hif4": hif4.qdq, "nvfp4": nvfp4.qdq}


def qdq(values: Tensor, number_format: str) -> Tensor:
    """Values [..., K] in FP32, through `number_format` in blocks along K; "bf16" leaves them as they
    are."""
    return values.float() if number_format == "bf16" else _QDQ[number_format](values)


def qdq_with_residual(values: Tensor, number_format: str, residual: str) -> Tensor:
    """Q(x) + S(Q(d)), d = x - Q(x), in FP32: values [..., K] with what quantization took from them,
    quantized by the same format in the same blocks (Rollout-ResQ, arXiv 2607.26515). S keeps what
    `residual`, one of RESIDUALS, says."""
    quantized = qdq(values, number_format)
    if residual == "none" or number_format == "bf16":
        return quantized
    select = keep_all if residual == "dense" else keep_two_of_four
    difference = values.float() - quantized
    if number_format == "nvfp4":  # the tensor scale of the values serves both
        return quantized + nvfp4.qdq(difference, nvfp4.tensor_scale(values), select)
    return quantized + _QDQ[number_format](difference, select=select)


__all__ = ["FORMATS", "RESIDUALS", "qdq", "qdq_with_residual"]
