# SPDX-License-Identifier: Apache-2.0
"""What the tests of the capture package share: a small model, and a reader of traces written
apart."""
import json
import os
import struct
import tempfile
import unittest

import torch
from torch.utils.checkpoint import checkpoint

DTYPES = {"F32": (torch.float32, 4), "BF16": (torch.bfloat16, 2)}


class Block(torch.nn.Module):
    """Attention-like mixing and a gated MLP: q, k, v share an input, so do gate and up; q's output
    is overwritten in place."""

    def __init__(self, width=64, bias=True):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.q_proj = torch.nn.Linear(width, width, bias=bias)
        self.k_proj = torch.nn.Linear(width, width, bias=False)
        self.v_proj = torch.nn.Linear(width, width, bias=bias)
        self.gate_proj = torch.nn.Linear(width, 96, bias=False)
        self.up_proj = torch.nn.Linear(width, 96, bias=bias)
        self.down_proj = torch.nn.Linear(96, width, bias=False)

    def forward(self, x):
        h = self.norm(x)
        query = self.q_proj(h).relu_()
        weights = torch.softmax(query @ self.k_proj(h).transpose(-1, -2) / 8, -1)
        x = x + weights @ self.v_proj(h)
        return x + self.down_proj(torch.nn.functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Model(torch.nn.Module):
    """Two blocks between an embedding and a head. `reentrant`: None for no activation
    checkpointing."""

    def __init__(self, reentrant=None, tied=False):
        super().__init__()
        torch.manual_seed(3)
        self.embedding = torch.nn.Embedding(64, 64)
        self.layers = torch.nn.ModuleList([Block(), Block(bias=False)])
        self.lm_head = torch.nn.Linear(64, 64, bias=False)
        if tied:
            self.lm_head.weight = self.embedding.weight
        self.reentrant = reentrant

    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            if self.reentrant is None or not torch.is_grad_enabled():
                x = layer(x)
            else:
                x = checkpoint(layer, x, use_reentrant=self.reentrant)
        return self.lm_head(x)


LINEAR = [f"layers.{layer}.{name}_proj" for layer in (0, 1)
          for name in ("q", "k", "v", "gate", "up", "down")]


def tokens(sequences=3, length=50, seed=5):
    """Random tokens of `Model`."""
    return torch.randint(0, 64, (sequences, length), generator=torch.Generator().manual_seed(seed))


def loss(logits):
    """A scalar whose gradient differs from token to token."""
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2).float(),
                                             torch.arange(logits[..., 0].numel()) % 64)


class Trace:
    """A trace folder read whole: `records`, and `tensors` by [file, tensor]. Refuses what the
    format forbids."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "gemms.jsonl"), encoding="utf-8") as manifest:
            self.records = [json.loads(line) for line in manifest]
        self.tensors = {}
        for file in sorted(os.listdir(folder)):
            if file.endswith(".safetensors"):
                self._read(file)

    def operand(self, record, which):
        """The tensor of field `which`, as it is stored."""
        return self.tensors[tuple(record[which])]

    def find(self, **fields):
        """The records that have these fields."""
        return [record for record in self.records if fields.items() <= record.items()]

    def one(self, **fields):
        """The only such record."""
        found = self.find(**fields)
        if len(found) != 1:
            raise AssertionError(f"{len(found)} records have {fields}")
        return found[0]

    def _read(self, file):
        with open(os.path.join(self.folder, file), "rb") as stream:
            content = stream.read()
        size = struct.unpack("<Q", content[:8])[0]
        data = bytearray(content[8 + size:])
        end = 0
        for name, entry in json.loads(content[8:8 + size]).items():
            dtype, width = DTYPES[entry["dtype"]]
            begin = end
            elements = int(torch.tensor(entry["shape"]).prod())
            end = begin + elements * width
            if entry["data_offsets"] != [begin, end]:
                raise AssertionError(f"{file}: {name} is at {entry['data_offsets']}, not at "
                                     f"{[begin, end]}")
            self.tensors[(file, name)] = torch.frombuffer(
                data, dtype=dtype, count=elements, offset=begin).reshape(entry["shape"])
        if end != len(data):
            raise AssertionError(f"{file}: {len(data)} bytes, {end} of them in tensors")


class CaptureTest(unittest.TestCase):
    """Has a folder of its own; `self.path` in it does not exist yet."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.path = os.path.join(folder.name, "trace")

    def assert_product(self, a, b, result):
        """`result` (F32) is the product of two F32 matrices, or of batches of them: every element
        lies as close to the exact one as sums of K products in any order may, K u / (1 - K u) times
        the sum of the products' magnitudes (Higham, Accuracy and Stability of Numerical Algorithms,
        3.1)."""
        a, b = a.double(), b.double()
        terms = a.shape[-1] * 2.0 ** -24
        bound = terms / (1 - terms) * (a.abs() @ b.abs())
        self.assertTrue(bool(((a @ b - result).abs() <= bound).all()))
        self.assertGreater(float(result.abs().max()), 0)

    def assert_nothing_left(self):
        """Neither a trace nor a part of one."""
        self.assertEqual(os.listdir(self.root), [])
