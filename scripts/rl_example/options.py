# SPDX-License-Identifier: Apache-2.0
"""What a run may be told."""
from typing import NamedTuple

from .grpo import Clip
from .model import Config
from .numerics import BF16, Numerics
from .task import VOCABULARY


class Options(NamedTuple):
    """The defaults are those of the documented run."""

    seed: int = 1
    warm_up_steps: int = 170
    steps: int = 100
    problems: int = 256  # that the run draws its prompts from
    prompts: int = 32  # of a step
    samples: int = 8  # of a prompt
    minibatch_prompts: int = 16  # of an optimizer step
    rate: float = 3e-4
    clip: Clip = Clip()
    rollout: Numerics = BF16
    training: Numerics = BF16
    checkpointing: bool = False
    config: Config = Config(VOCABULARY)
