# SPDX-License-Identifier: Apache-2.0
"""MultiWorkerMirroredStrategy with a training loop of one's own: every worker has a copy of the
variables, computes gradients on its part of each batch, and applies the sum of all gradients.

The strategy reads TF_CONFIG by itself.
"""

import hashlib

import numpy as np
from cluster_task import RANK, SIZE, TARGET, report, session_config, tf

STEPS, BATCH, INPUTS, UNITS, CLASSES = 50, 24, 8, 16, 3


def batches():
    """The same on all workers, and for each number of workers."""
    random = np.random.RandomState(7)
    truth = random.randn(INPUTS, CLASSES)
    for _ in range(STEPS):
        x = random.randn(BATCH, INPUTS).astype(np.float32)
        yield x, np.argmax(x.dot(truth), 1).astype(np.int32)


def dense(x, name, units):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.shape[1]), units], initializer=weights(RANK))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
    return tf.matmul(x, w) + b


def weights(rank):
    """The first worker's values count: the strategy sends them to the others."""
    if rank == 0:
        return tf.random_uniform_initializer(-0.3, 0.3, seed=5)
    return tf.constant_initializer(float(rank))


def train_step(x, y):
    """Runs on each worker with its part of the batch.

    Returns its part of the loss: the sum over the workers is the mean over the batch.
    """
    logits = dense(tf.nn.relu(dense(x, "hidden", UNITS)), "output", CLASSES)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    loss = tf.reduce_sum(losses) / BATCH
    update = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with tf.control_dependencies([update]):
        return tf.identity(loss)


def main():
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    with strategy.scope():
        part = BATCH // SIZE
        x = tf.placeholder(tf.float32, [part, INPUTS])
        y = tf.placeholder(tf.int32, [part])
        run_on_workers = getattr(strategy, "experimental_run_v2", None) or strategy.run
        loss = strategy.reduce(
            tf.distribute.ReduceOp.SUM, run_on_workers(train_step, args=(x, y)), axis=None
        )
        variables = tf.trainable_variables()
        begin = tf.global_variables_initializer()

    config = strategy.update_config_proto(session_config())
    mine = slice(RANK * part, (RANK + 1) * part)
    with tf.Session(TARGET, config=config) as session:
        session.run(begin)
        losses = [float(session.run(loss, {x: xs[mine], y: ys[mine]})) for xs, ys in batches()]
        trained = session.run(variables)
    report(
        losses=losses,
        variables=hashlib.sha256(b"".join(v.tobytes() for v in trained)).hexdigest(),
        sum=float(sum(np.abs(v).sum() for v in trained)),
    )


if __name__ == "__main__":
    main()
