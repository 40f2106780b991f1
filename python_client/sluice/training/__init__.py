# SPDX-License-Identifier: Apache-2.0
"""Training: optimizers, checkpoints, hooks, queues of input, summaries."""
