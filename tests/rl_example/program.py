# SPDX-License-Identifier: Apache-2.0
"""The program, and safetensors files for it, written apart from the capture package's."""
import json
import os
import struct
import subprocess
from typing import Dict

import torch
from torch import Tensor

PROGRAM = os.environ["NIBBLECORE_PROGRAM"]
SOURCE = os.environ["NIBBLECORE_SOURCE_DIR"]
EXAMPLE = os.path.join(SOURCE, "tests", "data", "example_grpo")
FORMATS = ("mxfp4", "hif4", "nvfp4")


def run_program(*arguments: str) -> str:
    """Its standard output; raises unless it succeeds."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"nibblecore {' '.join(arguments)}: {done.returncode}: {done.stderr}")
    return done.stdout


def replay(trace: str, out: str, *arguments: str) -> dict:
    """The report of a replay; raises where a bit differs."""
    run_program("replay", trace, "-o", out, *arguments)
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def bits(values: Tensor) -> Tensor:
    """Of BF16 or FP32 numbers."""
    return values.contiguous().view(torch.int16 if values.dtype is torch.bfloat16 else torch.int32)


def write_tensors(path: str, tensors: Dict[str, Tensor]) -> None:
    """BF16 and FP32 tensors as a safetensors file."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        content = bits(tensor).numpy().tobytes()
        header[name] = {"dtype": "BF16" if tensor.dtype is torch.bfloat16 else "F32",
                        "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_fp32(path: str) -> Dict[str, Tensor]:
    """The FP32 tensors of a safetensors file."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    size = struct.unpack("<Q", content[:8])[0]
    tensors = {}
    for name, entry in json.loads(content[8:8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            # Copied: offsets need not be aligned.
            tensors[name] = torch.frombuffer(bytearray(content[begin:end]), dtype=torch.float32).reshape(
                entry["shape"])
    return tensors
