# SPDX-License-Identifier: Apache-2.0
"""Figures as a table and as JSON lines."""
import json
from typing import IO, Iterable, List, Optional, Sequence

from .numerics import Numerics
from .step import StepFigures


class StepReport:
    """Told each step, prints a line of a table and writes a line of JSON."""

    COLUMNS = ("step", "reward", "kl", "gap mean", "gap max", "entropy", "length", "loss", "gradient")

    def __init__(self, table: IO[str], log: Optional[IO[str]]) -> None:
        self._table = table
        self._log = log
        self._line(self.COLUMNS)

    def __call__(self, step: int, figures: StepFigures) -> None:
        self._line((str(step), *(f"{value:.5f}" for value in figures)))
        self.write(step=step, **figures._asdict())

    def write(self, **fields: object) -> None:
        """One line of the log."""
        if self._log is not None:
            self._log.write(json.dumps(fields) + "\n")

    def _line(self, cells: Sequence[str]) -> None:
        print("  ".join(f"{cell:>9}" for cell in cells), file=self._table, flush=True)


def name_of(numerics: Numerics) -> str:
    """mxfp4, or mxfp4+2:4 where there is a residual."""
    residual = "" if numerics.residual == "none" else f"+{numerics.residual}"
    return numerics.number_format + residual


def mean(figures: Iterable[StepFigures], field: str) -> float:
    """Of one field over several steps."""
    values = [getattr(step, field) for step in figures]
    return sum(values) / len(values)


def print_table(rows: List[Sequence[str]], table: IO[str]) -> None:
    """The first row holds headings; the first column is text, all others are numbers."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]
        print("  ".join(cells), file=table)
