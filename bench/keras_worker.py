# SPDX-License-Identifier: Apache-2.0
"""One side of keras_bench.py: trains a network of Keras in a process of its own.

    python keras_worker.py sluice|tensorflow TARGET NET fit|train_on_batch

TARGET: a server for our client; "" runs the steps in this process. For each line of the input, a
number of steps, it trains that many batches and prints the seconds. It ends with the input.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from interop.programs import keras_nets  # noqa: E402

BATCHES = 50  # more steps train on the same data again


def keras_of(client, target):
    if client == "tensorflow":
        import tensorflow

        return tensorflow.keras
    import sluice

    if target:
        sluice.keras.backend.set_session(sluice.Session(target))
    return sluice.keras


def main():
    client, target, net, way = sys.argv[1:]
    model = keras_nets.NETS[net](keras_of(client, target))
    batch = keras_nets.BATCH[net]
    x, y = keras_nets.DATA[net](batch * BATCHES)

    def fit(steps):
        while steps > 0:
            count = min(steps, BATCHES) * batch
            model.fit(x[:count], y[:count], batch_size=batch, epochs=1, verbose=0)
            steps -= BATCHES

    def train_on_batch(steps):
        for step in range(steps):
            at = step % BATCHES * batch
            model.train_on_batch(x[at : at + batch], y[at : at + batch])

    train = {"fit": fit, "train_on_batch": train_on_batch}[way]
    for line in sys.stdin:
        start = time.perf_counter()
        train(int(line))
        print("seconds", time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
