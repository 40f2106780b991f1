# SPDX-License-Identifier: Apache-2.0
"""Loops of converted code over the data sets of replicas. TensorFlow 1.15 has none with several
replicas; what they read is what TensorFlow 2 reads."""

import numpy as np
import pytest
import sluice as sl

TWO = ["/cpu:0", "/cpu:1"]


def rows_of(strategy, element):
    """The values of all replicas as decimal digits of one number; 9 stands for no rows."""
    number = sl.constant(0, sl.int64)
    for part in strategy.experimental_local_results(element):
        digits = sl.cond(sl.size(part) > 0, lambda p=part: sl.reduce_sum(p), lambda: np.int64(9))
        number = number * 10 + digits
    return number


def run(devices, make):
    """What a function of a strategy returns, run on as many devices."""
    with sl.Graph().as_default():
        strategy = sl.distribute.MirroredStrategy(devices)
        found = make(strategy)
        with sl.Session(config=sl.ConfigProto(device_count={"CPU": len(devices)})) as session:
            return session.run(found).tolist()


def distributed(strategy, count, batch):
    return strategy.experimental_distribute_dataset(sl.data.Dataset.range(count).batch(batch))


@pytest.mark.parametrize("devices, expected", [(TWO, [1, 123, 245, 369]), (TWO[:1], [1, 105, 209])])
def test_enumerate_counts_the_batches(devices, expected):
    def make(strategy):
        batches = distributed(strategy, 7, 2) if len(devices) == 2 else distributed(strategy, 6, 2)

        @sl.function
        def f():
            found = sl.TensorArray(sl.int64, len(expected), element_shape=[])
            for i, batch in enumerate(batches):
                found = found.write(sl.cast(i, sl.int32), i * 100 + rows_of(strategy, batch))
            return found.stack()

        return f()

    assert run(devices, make) == expected


def test_zip_ends_with_the_shorter_data_set():
    def make(strategy):
        first, second = distributed(strategy, 8, 2), distributed(strategy, 4, 2)

        @sl.function
        def f():
            total = sl.constant(0, sl.int64)
            for one, other in zip(first, second):
                total = total * 10000 + rows_of(strategy, one) * 100 + rows_of(strategy, other)
            return total

        return f()

    assert run(TWO, make) == 101 * 10000 + 2323


@pytest.mark.parametrize("drop", [False, True])
def test_the_last_round_of_an_input_function_may_have_too_few_batches(drop):
    def make(strategy):
        def batches(_):
            return sl.data.Dataset.range(5).batch(1, drop_remainder=drop)

        each = strategy.experimental_distribute_datasets_from_function(batches)

        @sl.function
        def f():
            total = sl.constant(0, sl.int64)
            for element in each:
                if total > 100000:
                    break
                total = total * 100 + rows_of(strategy, element)
            return total

        return f()

    assert run(TWO, make) == 12349


def test_next_takes_the_parts_of_all_replicas():
    def make(strategy):
        batches = distributed(strategy, 8, 4)

        @sl.function
        def f():
            iterator = iter(batches)
            return sl.stack([rows_of(strategy, next(iterator)) for _ in range(2)])

        return f()

    assert run(TWO, make) == [15, 9 * 10 + 13]


def test_a_loop_of_python_over_a_data_set_ends_with_an_error(monkeypatch):
    monkeypatch.setattr("sluice.data.step_iterator._MOST", 5)

    @sl.function(autograph=False)
    def f():
        return [x for x in sl.data.Dataset.range(3)]

    with pytest.raises(RuntimeError, match="does not end"):
        f()


def test_enumerate_of_an_iterator_is_refused():
    @sl.function
    def f():
        x = 0
        for i, _ in enumerate(iter(sl.data.Dataset.range(3))):
            x = i
        return x

    with pytest.raises(TypeError, match="never ends"):
        f()
