# SPDX-License-Identifier: Apache-2.0
"""Prompts, masks and rewards; the pool of problems."""
import unittest

import torch

from rl_example.problem_pool import ProblemPool
from rl_example.task import END, Problem, answer_tokens, encode, prompt_tokens, rewards, token_mask


def response(text):
    """Tokens of a response in which $ is END, filled with END."""
    tokens = [END if character == "$" else encode(character)[0] for character in text]
    return tokens + [END] * (4 - len(tokens))


class TaskTest(unittest.TestCase):
    def test_prompts_and_answers(self):
        problem = Problem(7, 58)
        self.assertEqual((problem.prompt, problem.answer), ("07+58=", "65"))
        self.assertEqual(prompt_tokens([problem]).tolist(), [[0, 7, 10, 5, 8, 11]])
        self.assertEqual(answer_tokens([problem, Problem(99, 99), Problem(0, 0)]).tolist(),
                         [[6, 5, END, END], [1, 9, 8, END], [0, END, END, END]])

    def test_only_the_right_answer_that_ends_is_rewarded(self):
        texts = {"65$": 1, "65": 1, "64$": 0, "065$": 0, "650$": 0, "6$": 0, "$": 0, "65=$": 0, "6565": 0}
        found = rewards([Problem(7, 58)] * len(texts), torch.tensor([response(text) for text in texts]))
        self.assertEqual(found.tolist(), [float(reward) for reward in texts.values()])

    def test_a_response_has_its_first_end(self):
        found = token_mask(torch.tensor([response("65$"), response("$"), response("1234"), response("123$")]))
        self.assertEqual(found.sum(-1).tolist(), [3, 1, 4, 4])
        self.assertEqual(found[0].tolist(), [True, True, True, False])

    def test_a_pool_gives_all_before_it_repeats_any(self):
        pool = ProblemPool(10, torch.Generator().manual_seed(3))
        taken = [problem for _ in range(5) for problem in pool.take(4)]
        self.assertEqual(sorted(taken[:10]), sorted(taken[10:]))
        self.assertNotEqual(taken[:10], taken[10:])


if __name__ == "__main__":
    unittest.main()
