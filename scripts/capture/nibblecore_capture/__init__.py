# SPDX-License-Identifier: Apache-2.0
"""Captures the operands of a model's matrix products as a trace: `with capture(model, path):`."""
from .capture import capture
from .errors import CaptureError, CaptureWarning
from .gemm import Gemm
from .recorder import Recorder

__all__ = ["CaptureError", "CaptureWarning", "Gemm", "Recorder", "capture"]
