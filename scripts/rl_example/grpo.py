# SPDX-License-Identifier: Apache-2.0
"""Group-relative policy optimization: advantages and the clipped loss."""
from typing import NamedTuple

import torch
from torch import Tensor


class Clip(NamedTuple):
    """How far the ratio of the new to the old probability counts, and the most that a token's
    probability in training may outweigh the one it was sampled with."""

    low: float = 0.2
    high: float = 0.28
    importance: float = 5.0


def group_advantages(rewards: Tensor, samples: int) -> Tensor:
    """(reward - mean) / (standard deviation + 1e-6) within each group of `samples`; 0 where all are
    equal. rewards [groups * samples]: the same shape."""
    groups = rewards.unflatten(0, (-1, samples))
    deviations = groups - groups.mean(-1, keepdim=True)
    return (deviations / (groups.std(-1, unbiased=False, keepdim=True) + 1e-6)).flatten()


def importance_weights(old: Tensor, rollout: Tensor, limit: float) -> Tensor:
    """Truncated importance sampling: min(p_old / p_rollout, limit) of each token, from logarithms."""
    return (old - rollout).exp().clamp(max=limit)


def policy_loss(new: Tensor, old: Tensor, advantages: Tensor, weights: Tensor, mask: Tensor,
                clip: Clip) -> Tensor:
    """-min(r A, clip(r) A) times the token's weight, r = p_new / p_old, averaged over all tokens of
    all responses. new, old: logarithms [sequences, positions]; advantages [sequences]; weights and
    mask as new."""
    ratio = (new - old).exp()
    held = ratio.clamp(1 - clip.low, 1 + clip.high)
    advantage = advantages[:, None]
    objective = torch.minimum(ratio * advantage, held * advantage) * weights
    return -(objective * mask).sum() / mask.sum()
