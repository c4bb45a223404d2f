# SPDX-License-Identifier: Apache-2.0
"""AdamW on FP32 copies of a BF16 model's weights."""
from torch import Tensor, nn, optim


class MasterAdamW:
    """Steps too small for BF16 add up in the copies; the model holds these, rounded."""

    def __init__(self, model: nn.Module, rate: float, largest_norm: float = 1.0) -> None:
        self._parameters = list(model.parameters())
        self._masters = [parameter.detach().float() for parameter in self._parameters]
        self._optimizer = optim.AdamW(self._masters, lr=rate, betas=(0.9, 0.99), weight_decay=0.0)
        self._largest_norm = largest_norm

    def step(self) -> Tensor:
        """One step along the model's gradients, which it clears; returns their norm."""
        for master, parameter in zip(self._masters, self._parameters):
            master.grad = parameter.grad.float()
            parameter.grad = None
        norm = nn.utils.clip_grad_norm_(self._masters, self._largest_norm)
        self._optimizer.step()
        for master, parameter in zip(self._masters, self._parameters):
            parameter.data.copy_(master)
        return norm

    def set_rate(self, rate: float) -> None:
        """The rate of the steps to come."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
