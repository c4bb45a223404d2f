# SPDX-License-Identifier: Apache-2.0
"""Sampling responses: a prefill of each prompt, then decode steps over the sequences that go on."""
from typing import Callable, ContextManager, List, NamedTuple

import torch
from torch import Tensor

from .attention import Cache
from .model import Policy
from .task import END, RESPONSE_LENGTH, Problem, prompt_tokens, rewards, token_mask

# Opens the phase of this name in whoever records the GEMMs.
Phase = Callable[[str], ContextManager]


class Rollout(NamedTuple):
    """Responses and what the policy that sampled them held of them. A group is the samples of one
    prompt, one after the other."""

    tokens: Tensor  # [sequences, PROMPT_LENGTH + RESPONSE_LENGTH]
    mask: Tensor  # bool [sequences, RESPONSE_LENGTH]: tokens that belong to a response
    log_probabilities: Tensor  # FP32 [sequences, RESPONSE_LENGTH, vocabulary], 0 behind the mask
    rewards: Tensor  # FP32 [sequences]


@torch.no_grad()
def roll_out(policy: Policy, problems: List[Problem], samples: int, generator: torch.Generator,
             phase: Phase) -> Rollout:
    """`samples` responses to each problem, at temperature 1."""
    cache = Cache(policy.config.layers)
    prompts = prompt_tokens(problems)
    with phase("rollout.prefill"):
        current = policy(prompts, cache, last_only=True)[:, 0]
    # The samples of a prompt share its prefill.
    of_prompt = torch.arange(len(problems)).repeat_interleave(samples)
    cache.select(of_prompt)
    current = current[of_prompt]
    going_on = torch.arange(len(of_prompt))
    responses = torch.full((len(of_prompt), RESPONSE_LENGTH), END)
    log_probabilities = torch.zeros(*responses.shape, current.shape[-1])
    for position in range(RESPONSE_LENGTH):
        if position > 0:
            with phase(f"rollout.decode{position - 1}"):
                current = policy(responses[going_on, position - 1, None], cache)[:, 0]
        chosen = torch.multinomial(current.exp(), 1, generator=generator)[:, 0]
        responses[going_on, position] = chosen
        log_probabilities[going_on, position] = current
        stays = (chosen != END).nonzero()[:, 0]
        if len(stays) == 0:
            break
        going_on = going_on[stays]
        cache.select(stays)
    all_problems = [problems[i] for i in of_prompt]
    return Rollout(torch.cat((prompts[of_prompt], responses), 1), token_mask(responses),
                   log_probabilities, rewards(all_problems, responses))
