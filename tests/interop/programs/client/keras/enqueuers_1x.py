# SPDX-License-Identifier: Apache-2.0
"""Batches that threads make ahead: of sequences and generators."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _sequence(tf, count=4):
    class Squares(tf.keras.utils.Sequence):
        def __init__(self):
            self.epoch = 0

        def __len__(self):
            return count

        def __getitem__(self, index):
            return np.full((2,), index * index + 100 * self.epoch), index

        def on_epoch_end(self):
            self.epoch += 1

    return Squares()


def of_sequences(tf):
    found = []
    for workers, size in ((1, 10), (3, 2)):
        enqueuer = tf.keras.utils.OrderedEnqueuer(_sequence(tf))
        found.append(enqueuer.is_running())
        enqueuer.start(workers, size)
        batches = enqueuer.get()
        found += [list(next(batches)) for _ in range(9)] + [enqueuer.is_running()]
        enqueuer.stop()
        found.append(enqueuer.is_running())
    shuffled = tf.keras.utils.OrderedEnqueuer(_sequence(tf), shuffle=True)
    shuffled.start()
    batches = shuffled.get()
    found.append(sorted(next(batches)[1] for _ in range(4)))
    shuffled.stop()
    return found


def of_generators(tf):
    def numbers(most):
        for number in range(most):
            yield None if number == 2 else (np.arange(number), number)

    enqueuer = tf.keras.utils.GeneratorEnqueuer(numbers(5))
    enqueuer.start(1, 3)
    found = [list(batch) for batch in enqueuer.get()]
    enqueuer.stop()
    return found


def errors_of_batches(tf):
    class Broken(tf.keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            if index == 1:
                raise KeyError("no batch")
            return index

    enqueuer = tf.keras.utils.OrderedEnqueuer(Broken())
    enqueuer.start()
    batches = enqueuer.get()
    found = [next(batches), outcome(next, batches), enqueuer.is_running()]
    return found + [isinstance(enqueuer, tf.keras.utils.SequenceEnqueuer)]
