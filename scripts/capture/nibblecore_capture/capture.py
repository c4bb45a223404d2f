# SPDX-License-Identifier: Apache-2.0
"""The context manager."""
from __future__ import annotations

import contextlib
import os
import warnings
from typing import Callable, Iterable, Iterator, Optional, Sequence, Union

import torch

from .errors import CaptureError, CaptureWarning
from .gemm import KINDS, Gemm
from .layers import EXPERTS, QUANTIZE_EXCLUDE, choose_layers, compile_pattern
from .recorder import Options, Recorder
from .sampling import check_max_rows
from .steps import StepFilter
from .trace_writer import TraceWriter


@contextlib.contextmanager
def capture(model: torch.nn.Module, path: Union[str, "os.PathLike[str]"], *,
            layers: Union[None, str, Sequence[str]] = None, gemms: Sequence[str] = KINDS,
            steps: Optional[Iterable[int]] = None, freq: Optional[int] = None,
            start_step: Optional[int] = None, end_step: Optional[int] = None,
            max_rows: Optional[int] = None, phase: str = "train",
            callback: Optional[Callable[[Gemm], None]] = None, outputs: bool = False,
            quantize_exclude: str = QUANTIZE_EXCLUDE, experts: str = EXPERTS,
            rank: Optional[int] = None) -> Iterator[Recorder]:
    """Captures the GEMMs of the model's linear layers within the `with` block as a trace in the
    folder `path`, or in its `rank<r>` where torch.distributed is initialised or a rank is given.

    The folder appears when the block ends, whole, and not at all if it ends by an exception or the
    process dies.

    layers            regular expression found anywhere in a path, or a list of paths; None: every
                      linear layer
    gemms             which of fprop, dgrad, wgrad
    steps             step numbers; or freq, start_step, end_step as TransformerEngine has them;
                      none: every step
    max_rows          tokens to keep of each product, in whole aligned groups of 64; None: all
    phase             of products outside of any `recorder.phase`
    callback          is called with a Gemm behind each line that is written
    outputs           store what layers without bias gave as `out` of fprop, too
    quantize_exclude  regular expression of layers that stay in high precision (`quantize` false)
    experts           regular expression whose group 1 is the expert's number in a path
    rank              of this process; None: that of torch.distributed if it is initialised
    """
    unknown = [kind for kind in gemms if kind not in KINDS]
    if isinstance(gemms, str) or unknown or not gemms:
        raise CaptureError(f"gemms: {gemms!r} is no list of {', '.join(KINDS)}")
    check_max_rows(max_rows)
    options = Options(frozenset(gemms), StepFilter(steps, freq, start_step, end_step), max_rows,
                      outputs, compile_pattern("quantize_exclude", quantize_exclude),
                      compile_pattern("experts", experts))
    chosen = choose_layers(model, layers)
    writer = TraceWriter(os.fspath(path), _rank(rank), callback)
    recorder = None
    try:
        recorder = Recorder(model, chosen, writer, options, phase)
        yield recorder
    except BaseException:
        writer.abandon()
        raise
    finally:
        if recorder is not None:
            recorder.close()
    writer.finish()
    if writer.gemms == 0:
        warnings.warn(f"{os.fspath(path)}: nothing was captured, so there is no trace: no chosen "
                      "layer ran in a chosen step (recorder.step says which step begins; the first "
                      "is 0)", CaptureWarning, stacklevel=3)


def _rank(rank: Optional[int]) -> Optional[int]:
    if rank is None:
        distributed = torch.distributed
        in_group = distributed.is_available() and distributed.is_initialized()
        return distributed.get_rank() if in_group else None
    if not isinstance(rank, int) or rank < 0:
        raise CaptureError(f"rank: {rank!r} is no rank (an integer from 0)")
    return rank
