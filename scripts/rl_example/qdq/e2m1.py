# SPDX-License-Identifier: Apache-2.0
"""The element format of MXFP4 and NVFP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and a sign."""
import torch
from torch import Tensor

LARGEST = 6.0


def round_to_e2m1(magnitudes: Tensor) -> Tensor:
    """Magnitudes rounded to the nearest E2M1 magnitude, ties to the even code; beyond 6 to 6."""
    held = magnitudes.clamp(max=LARGEST)
    # The step is 0.5 below 2, 1 from 2 and 2 from 4; torch.round takes ties to even.
    below_2 = torch.round(held * 2) * 0.5
    below_4 = torch.round(held)
    from_4 = torch.round(held * 0.5) * 2
    return torch.where(held < 2, below_2, torch.where(held < 4, below_4, from_4))
