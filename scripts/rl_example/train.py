# SPDX-License-Identifier: Apache-2.0
"""A run: warm-up, steps of GRPO, and one more step that is captured."""
import contextlib
from typing import Callable, List, NamedTuple, Optional

import torch

from .model import Policy
from .optimizer import MasterAdamW
from .options import Options
from .problem_pool import ProblemPool
from .rollout import roll_out
from .step import StepFigures, run_step
from .task import draw_problems
from .warm_up import warm_up

EVALUATION_PROBLEMS = 400
RAMP = 10  # steps in which the rate grows to its value: Adam's first ones are otherwise too long
# Random numbers of each use are a stream of their own.
_WARM_UP_STREAM, _PROBLEM_STREAM, _SAMPLE_STREAM, _EVALUATION_STREAM = range(4)


class Capture(NamedTuple):
    """The step that is captured behind a run's last one: its trace's folder and its size."""

    folder: str
    prompts: int
    samples: int


def random_numbers(seed: int, stream: int) -> torch.Generator:
    """The generator of one use."""
    return torch.Generator().manual_seed(seed * 1000 + stream)


def no_phase(name: str) -> contextlib.AbstractContextManager:
    """The phase of a step that nobody records."""
    del name
    return contextlib.nullcontext()


def warm_policy(options: Options) -> Policy:
    """A policy behind its warm-up, in BF16."""
    torch.manual_seed(options.seed)
    policy = Policy(options.config)
    warm_up(policy, options.warm_up_steps, random_numbers(options.seed, _WARM_UP_STREAM))
    return policy


def evaluate(policy: Policy, options: Options) -> float:
    """Mean reward under the rollout's numerics, of problems drawn apart from the run's; the same
    ones every time."""
    generator = random_numbers(options.seed, _EVALUATION_STREAM)
    policy.use(options.rollout)
    problems = draw_problems(EVALUATION_PROBLEMS, generator)
    return roll_out(policy, problems, 2, generator, no_phase).rewards.mean().item()


def train(policy: Policy, options: Options, report: Callable[[int, StepFigures], None],
          capture: Optional[Capture] = None) -> List[StepFigures]:
    """All steps of GRPO from a warm policy; `report` is told each. The captured step comes behind
    them and is not reported."""
    policy.checkpointing = options.checkpointing
    optimizer = MasterAdamW(policy, options.rate)
    pool = ProblemPool(options.problems, random_numbers(options.seed, _PROBLEM_STREAM))
    generator = random_numbers(options.seed, _SAMPLE_STREAM)
    figures = []
    for step in range(options.steps):
        optimizer.set_rate(options.rate * min(1.0, (step + 1) / RAMP))
        figures.append(run_step(policy, optimizer, pool.take(options.prompts), options, generator,
                                no_phase))
        report(step, figures[-1])
    if capture is not None:
        from nibblecore_capture import capture as record
        with record(policy, capture.folder, steps=[options.steps]) as recorder:
            recorder.step(options.steps)
            run_step(policy, optimizer, pool.take(capture.prompts),
                     options._replace(samples=capture.samples), generator, recorder.phase)
    return figures
