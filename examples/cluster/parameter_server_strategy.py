# SPDX-License-Identifier: Apache-2.0
"""Trains under ParameterServerStrategy: the variables are on parameter servers, and each worker
applies its own gradients without waiting for the others.

    build/sluice run --ps 1 --workers 2 examples/cluster/parameter_server_strategy.py

The strategy places the variables, so the program names no device. Each worker reads its shard of
the data. Without TF_CONFIG the program trains alone.
"""

import argparse
import json
import os

import numpy as np
import sluice as tf

options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
options.add_argument("--steps", type=int, default=400, help="steps of all workers together")
options = options.parse_args()


def examples(count):
    """Inputs [count, 4] and targets [count, 1], which are a product of two inputs."""
    x = np.random.RandomState(0).uniform(-1, 1, [count, 4]).astype(np.float32)
    return x, x[:, :1] * x[:, 1:2]


def step(inputs, targets):
    """Trains on a batch. Returns its loss."""
    hidden = tf.layers.dense(inputs, 32, activation=tf.tanh, name="hidden")
    predictions = tf.layers.dense(hidden, 1, name="output")
    loss = tf.reduce_mean(tf.square(predictions - targets))
    counter = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=counter)
    with tf.control_dependencies([train]):
        return tf.identity(loss)


def main():
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    task = config.get("task", {"type": "worker", "index": 0})
    target = ""
    if config:
        server = tf.train.Server(config["cluster"], task["type"], task["index"])
        if task["type"] == "ps":
            server.join()
        target = server.target

    strategy = tf.distribute.experimental.ParameterServerStrategy()
    tf.set_random_seed(1)
    with strategy.scope():
        data = tf.data.Dataset.from_tensor_slices(examples(2048))
        data = data.shard(len(config["cluster"]["worker"]) if config else 1, task["index"])
        data = data.shuffle(2048, seed=task["index"]).repeat().batch(64)
        batches = strategy.make_dataset_iterator(data)
        # Each new session starts the iterator, also one after a failure.
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, tf.group(batches.initialize()))
        losses = strategy.experimental_run_v2(step, args=batches.get_next())
        loss = strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None)
        counter = tf.train.get_or_create_global_step()
        for variable in tf.trainable_variables():
            print(f"{variable.op.name} is on {variable.device}", flush=True)

        with tf.train.MonitoredTrainingSession(
            target, config=strategy.update_config_proto(tf.ConfigProto()),
            is_chief=task["index"] == 0, hooks=[tf.train.StopAtStepHook(last_step=options.steps)],
        ) as session:  # fmt: skip
            own = 0
            while not session.should_stop():
                number, value = session.run([counter, loss])
                own += 1
                if own % 50 == 1:
                    print(f"step {number} of all: loss {value:.4f}", flush=True)
    print(f"made {own} steps, last loss {value:.4f}", flush=True)


if __name__ == "__main__":
    main()
