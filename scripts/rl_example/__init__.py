# SPDX-License-Identifier: Apache-2.0
"""A GRPO run of a small Qwen2-shaped model on a CPU, with 4-bit numerics emulated by QDQ
(docs/rl-example.md)."""
