# SPDX-License-Identifier: Apache-2.0
"""Options from the command line."""
import argparse

from .model import Config
from .numerics import Numerics
from .options import Options
from .qdq import FORMATS, RESIDUALS
from .task import VOCABULARY

DEFAULTS = Options()


def positive(text: str) -> int:
    """A positive integer."""
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """What all variants of a run share."""
    counts = {"--steps": ("steps", "steps of GRPO"),
              "--problems": ("problems", "problems that prompts are drawn from"),
              "--prompts": ("prompts", "prompts of a step"),
              "--samples": ("samples", "responses to a prompt"),
              "--minibatch-prompts": ("minibatch_prompts", "prompts of an optimizer step"),
              "--warm-up-steps": ("warm_up_steps", "supervised steps before"),
              "--seed": ("seed", "of all random numbers")}
    for option, (field, meaning) in counts.items():
        parser.add_argument(option, dest=field, type=positive, default=getattr(DEFAULTS, field),
                            help=f"{meaning} (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=DEFAULTS.rate,
                        help="of the optimizer (default: %(default)s)")
    parser.add_argument("--checkpointing", action="store_true",
                        help="compute activations again going backward")
    parser.add_argument("--tied-head", action="store_true",
                        help="let the head share its weights with the embedding")
    parser.add_argument("--threads", type=positive, default=1,
                        help="of torch; results may depend on it (default: %(default)s)")


def add_numerics(parser: argparse.ArgumentParser) -> None:
    """What sets one variant apart from another."""
    parser.add_argument("--rollout-format", choices=FORMATS, default="bf16",
                        help="of the linear layers' operands in the rollout (default: bf16)")
    parser.add_argument("--train-format", choices=FORMATS, default="bf16",
                        help="likewise for log-probabilities and training (default: bf16)")
    parser.add_argument("--residual", choices=RESIDUALS, default="none",
                        help="residual of activations that the rollout adds (default: none)")


def options_of(arguments: argparse.Namespace, rollout: Numerics, training: Numerics) -> Options:
    """The options of one variant."""
    shared = {name: value for name, value in vars(arguments).items() if name in Options._fields}
    shared["config"] = Config(VOCABULARY, tied_head=arguments.tied_head)
    return Options(**{**shared, "rollout": rollout, "training": training})
