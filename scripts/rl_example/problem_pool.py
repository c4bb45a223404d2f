# SPDX-License-Identifier: Apache-2.0
"""The problems of a run, in a new order each time all have had their turn."""
from typing import List

import torch

from .task import Problem, draw_problems


class ProblemPool:
    """`size` problems drawn once, as a data set of prompts is."""

    def __init__(self, size: int, generator: torch.Generator) -> None:
        self._problems = draw_problems(size, generator)
        self._generator = generator
        self._coming: List[int] = []

    def take(self, count: int) -> List[Problem]:
        """The next `count` problems, which may span two orders."""
        while len(self._coming) < count:
            self._coming += torch.randperm(len(self._problems), generator=self._generator).tolist()
        taken, self._coming = self._coming[:count], self._coming[count:]
        return [self._problems[i] for i in taken]
