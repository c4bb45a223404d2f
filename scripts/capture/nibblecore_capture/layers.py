# SPDX-License-Identifier: Apache-2.0
"""The linear layers of a model, and what their names say."""
from __future__ import annotations

import re
from typing import Dict, Optional, Sequence, Union

import torch

from .errors import CaptureError

QUANTIZE_EXCLUDE = r"(^|\.)(lm_head|router|gate|shared_expert_gate)(\.|$)"
"""Layers that the published recipes leave in high precision: the head and routers. `gate_proj` is
none of them."""

EXPERTS = r"(?:^|\.)(?:local_)?experts\.(\d+)(?:\.|$)"
"""Where a name holds the number of an expert."""

_WRAPPERS = re.compile(r"(^|\.)(?:_fsdp_wrapped_module|_checkpoint_wrapped_module|_orig_mod)(?=\.)")


def weight_layout(module: torch.nn.Module) -> Optional[str]:
    """How a linear layer stores its weights; None for any other module."""
    if isinstance(module, torch.nn.Linear):
        return "out_in"
    # GPT-2's, of the transformers library, which capture doesn't depend on.
    if type(module).__name__ == "Conv1D" and hasattr(module, "nf") and hasattr(module, "weight"):
        return "in_out"
    return None


def module_names(model: torch.nn.Module) -> Dict[torch.nn.Module, str]:
    """All modules with their paths, as they were before anything wrapped them (data parallelism,
    FSDP, checkpointing, compilation). A module that is used under several names has its first."""
    if type(model).__name__ in ("DataParallel", "DistributedDataParallel"):
        model = model.module
    names = {}
    for name, module in model.named_modules():
        names[module] = _WRAPPERS.sub("", "." + name).strip(".")
    return names


def choose_layers(model: torch.nn.Module,
                  layers: Union[None, str, Sequence[str]]) -> Dict[str, torch.nn.Module]:
    """The linear layers that `layers` names: a regular expression, found anywhere in the path; a
    list of paths; None for all."""
    linear = {name or type(module).__name__: module for module, name in module_names(model).items()
              if weight_layout(module) is not None}
    if layers is None:
        chosen = linear
    elif isinstance(layers, str):
        pattern = compile_pattern("layers", layers)
        chosen = {name: module for name, module in linear.items() if pattern.search(name)}
        if not chosen:
            raise CaptureError(f"layers: {layers!r} matches none of the {len(linear)} linear layers"
                               f"{_some(linear)}")
    else:
        missing = [name for name in layers if name not in linear]
        if missing:
            raise CaptureError(f"layers: no linear layer is called {missing[0]!r}{_some(linear)}")
        chosen = {name: linear[name] for name in layers}
    return chosen


def compile_pattern(name: str, pattern: str) -> "re.Pattern[str]":
    """A regular expression that a caller gave as the argument `name`."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise CaptureError(f"{name}: {pattern!r} is no regular expression: {error}") from error


def _some(linear: Dict[str, torch.nn.Module]) -> str:
    return f" (such as {', '.join(list(linear)[:3])})" if linear else ""
