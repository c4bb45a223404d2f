# SPDX-License-Identifier: Apache-2.0
"""GEMMs of a linear layer as lines of the manifest."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Optional

import torch

from .errors import CaptureError
from .operands import Reference

KINDS = ("fprop", "dgrad", "wgrad")

LAYOUTS = ("out_in", "in_out")
"""How weights are stored: nn.Linear keeps [out, in], fused experts and GPT-2's Conv1D often [in,
out]."""


@dataclass(frozen=True)
class Site:
    """Where a product stands in the run."""

    layer: str
    phase: str
    step: int
    quantize: bool = True
    layout: str = "out_in"
    expert: Optional[int] = None
    count: int = 1
    recomputed: bool = False


@dataclass(frozen=True)
class Sizes:
    """Of one layer's product, y[tokens, outputs] = x[tokens, inputs] W^T."""

    tokens: int
    inputs: int
    outputs: int
    batch: Optional[int]  # the operands' leading dimension, where they have one
    all_tokens: int  # before sampling


class Gemm:
    """What a callback is given: the line of the manifest, and the operands on request."""

    def __init__(self, record: dict, read: Callable[[Reference], torch.Tensor]) -> None:
        self.record = record
        self._read = read

    def a(self) -> torch.Tensor:
        """The operand A as it is stored, read back from the file. Inside the callback only."""
        return self._read(tuple(self.record["a"]))

    def b(self) -> torch.Tensor:
        """The operand B likewise."""
        return self._read(tuple(self.record["b"]))


def manifest_fields(kind: str, site: Site, sizes: Sizes, operands: Dict[str, Reference]) -> dict:
    """The line of one GEMM, apart from id and rank. `operands` has those of x, weight, dy that it
    needs, and `out` where that is stored. The weight gradient is dY^T X whatever the weights'
    layout: A is the gradient."""
    weight_is_out_in = site.layout == "out_in"
    m, n, k, a, ta, b, tb = {
        "fprop": (sizes.tokens, sizes.outputs, sizes.inputs, "x", 0, "weight",
                  int(weight_is_out_in)),
        "dgrad": (sizes.tokens, sizes.inputs, sizes.outputs, "dy", 0, "weight",
                  int(not weight_is_out_in)),
        "wgrad": (sizes.outputs, sizes.inputs, sizes.tokens, "dy", 1, "x", 0),
    }[kind]
    recomputed = site.recomputed and kind == "fprop"
    fields = {"phase": site.phase + (".recompute" if recomputed else ""), "layer": site.layer,
              "gemm": kind, "M": m, "N": n, "K": k, "a": list(operands[a]), "ta": ta,
              "b": list(operands[b]), "tb": tb, "quantize": site.quantize, "step": site.step}
    if kind == "fprop" and "out" in operands:
        fields["out"] = list(operands["out"])
    if site.expert is not None:
        fields["expert"] = site.expert
    if site.count != 1:
        fields["count"] = site.count
    if sizes.batch is not None:
        fields["batch"] = sizes.batch
    if sizes.all_tokens != sizes.tokens:
        fields["tokens"] = sizes.all_tokens
    return fields


def check_shapes(layer: str, layout: str, x: torch.Tensor, weight: torch.Tensor,
                 output: torch.Tensor) -> None:
    """Refuses operands that don't make one product, or a batch of them."""
    inputs, outputs = x.shape[-1], output.shape[-1]
    expected = [outputs, inputs] if layout == "out_in" else [inputs, outputs]
    leading = list(x.shape[:-2])
    fits = (x.dim() == output.dim() and x.dim() in (2, 3) and x.shape[:-1] == output.shape[:-1]
            and list(weight.shape) == leading + expected)
    if not fits:
        raise CaptureError(f"layer {layer}: input {list(x.shape)}, weight {list(weight.shape)} "
                           f"({layout}) and output {list(output.shape)} are no product of a "
                           "linear layer")
