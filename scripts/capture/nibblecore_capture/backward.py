# SPDX-License-Identifier: Apache-2.0
"""The backward pass: output gradients, and forward passes that run again inside it."""
from __future__ import annotations

import sys
from typing import Callable

import torch

_FRAMES_OF_BACKWARD = (
    ("torch/autograd/__init__.py", ("backward", "grad")),
    # A custom function's backward, which is how checkpointing with re-entrant backward recomputes.
    ("torch/autograd/function.py", ("apply",)),
    # Checkpointing by saved-tensor hooks: the engine's own threads have no frame of autograd above
    # it.
    ("torch/utils/checkpoint.py", ("unpack", "unpack_hook")),
)


def on_output_gradient(output: torch.Tensor, call: Callable[[torch.Tensor], None]) -> None:
    """Calls with the whole gradient of `output`, in its shape, each time that backward reaches it.

    The hook sits on the graph's node, not on the tensor: an activation that later overwrites the
    output in place moves the tensor to another node. Overwriting a view (a linear layer of 3-D
    input gives one) even takes the view's node out of the graph; the node of the product that the
    view shows stays.
    """
    shown = output._base if output._is_view() else None
    if shown is not None and shown.grad_fn is not None and _same_elements(output, shown):
        node, index = shown.grad_fn, shown.output_nr
    else:
        node, index = output.grad_fn, output.output_nr
    shape = output.shape

    def hook(_, output_gradients) -> None:
        gradient = output_gradients[index]
        if gradient is not None:
            call(gradient.detach().reshape(shape))

    node.register_hook(hook)


def _same_elements(view: torch.Tensor, base: torch.Tensor) -> bool:
    return (view.numel() == base.numel() and view.is_contiguous() and base.is_contiguous()
            and view.storage_offset() == base.storage_offset())


def inside_backward() -> bool:
    """Whether this runs within a backward pass, and a forward product therefore is a recomputed
    one."""
    task = getattr(torch._C, "_current_graph_task_id", None)  # from torch 2.0 on
    if task is not None:
        return task() != -1
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        for file, names in _FRAMES_OF_BACKWARD:
            if code.co_name in names and code.co_filename.replace("\\", "/").endswith(file):
                return True
        frame = frame.f_back
    return False
