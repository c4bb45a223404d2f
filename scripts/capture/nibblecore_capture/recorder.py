# SPDX-License-Identifier: Apache-2.0
"""What a capture is while it runs."""
from __future__ import annotations

import contextlib
import inspect
from dataclasses import dataclass
from typing import (Any, Callable, Collection, Dict, Iterator, List, Optional, Pattern, Sequence,
                    Union)

import torch

from .backward import inside_backward, on_output_gradient
from .errors import CaptureError
from .gemm import LAYOUTS, Site
from .groups import group_ranges
from .layers import module_names, weight_layout
from .product import Product
from .steps import StepFilter
from .trace_writer import TraceWriter

_LONGEST_NAME = 1024


@dataclass(frozen=True)
class Options:
    """What a capture was asked for."""

    gemms: Collection[str]
    steps: StepFilter
    max_rows: Optional[int]
    outputs: bool
    quantize_exclude: Pattern[str]
    experts: Pattern[str]


class Recorder:
    """Given by `capture`. Has hooks on the layers while the current step is one to capture, none
    otherwise."""

    def __init__(self, model: torch.nn.Module, layers: Dict[str, torch.nn.Module],
                 writer: TraceWriter, options: Options, phase: str) -> None:
        self._model = model
        self._writer = writer
        self._options = options
        self._phases = [_checked_name("phase", phase)]
        self._step = 0
        self._hooked: List[tuple] = [(module, self._linear_hook(name, module))
                                     for name, module in layers.items()]
        self._handles: List[Any] = []
        self._set_hooks()

    @property
    def skipped(self) -> Dict[str, int]:
        """What was seen and is not in the trace, counted by reason."""
        return dict(self._writer.skipped)

    @property
    def gemms(self) -> int:
        """GEMMs recorded so far."""
        return self._writer.gemms

    @property
    def is_capturing(self) -> bool:
        """Whether products of the current step are recorded."""
        return self._writer.is_open and self._options.steps.selects(self._step)

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Products of the `with` block have this phase; the innermost one counts. Backward products
        have the phase of their forward one, recomputed ones that of the block in which backward
        runs, with `.recompute` behind it."""
        self._phases.append(_checked_name("phase", name))
        try:
            yield
        finally:
            self._phases.pop()

    def step(self, number: Optional[int] = None) -> None:
        """Says which training step begins: `number`, or the next one. The first, before any call,
        is 0."""
        number = self._step + 1 if number is None else number
        if not isinstance(number, int) or number < 0:
            raise CaptureError(f"step: {number!r} is no step (an integer from 0)")
        self._step = number
        self._set_hooks()

    def observe(self, layer: str, x: torch.Tensor, weight: torch.Tensor, output: torch.Tensor, *,
                layout: str = "out_in", sizes: Union[None, Sequence[int], torch.Tensor] = None,
                expert: Optional[int] = None, count: int = 1,
                quantize: Optional[bool] = None) -> None:
        """Records a product that no hook sees: call it right behind the product, before anything is
        overwritten.

        A 2-D weight takes an input of any leading dimensions. A 3-D weight [experts, ...] takes
        either an input [experts, tokens, in], which gives records with `batch`; or an input
        [tokens, in] with the tokens sorted by expert and `sizes`, how many each expert has, which
        gives a record with `expert` for each that has any. `output` is what the product gave, with
        or without a bias; only its type and gradient count.
        """
        if not self.is_capturing:
            return
        self._record(layer, x, weight, output, layout, sizes, expert, count, quantize,
                     keep_output=False)

    def grouped(self, module: torch.nn.Module, *, weight: str = "weight", layout: str = "out_in",
                sizes: Union[None, int, Callable[..., Any]] = None,
                name: Optional[str] = None) -> None:
        """Records the products of a module that holds the weights of all experts in one 3-D
        parameter and whose forward is one grouped or batched product of its first argument.
        `sizes`: which positional argument holds the tokens of each expert, or a function of all of
        them that returns it; None for batched products. A module with a 2-D parameter that is a
        linear layer without being an nn.Linear may be given too."""
        layer = module_names(self._model).get(module, "") if name is None else name
        if not layer:
            raise CaptureError("grouped: the module is not one of the model's; give it a name")
        if not isinstance(getattr(module, weight, None), torch.Tensor):
            raise CaptureError(f"grouped: {layer} has no tensor {weight!r}")

        def observe(inputs: tuple, output: Any) -> None:
            found = sizes(*inputs) if callable(sizes) else None if sizes is None else inputs[sizes]
            self._record(layer, inputs[0], getattr(module, weight), output, layout, found, None, 1,
                         None, keep_output=False)

        self._hooked.append((module, self._forward_hook(module, observe)))
        self._set_hooks()

    def close(self) -> None:
        """Takes all hooks away."""
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def _set_hooks(self) -> None:
        self.close()
        if self.is_capturing:
            self._handles = [_register(module, hook) for module, hook in self._hooked]

    def _linear_hook(self, name: str, module: torch.nn.Module) -> Callable:
        _checked_name("layer", name)
        layout = weight_layout(module)
        has_bias = getattr(module, "bias", None) is not None
        found = self._options.experts.search(name)
        expert = int(found.group(1)) if found else None

        def observe(inputs: tuple, output: torch.Tensor) -> None:
            # What a layer with a bias gives is not its product alone.
            self._record(name, inputs[0], module.weight, output, layout, None, expert, 1, None,
                         keep_output=self._options.outputs and not has_bias)

        return self._forward_hook(module, observe)

    def _forward_hook(self, module: torch.nn.Module,
                      observe: Callable[[tuple, Any], None]) -> Callable:
        def hook(called: torch.nn.Module, inputs: tuple, *rest: Any) -> None:
            if called is not module:
                return  # a copy, made while the hook was there
            # torch 2.0 and newer put the keyword arguments in front of the output; older ones hide
            # them.
            given = inputs + (tuple(rest[0].values()) if len(rest) == 2 else ())
            if given:
                # Megatron's and vLLM's layers give their bias beside the product.
                observe(given, rest[-1][0] if isinstance(rest[-1], tuple) else rest[-1])
            else:
                self._writer.skipped["input passed by keyword"] += 1

        return hook

    def _record(self, layer: str, x: torch.Tensor, weight: torch.Tensor, output: torch.Tensor,
                layout: str, sizes: Any, expert: Optional[int], count: int,
                quantize: Optional[bool], keep_output: bool) -> None:
        with self._writer.lock, torch.no_grad():
            if not self._writer.is_open:
                return
            if layout not in LAYOUTS:
                raise CaptureError(f"layer {layer}: layout {layout!r} is none of "
                                   f"{', '.join(LAYOUTS)}")
            if not isinstance(count, int) or count < 1:
                raise CaptureError(f"layer {layer}: count {count!r} is no integer from 1")
            if quantize is None:
                quantize = self._options.quantize_exclude.search(layer) is None
            for operand in (x, weight, output):
                if not isinstance(operand, torch.Tensor):
                    raise CaptureError(f"layer {layer}: takes or gives a {type(operand).__name__}, "
                                       "not a tensor")
            site = dict(layer=_checked_name("layer", layer), phase=self._phases[-1],
                        step=self._step, quantize=quantize, layout=layout, count=count,
                        recomputed=inside_backward())
            wanted = self._wanted(x, weight, output)
            if not wanted:
                return
            parts = group_ranges(layer, x, weight, sizes, expert)
            products = []
            for part in parts:
                x_part, output_part = part.of_tokens(x), part.of_tokens(output)
                if x_part.numel() == 0:
                    self._writer.skipped["no tokens"] += 1
                    continue
                product = Product(self._writer, Site(expert=part.expert, **site), wanted,
                                  self._options.max_rows, x_part, part.of_weight(weight),
                                  output_part, keep_output)
                products.append((part, product))
        if products and not wanted.isdisjoint(("dgrad", "wgrad")):
            on_output_gradient(output, lambda gradient: self._backward(products, gradient))

    def _backward(self, products: List[tuple], gradient: torch.Tensor) -> None:
        with self._writer.lock, torch.no_grad():
            if self._writer.is_open:
                for part, product in products:
                    product.backward(part.of_tokens(gradient))

    def _wanted(self, x: torch.Tensor, weight: torch.Tensor, output: torch.Tensor) -> frozenset:
        runs = {"fprop"}
        if output.requires_grad:
            operands = (("dgrad", x), ("wgrad", weight))
            runs |= {kind for kind, operand in operands if operand.requires_grad}
        return frozenset(runs.intersection(self._options.gemms))


def _checked_name(field: str, name: str) -> str:
    if not isinstance(name, str) or not name or len(name.encode()) > _LONGEST_NAME:
        raise CaptureError(f"{field}: {name!r} is no name of 1 to {_LONGEST_NAME} bytes")
    return name


_TAKES_KEYWORDS = ("with_kwargs" in
                   inspect.signature(torch.nn.Module.register_forward_hook).parameters)


def _register(module: torch.nn.Module, hook: Callable) -> Any:
    if _TAKES_KEYWORDS:
        return module.register_forward_hook(hook, with_kwargs=True)
    return module.register_forward_hook(hook)
