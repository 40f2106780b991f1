# SPDX-License-Identifier: Apache-2.0
"""Trains a Keras model on several workers that add up their gradients in each step.

    build/sluice run --workers 2 examples/cluster/multi_worker_mirrored.py

Each worker runs this file; TF_CONFIG says which one it is and where the others are. All workers
hold the same variables. Each takes its rows of every batch of 64, so the losses are those of one
worker. Without TF_CONFIG the program trains alone.
"""

import argparse
import json
import os

import numpy as np
import sluice as tf

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--epochs", type=int, default=3)
options.add_argument("--model", help="prefix of the checkpoint that worker 0 saves")
options = options.parse_args()


def examples(count):
    """Points [count, 2] and whether each lies in a ring around the origin."""
    points = np.random.RandomState(0).uniform(-1, 1, [count, 2]).astype(np.float32)
    distance = np.hypot(points[:, 0], points[:, 1])
    return points, ((0.3 < distance) & (distance < 0.8)).astype(np.int64)


def dense(units, activation, seed, **more):
    """A layer whose weights begin with the same values however many workers there are."""
    initial = tf.keras.initializers.glorot_uniform(seed)
    return tf.keras.layers.Dense(units, activation, kernel_initializer=initial, **more)


def main():
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {})
    is_chief = task.get("index", 0) == 0

    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            dense(32, "relu", seed=1, input_shape=(2,)),
            dense(32, "relu", seed=2),
            dense(2, "softmax", seed=3),
        ])  # fmt: skip
        model.compile(tf.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", ["acc"])

    data = tf.data.Dataset.from_tensor_slices(examples(1024))
    data = data.shuffle(1024, seed=1).repeat().batch(64, drop_remainder=True)
    history = model.fit(data, epochs=options.epochs, steps_per_epoch=32, verbose=0).history
    for number, (loss, accuracy) in enumerate(zip(history["loss"], history["acc"])):
        print(f"epoch {number}: loss {loss:.4f} accuracy {accuracy:.3f}", flush=True)
    weights = np.concatenate([w.ravel() for w in model.get_weights()])
    print(f"{strategy.num_replicas_in_sync} replicas, sum of the weights {weights.sum():.4f}")
    if is_chief and options.model:
        model.save_weights(options.model)


if __name__ == "__main__":
    main()
