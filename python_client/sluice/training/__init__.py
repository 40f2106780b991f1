"""Training: optimizers, checkpoints, hooks, queues of input, summaries."""
