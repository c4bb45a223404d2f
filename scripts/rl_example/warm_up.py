# SPDX-License-Identifier: Apache-2.0
"""Supervised training in BF16 until some responses are right: reinforcement needs a start."""
import math

import torch

from .model import Policy
from .optimizer import MasterAdamW
from .task import PROMPT_LENGTH, answer_tokens, draw_problems, prompt_tokens, token_mask

BATCH = 256
RATE = 3e-3


def warm_up(policy: Policy, steps: int, generator: torch.Generator) -> None:
    """`steps` steps towards the right responses to problems drawn at random."""
    optimizer = MasterAdamW(policy, RATE)
    for step in range(steps):
        optimizer.set_rate(RATE * (0.05 + 0.95 * math.cos(math.pi / 2 * step / steps)))
        problems = draw_problems(BATCH, generator)
        answers = answer_tokens(problems)
        tokens = torch.cat((prompt_tokens(problems), answers), 1)
        scores = policy(tokens[:, :-1])[:, PROMPT_LENGTH - 1:]
        mask = token_mask(answers)
        right = scores.gather(-1, answers[..., None])[..., 0]
        loss = -(right * mask).sum() / mask.sum()
        loss.backward()
        optimizer.step()
