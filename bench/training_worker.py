# SPDX-License-Identifier: Apache-2.0
"""One worker of training_bench.py: trains a convolutional network together with the others.

    python training_worker.py mirrored|sluice.hvd|horovod FOLDER

The benchmark writes a number of steps to the file FOLDER/turn-<k>, k = 0, 1, ... The worker runs
them and writes the seconds to FOLDER/turn-<k>-<rank>. At 0 steps it ends.
"""

import json
import os
import sys
import time

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

BATCH = 32  # images of each worker
STEP_SECONDS = 60  # a longer step fails


def loss_of(rank):
    """The loss of a network of 4.1 million parameters, most of them in one dense layer."""
    random = np.random.RandomState(rank)
    x = tf.constant(random.rand(BATCH, 32, 32, 3).astype(np.float32))
    labels = tf.constant(random.randint(0, 10, [BATCH]).astype(np.int32))
    for i, filters in enumerate((32, 64)):
        shape = [3, 3, int(x.shape[3]), filters]
        x = tf.nn.relu(tf.nn.conv2d(x, tf.get_variable(f"conv{i}", shape), [1] * 4, "SAME"))
        x = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    x = tf.reshape(x, [BATCH, -1])
    x = tf.nn.relu(tf.matmul(x, tf.get_variable("hidden", [int(x.shape[1]), 1000])))
    logits = tf.matmul(x, tf.get_variable("output", [1000, 10]))
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses)


def optimizer():
    return tf.train.MomentumOptimizer(0.01, 0.9)


def train(session, step, folder, rank):
    run = session.make_callable(step)
    for turn in range(10**6):
        request = os.path.join(folder, f"turn-{turn}")
        while not os.path.exists(request):
            time.sleep(0.002)
        with open(request) as file:
            steps = int(file.read())
        start = time.perf_counter()
        for _ in range(steps):
            run()
        answer = f"{request}-{rank}"
        with open(answer + ".new", "w") as file:
            file.write(str(time.perf_counter() - start))
        os.rename(answer + ".new", answer)
        if steps == 0:
            return


def mirrored(folder):
    described = json.loads(os.environ["TF_CONFIG"])
    rank = described["task"]["index"]
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()

    def step_of_worker():
        with tf.control_dependencies([optimizer().minimize(loss_of(rank))]):
            return tf.constant(0.0)

    with strategy.scope():
        run = getattr(strategy, "experimental_run_v2", None) or strategy.run
        step = strategy.experimental_local_results(run(step_of_worker))
        begin = tf.global_variables_initializer()
    config = tf.ConfigProto(operation_timeout_in_ms=STEP_SECONDS * 1000)
    config = strategy.update_config_proto(config)
    with tf.Session("grpc://" + described["cluster"]["worker"][rank], config=config) as session:
        session.run(begin)
        train(session, list(step), folder, rank)


def train_ranks(hvd, folder, target, config):
    """The same program for Horovod and sluice.hvd."""
    hvd.init()
    step = hvd.DistributedOptimizer(optimizer()).minimize(loss_of(hvd.rank()))
    begin, equal = tf.global_variables_initializer(), hvd.broadcast_global_variables(0)
    with tf.Session(target(), config=config(None)) as session:
        session.run(begin)
        session.run(equal)
        train(session, step, folder, hvd.rank())


def main():
    kind, folder = sys.argv[1:]
    if kind == "mirrored":
        mirrored(folder)
    elif kind == "sluice.hvd":
        import sluice.hvd

        hvd = sluice.hvd.over(tensorflow)
        train_ranks(hvd, folder, hvd.target, hvd.config)
    else:
        import horovod.tensorflow

        train_ranks(horovod.tensorflow, folder, lambda: "", lambda config: config)


if __name__ == "__main__":
    main()
