# SPDX-License-Identifier: Apache-2.0
"""One step of GRPO: rollout, log-probabilities, optimizer steps over mini-batches; and its figures."""
from typing import List, NamedTuple

import torch
from torch import Tensor

from .grpo import group_advantages, importance_weights, policy_loss
from .model import Policy
from .optimizer import MasterAdamW
from .options import Options
from .rollout import Phase, Rollout, roll_out
from .task import PROMPT_LENGTH, Problem


class StepFigures(NamedTuple):
    """What a step is judged by. Averages of tokens are over the responses' tokens."""

    reward: float  # mean
    kl: float  # KL(rollout || training) over the vocabulary, mean of tokens
    gap_mean: float  # |log p_rollout - log p_training| of the sampled token, mean
    gap_max: float
    entropy: float  # of the training policy, mean of tokens, in nats
    length: float  # tokens of a response, END included, mean
    loss: float  # mean of the mini-batches
    gradient_norm: float  # before it is clipped, mean of the mini-batches


def score(policy: Policy, tokens: Tensor) -> Tensor:
    """Logarithms of the probabilities at the responses' positions, [sequences, RESPONSE_LENGTH,
    vocabulary]."""
    return policy(tokens)[:, PROMPT_LENGTH - 1:-1]


def of_tokens(log_probabilities: Tensor, tokens: Tensor) -> Tensor:
    """Those of the tokens that were sampled: [sequences, RESPONSE_LENGTH]."""
    return log_probabilities.gather(-1, tokens[:, PROMPT_LENGTH:, None])[..., 0]


def mean_of_tokens(values: Tensor, mask: Tensor) -> float:
    """The average of values [sequences, RESPONSE_LENGTH] where the mask is set."""
    return ((values * mask).sum() / mask.sum()).item()


def compare(rollout: Rollout, training: Tensor) -> dict:
    """The figures of a step that compare its rollout with the policy that training holds it for;
    `training` as Rollout.log_probabilities."""
    probabilities = rollout.log_probabilities.exp()
    kl = (probabilities * (rollout.log_probabilities - training)).sum(-1)
    gap = (of_tokens(rollout.log_probabilities - training, rollout.tokens) * rollout.mask).abs()
    entropy = -(training.exp() * training).sum(-1)
    return dict(reward=rollout.rewards.mean().item(),
                kl=mean_of_tokens(kl, rollout.mask),
                gap_mean=mean_of_tokens(gap, rollout.mask),
                gap_max=gap.max().item(),
                entropy=mean_of_tokens(entropy, rollout.mask),
                length=rollout.mask.sum(-1).float().mean().item())


def run_step(policy: Policy, optimizer: MasterAdamW, problems: List[Problem], options: Options,
             generator: torch.Generator, phase: Phase) -> StepFigures:
    """One step over `problems`. The phases that it opens are those of the trace format."""
    policy.use(options.rollout)
    rollout = roll_out(policy, problems, options.samples, generator, phase)
    policy.use(options.training)
    with phase("logprob"), torch.no_grad():
        training = score(policy, rollout.tokens)
    figures = compare(rollout, training)
    old = of_tokens(training, rollout.tokens)
    weights = importance_weights(old, of_tokens(rollout.log_probabilities, rollout.tokens),
                                 options.clip.importance)
    advantages = group_advantages(rollout.rewards, options.samples)
    losses, norms = [], []
    for part in torch.arange(len(advantages)).split(options.minibatch_prompts * options.samples):
        with phase("train"):
            new = of_tokens(score(policy, rollout.tokens[part]), rollout.tokens[part])
            loss = policy_loss(new, old[part], advantages[part], weights[part], rollout.mask[part],
                               options.clip)
            loss.backward()
        losses.append(loss.item())
        norms.append(optimizer.step().item())
    return StepFigures(**figures, loss=sum(losses) / len(losses),
                       gradient_norm=sum(norms) / len(norms))
