# SPDX-License-Identifier: Apache-2.0
"""Advantages and the loss, by hand."""
import math
import unittest

import torch

from rl_example.grpo import Clip, group_advantages, importance_weights, policy_loss

CLIP = Clip(low=0.2, high=0.28, importance=5.0)


class GrpoTest(unittest.TestCase):
    def test_advantages_are_normalised_within_their_group(self):
        found = group_advantages(torch.tensor([1.0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1]), 4)
        third = math.sqrt(1 / 3)
        expected = [3 * third, -third, -third, -third, 0, 0, 0, 0, -1, 1, -1, 1]
        self.assertTrue(torch.allclose(found, torch.tensor(expected), atol=1e-5))
        self.assertEqual(found[4:8].tolist(), [0, 0, 0, 0])

    def loss(self, ratios, advantages, mask=None, weights=None):
        """Of tokens with these ratios of the new to the old probability, and its gradient by the new
        logarithms."""
        old = torch.full_like(torch.tensor(ratios), -1.5)
        new = (old + torch.tensor(ratios).log()).requires_grad_()
        mask = torch.ones_like(old) if mask is None else torch.tensor(mask)
        weights = torch.ones_like(old) if weights is None else torch.tensor(weights)
        loss = policy_loss(new, old, torch.tensor(advantages), weights, mask, CLIP)
        loss.backward()
        return loss.item(), new.grad

    def test_inside_the_clip_the_gradient_is_that_of_the_policy(self):
        loss, gradient = self.loss([[1.0, 1.1]], [2.0])
        self.assertAlmostEqual(loss, -(1.0 + 1.1) * 2 / 2, places=5)
        self.assertTrue(torch.allclose(gradient, torch.tensor([[-1.0, -1.1]])))

    def test_ratios_count_up_to_the_clip(self):
        loss, gradient = self.loss([[1.5], [0.5]], [1.0, -1.0])
        self.assertAlmostEqual(loss, -(1.28 - 0.8) / 2, places=5)
        self.assertEqual(gradient.tolist(), [[0.0], [0.0]])

    def test_a_ratio_on_the_wrong_side_is_not_clipped(self):
        loss, gradient = self.loss([[0.5], [1.5]], [1.0, -1.0])
        self.assertAlmostEqual(loss, -(0.5 - 1.5) / 2, places=5)
        self.assertTrue(bool((gradient != 0).all()))

    def test_every_token_counts_the_same(self):
        # Two tokens of one response, one of the other: thirds, not quarters and a half.
        loss, gradient = self.loss([[1.0, 1.0], [1.0, 1.0]], [3.0, -6.0], mask=[[1.0, 1.0], [1.0, 0.0]])
        self.assertAlmostEqual(loss, -(3 + 3 - 6) / 3, places=5)
        self.assertTrue(torch.allclose(gradient, torch.tensor([[-1.0, -1.0], [2.0, 0.0]])))

    def test_weights_multiply_tokens(self):
        _, gradient = self.loss([[1.0, 1.0]], [2.0], weights=[[0.5, 3.0]])
        self.assertTrue(torch.allclose(gradient, torch.tensor([[-0.5, -3.0]])))

    def test_importance_is_truncated_above_alone(self):
        old, rollout = torch.tensor([0.2, 0.9, 0.01]).log(), torch.tensor([0.1, 0.1, 0.1]).log()
        found = importance_weights(old, rollout, 5.0)
        self.assertTrue(torch.allclose(found, torch.tensor([2.0, 5.0, 0.1])))


if __name__ == "__main__":
    unittest.main()
