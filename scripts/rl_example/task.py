# SPDX-License-Identifier: Apache-2.0
"""Addition of two-digit numbers: prompts, and a reward that anyone can verify."""
from typing import List, NamedTuple

import torch
from torch import Tensor

CHARACTERS = "0123456789+="
END = len(CHARACTERS)  # ends a response, and fills what follows
VOCABULARY = len(CHARACTERS) + 1
PROMPT_LENGTH = 6
RESPONSE_LENGTH = 4  # at most; a right one has one to three digits, and END


class Problem(NamedTuple):
    """Two numbers from 0 to 99."""

    left: int
    right: int

    @property
    def prompt(self) -> str:
        """All prompts have PROMPT_LENGTH characters: 07+58="""
        return f"{self.left:02d}+{self.right:02d}="

    @property
    def answer(self) -> str:
        """The right response, without END: 65"""
        return str(self.left + self.right)


def encode(text: str) -> List[int]:
    """Token numbers of a text."""
    return [CHARACTERS.index(character) for character in text]


def draw_problems(count: int, generator: torch.Generator) -> List[Problem]:
    """Problems drawn uniformly."""
    numbers = torch.randint(0, 100, (count, 2), generator=generator)
    return [Problem(left, right) for left, right in numbers.tolist()]


def prompt_tokens(problems: List[Problem]) -> Tensor:
    """[problems, PROMPT_LENGTH]"""
    return torch.tensor([encode(problem.prompt) for problem in problems])


def answer_tokens(problems: List[Problem]) -> Tensor:
    """Right responses, filled with END: [problems, RESPONSE_LENGTH]"""
    rows = [encode(problem.answer) for problem in problems]
    return torch.tensor([row + [END] * (RESPONSE_LENGTH - len(row)) for row in rows])


def token_mask(responses: Tensor) -> Tensor:
    """Which tokens a response has: up to its first END, which belongs to it. Same shape, bool."""
    ends = (responses == END).int()
    return ends.cumsum(-1) - ends == 0


def rewards(problems: List[Problem], responses: Tensor) -> Tensor:
    """1 where a response is the right one and has ended, else 0: FP32 [problems]. responses
    [problems, RESPONSE_LENGTH], filled with END."""
    is_right = (responses == answer_tokens(problems)).all(-1)
    return is_right.float()
