# SPDX-License-Identifier: Apache-2.0
"""QDQ in torch gives the bits that the program gives."""
import os
import tempfile
import unittest

import torch
from program import EXAMPLE, FORMATS, bits, read_fp32, run_program, write_tensors
from support import Trace

from rl_example.qdq import RESIDUALS, qdq, qdq_with_residual


def any_numbers(shape, generator, dtype=torch.float32):
    """Every bit pattern of a number, as likely as any other."""
    width = torch.int32 if dtype is torch.float32 else torch.int16
    limit = torch.iinfo(width).max
    numbers = torch.randint(-limit - 1, limit + 1, shape, generator=generator).to(width).view(dtype)
    return torch.where(torch.isfinite(numbers), numbers, torch.zeros((), dtype=dtype))


def awkward_tensors(length):
    """Tensors [rows, length] by name."""
    g = torch.Generator().manual_seed(length)
    normal = torch.randn(37, length, generator=g)
    holes = torch.rand(37, length, generator=g) < 0.7
    binades = torch.randint(-60, 61, (37, length), generator=g).float().exp2()
    return {
        "normal": normal,
        "bf16": normal.bfloat16(),
        "wide": normal * binades,
        "holes": normal.masked_fill(holes, -0.0),
        "zero": torch.zeros(3, length),
        "minus_zero": -torch.zeros(3, length),
        "subnormal": normal * 2.0**-130,
        "large": normal.clamp(-3, 3) * 2.0**126,
        "ties": torch.randint(-64, 65, (200, length), generator=g).float() / 8,
        "any_fp32": any_numbers((200, length), g),
        "any_bf16": any_numbers((200, length), g, torch.bfloat16),
    }


class QdqTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def check(self, path, tensors):
        """Every value of every format and residual; NaN equals NaN."""
        for number_format in FORMATS:
            for residual in RESIDUALS:
                out = os.path.join(self.root, "out.safetensors")
                run_program("quantize", path, "-o", out, "--format", number_format, "--residual", residual,
                            "--dequantize", "--threads", "1")
                expected = read_fp32(out)
                for name, tensor in tensors.items():
                    with self.subTest(number_format=number_format, residual=residual, tensor=name):
                        of_program = expected[f"{name}.dequantized"]
                        found = qdq_with_residual(tensor, number_format, residual)
                        differ = (bits(found) != bits(of_program)) & ~(found.isnan() & of_program.isnan())
                        self.assertEqual(int(differ.sum()), 0)

    def test_awkward_values(self):
        # Lengths that no block divides, that one divides, and that all do.
        tensors = {f"{name}_{length}": tensor for length in (1, 3, 16, 31, 64, 80, 200)
                   for name, tensor in awkward_tensors(length).items()}
        path = os.path.join(self.root, "in.safetensors")
        write_tensors(path, tensors)
        self.check(path, tensors)

    def test_captured_values(self):
        trace = Trace(EXAMPLE)
        files = {file for file, _ in trace.tensors}
        self.assertEqual(len(files), 1)
        self.check(os.path.join(EXAMPLE, files.pop()), {name: t for (_, name), t in trace.tensors.items()})

    def test_no_number_makes_its_block_nan(self):
        for number_format, block in (("mxfp4", 32), ("hif4", 64)):
            for value in (float("nan"), float("inf"), float("-inf")):
                values = torch.ones(2, 3 * block)
                values[1, block + 5] = value
                found = qdq(values, number_format).isnan()
                self.assertEqual(found.sum().item(), block)
                self.assertTrue(bool(found[1, block:2 * block].all()))

    def test_values_by_hand(self):
        values = torch.tensor([[6.5, -5.0, 3.0, 1.5, -0.75, 0.5, -0.375, 0.0625]])
        self.assertEqual(qdq(values, "mxfp4").tolist(), [[6, -4, 3, 2, -1, 0, -0.0, 0]])
        self.assertEqual(qdq_with_residual(values, "mxfp4", "2:4").tolist(),
                         [[6.5, -5, 3, 2, -1, 0.5, -0.375, 0]])

    def test_bf16_changes_nothing(self):
        values = torch.randn(5, 7).bfloat16()
        self.assertTrue(torch.equal(qdq(values, "bf16"), values.float()))


if __name__ == "__main__":
    unittest.main()
