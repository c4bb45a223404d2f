# SPDX-License-Identifier: Apache-2.0
"""Makes a trace of what TransformerEngine's DumpTensors wrote:
python -m nibblecore_capture.from_te LOG_DIR -o TRACE"""
from __future__ import annotations

import argparse
import os
import pickle
import re
import sys
from typing import Dict, List, Optional, Tuple

import torch

from .errors import CaptureError
from .gemm import Site
from .layers import QUANTIZE_EXCLUDE, compile_pattern
from .product import Product
from .sampling import check_max_rows
from .trace_writer import TraceWriter

_RANK = re.compile(r"rank_(\d+)")
# Both layouts that its versions have: a folder for each iteration, or the iteration in the name.
_FILE = re.compile(r"(?:iter_(?P<folder>\d+)/)?(?P<layer>.+)_"
                   r"(?P<tensor>activation|gradient|weight|output|wgrad|dgrad)"
                   r"(?:_iter_(?P<name>\d+))?\.pt")

Key = Tuple[int, str]
"""Iteration and layer."""


def convert(log_dir: str, trace: str, phase: str = "train", max_rows: Optional[int] = None,
            quantize_exclude: str = QUANTIZE_EXCLUDE) -> Dict[str, Dict[str, int]]:
    """Writes a folder `rank<r>` in `trace` for each rank of the dumps. GEMMs of a layer need the
    high-precision tensors of the same iteration: fprop activation and weight, dgrad gradient and
    weight, wgrad both of the others. Returns, of each folder, how many GEMMs it has and how many
    are missing by reason."""
    check_max_rows(max_rows)
    pattern = compile_pattern("quantize_exclude", quantize_exclude)
    dumps = os.path.join(log_dir, "tensor_dumps")
    if not os.path.isdir(dumps):
        raise CaptureError(f"{dumps}: is no folder; DumpTensors writes tensor_dumps/rank_<r> in "
                           "its log folder")
    matches = map(_RANK.fullmatch, os.listdir(dumps))
    ranks = sorted(int(match.group(1)) for match in matches if match)
    if not ranks:
        raise CaptureError(f"{dumps}: has no rank_<r>")
    result = {}
    for rank in ranks:
        files = _files(os.path.join(dumps, f"rank_{rank}"))
        writer = TraceWriter(trace, rank, None)
        try:
            for (iteration, layer), tensors in files:
                site = Site(layer, phase, iteration, quantize=pattern.search(layer) is None)
                _add_layer(writer, site, tensors, max_rows)
        except BaseException:
            writer.abandon()
            raise
        writer.finish()
        result[os.path.join(trace, f"rank{rank}")] = {"GEMMs": writer.gemms, **writer.skipped}
    return result


def _files(folder: str) -> List[Tuple[Key, Dict[str, str]]]:
    found: Dict[Key, Dict[str, str]] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            match = _FILE.fullmatch(os.path.relpath(path, folder).replace(os.sep, "/"))
            iteration = match and (match["folder"] or match["name"])
            if iteration:
                found.setdefault((int(iteration), match["layer"]), {})[match["tensor"]] = path
    return sorted(found.items(), key=lambda item: (item[0][0], _natural(item[0][1])))


def _natural(name: str) -> List[object]:
    """Orders layers.2 before layers.10. Texts and numbers alternate, so that they are never
    compared."""
    return [int(part) if index % 2 else part for index, part in enumerate(re.split(r"(\d+)", name))]


def _add_layer(writer: TraceWriter, site: Site, paths: Dict[str, str],
               max_rows: Optional[int]) -> None:
    used = ("activation", "weight", "gradient")
    tensors = {name: _load(paths[name]) for name in used if name in paths}
    needs = {"fprop": ("activation", "weight"), "dgrad": ("gradient", "weight"),
             "wgrad": ("gradient", "activation")}
    wanted = []
    for kind, names in needs.items():
        missing = [name for name in names if name not in tensors]
        for name in missing:
            writer.skipped[f"{kind} without {name}"] += 1
        if not missing:
            wanted.append(kind)
    if not wanted:
        return
    x, weight, gradient = (tensors.get(name) for name in ("activation", "weight", "gradient"))
    tokens = (x if x is not None else gradient).shape[:-1].numel()
    # What is missing has no values, only a shape.
    outputs, inputs = weight.shape if weight is not None else (gradient.shape[-1], x.shape[-1])
    x, weight, gradient_or_shape = (
        torch.empty(shape, device="meta") if tensor is None else tensor.reshape(shape)
        for tensor, shape in ((x, (tokens, inputs)), (weight, (outputs, inputs)),
                              (gradient, (tokens, outputs))))
    product = Product(writer, site, wanted, max_rows, x, weight, gradient_or_shape,
                      keep_output=False)
    if gradient is not None:
        product.backward(gradient_or_shape)


def _load(path: str) -> torch.Tensor:
    try:
        # Tensors only: unpickling anything else may run code.
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError) as error:
        raise CaptureError(f"{path}: holds more than plain tensors, or is damaged; dump with "
                           "quantized_tensor: False") from error
    if not isinstance(content, dict) or not isinstance(content.get("high_precision"), torch.Tensor):
        raise CaptureError(f"{path}: has no tensor high_precision; dump with "
                           "high_precision_tensor: True")
    tensor = content["high_precision"]
    if tensor.dim() < 2:
        raise CaptureError(f"{path}: shape {list(tensor.shape)} is no matrix")
    return tensor


def main(words: Optional[List[str]] = None) -> int:
    """The command; `words` are its arguments, those of the process if None. Returns the exit
    code."""
    parser = argparse.ArgumentParser(prog="nibblecore_capture.from_te",
                                     description="TransformerEngine dumps to a trace")
    parser.add_argument("log_dir", help="DumpTensors' log folder, which has tensor_dumps")
    parser.add_argument("-o", "--output", required=True, help="folder for one trace a rank")
    parser.add_argument("--phase", default="train")
    parser.add_argument("--max-rows", type=int,
                        help="tokens to keep of each GEMM, a multiple of 64")
    parser.add_argument("--quantize-exclude", default=QUANTIZE_EXCLUDE,
                        help="layers that stay in high precision")
    arguments = parser.parse_args(words)
    try:
        result = convert(arguments.log_dir, arguments.output, arguments.phase, arguments.max_rows,
                         arguments.quantize_exclude)
    except CaptureError as error:
        print(f"from_te: {error}", file=sys.stderr)
        return 2
    for folder, counts in result.items():
        print(f"{folder}: " + ", ".join(f"{count} {reason}" for reason, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
