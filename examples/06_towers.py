# SPDX-License-Identifier: Apache-2.0
"""Trains one model on two devices of a task: each tower takes half of the batch, and the CPU
averages the gradients. The devices are CPUs here; with GPUs, put "/gpu:%d" for "/cpu:%d"."""

import numpy as np
import sluice as sl

TOWERS = 2
random = np.random.RandomState(0)
inputs = random.randn(64, 8).astype(np.float32)
labels = (inputs.sum(axis=1) > 0).astype(np.int32)


def tower_loss(x, y):
    """The variables are the same ones in each tower."""
    with sl.variable_scope("model", reuse=sl.AUTO_REUSE):
        hidden = sl.layers.dense(x, 16, activation=sl.nn.relu, name="hidden")
        logits = sl.layers.dense(hidden, 2, name="logits")
    losses = sl.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    return sl.reduce_mean(losses)


def average(towers):
    """The mean of each variable's gradients.

    Args:
      towers: a list of what compute_gradients() returned.
    """
    means = []
    for pairs in zip(*towers):
        gradients = [gradient for gradient, _ in pairs]
        means.append((sl.add_n(gradients) / len(gradients), pairs[0][1]))
    return means


sl.set_random_seed(1)
optimizer = sl.train.GradientDescentOptimizer(0.5)
x = sl.placeholder(sl.float32, [64, 8])
y = sl.placeholder(sl.int32, [64])
losses, gradients = [], []
for number, (part_x, part_y) in enumerate(zip(sl.split(x, TOWERS), sl.split(y, TOWERS))):
    with sl.device(f"/cpu:{number}"), sl.name_scope(f"tower{number}"):
        losses.append(tower_loss(part_x, part_y))
        gradients.append(optimizer.compute_gradients(losses[-1]))
with sl.device("/cpu:0"):
    train = optimizer.apply_gradients(average(gradients))
    loss = sl.add_n(losses) / TOWERS

config = sl.ConfigProto(device_count={"CPU": TOWERS})
with sl.Session(config=config) as session:
    session.run(sl.global_variables_initializer())
    for step in range(60):
        value, _ = session.run([loss, train], {x: inputs, y: labels})
        if step % 20 == 0:
            print(f"step {step}: loss {value:.4f}")
print(f"at the end: loss {value:.4f}")
assert value < 0.2
