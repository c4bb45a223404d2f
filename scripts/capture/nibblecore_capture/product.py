# SPDX-License-Identifier: Apache-2.0
"""One product of a linear layer, forward and backward."""
from __future__ import annotations

from typing import Collection, Dict, Optional

import torch

from .gemm import Site, Sizes, check_shapes, manifest_fields
from .operands import Reference
from .sampling import kept_rows
from .tensors import as_the_gemm_saw, select_rows
from .trace_writer import TraceWriter


class Product:
    """y = x W^T of [tokens, inputs] or [batch, tokens, inputs]. Stores what the wanted GEMMs need
    when it is made, so that nobody can change it any more and no tensor is held until backward."""

    def __init__(self, writer: TraceWriter, site: Site, wanted: Collection[str],
                 max_rows: Optional[int], x: torch.Tensor, weight: torch.Tensor,
                 output: torch.Tensor, keep_output: bool) -> None:
        check_shapes(site.layer, site.layout, x, weight, output)
        self._writer = writer
        self._site = site
        self._wanted = wanted
        self._rows = kept_rows(x.shape[-2], max_rows)
        kept = sum(end - begin for begin, end in self._rows)
        self._sizes = Sizes(kept, x.shape[-1], output.shape[-1],
                            x.shape[0] if x.dim() == 3 else None, x.shape[-2])
        self._operands: Dict[str, Reference] = {}
        if "fprop" in wanted or "wgrad" in wanted:
            self._put("x", "activation", as_the_gemm_saw(select_rows(x, self._rows), output))
        if "fprop" in wanted or "dgrad" in wanted:
            self._put("weight", "weight", as_the_gemm_saw(weight, output))
        if "fprop" in wanted:
            if keep_output:
                self._put("out", "output", select_rows(output, self._rows))
            self._add("fprop")

    def backward(self, gradient: torch.Tensor) -> None:
        """Records the wanted GEMMs of the backward pass, from the gradient of y."""
        self._put("dy", "gradient", select_rows(gradient, self._rows))
        for kind in ("dgrad", "wgrad"):
            if kind in self._wanted:
                self._add(kind)

    def _put(self, role: str, name: str, tensor: torch.Tensor) -> None:
        self._operands[role] = self._writer.put(f"{self._site.layer}.{name}", tensor)

    def _add(self, kind: str) -> None:
        self._writer.add(manifest_fields(kind, self._site, self._sizes, self._operands))
