# SPDX-License-Identifier: Apache-2.0
"""Searches for the best learning rate and width of a net: each trial is a process of its own.

    python3 examples/spark/search.py                              # on this machine
    python3 examples/spark/search.py --master spark://host:7077   # on the executors of Spark

First a grid of values is tried, then random values around the best one. A trial that fails is
listed last, and does not end the others. The Python that runs this finds sluice by PYTHONPATH.
"""

import argparse

import numpy as np
import sluice as tf
from sluice.spark import grid_search, random_search


def train(rate, units):
    """One trial. Returns what it found; its `metric` ranks the trials."""
    if units < 1:
        raise ValueError(f"a layer needs units, not {units}")
    x = np.random.RandomState(0).uniform(-1, 1, [256, 2]).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    initial = tf.keras.initializers.glorot_uniform(1)
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(units, "relu", kernel_initializer=initial, input_shape=(2,)),
        tf.keras.layers.Dense(2, "softmax", kernel_initializer=initial),
    ])  # fmt: skip
    model.compile(tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", ["acc"])
    history = model.fit(x, y, batch_size=32, epochs=10, verbose=0, shuffle=False).history
    print(f"trained {units} units: loss {history['loss'][-1]:.3f}")  # is in the trial's log
    return {"metric": history["acc"][-1], "loss": history["loss"][-1]}


def show(trials):
    for trial in trials:
        values = ", ".join(f"{name} {value:.4g}" for name, value in trial.arguments.items())
        if trial.error is None:
            print(f"{values}: accuracy {trial.metric:.3f} loss {trial.result['loss']:.4f}")
        else:
            print(f"{values}: failed: {trial.error.splitlines()[-1]}")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--master", help="URL of a Spark master; default: this machine")
    options.add_argument("--samples", type=int, default=2, help="random trials")
    options = options.parse_args()
    spark = None
    if options.master:
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.master(options.master).appName("search").getOrCreate()

    trials = grid_search(spark, train, {"rate": [0.003, 0.03], "units": [0, 8]})
    show(trials)
    best = trials[0].arguments
    print(f"around the rate {best['rate']}:")
    bounds = {"rate": [best["rate"] / 2, best["rate"] * 2], "units": [8, 32]}
    trials = random_search(spark, train, bounds, options.samples, seed=1)
    show(trials)
    print(f"the log of the best: {trials[0].log}", end="")
    if spark is not None:
        spark.stop()


if __name__ == "__main__":
    main()
