# SPDX-License-Identifier: Apache-2.0
"""What the operands of the linear layers' GEMMs pass through."""
from typing import NamedTuple


class Numerics(NamedTuple):
    """A format of qdq.FORMATS for both operands of fprop, dgrad and wgrad, and which residual
    (qdq.RESIDUALS) of its activations fprop adds."""

    number_format: str = "bf16"
    residual: str = "none"


BF16 = Numerics()
