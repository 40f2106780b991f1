# SPDX-License-Identifier: Apache-2.0
"""Batches that are divided between replicas."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows divide otherwise


def _mirrored(tf, count):
    return tf.distribute.MirroredStrategy(["/cpu:%d" % i for i in range(count)])


def _session(tf, count):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": count}))


def uneven_batches(tf):
    """The first replicas get the larger parts, the last ones perhaps nothing."""
    found = []
    for replicas, batch, rows in ((2, 3, 8), (3, 4, 10), (3, 2, 5), (2, 5, 9)):
        with tf.Graph().as_default():
            strategy = _mirrored(tf, replicas)
            with strategy.scope():
                data = tf.data.Dataset.range(rows).batch(batch)
                iterator = strategy.make_dataset_iterator(data)
                parts = strategy.experimental_local_results(iterator.get_next())
            with _session(tf, replicas) as session:
                session.run(iterator.initialize())
                for _ in range(2):
                    found.append([np.asarray(part) for part in session.run(list(parts))])
    return found


def iterators_of_distributed_data(tf):
    strategy = _mirrored(tf, 2)
    numbers = tf.data.Dataset.range(8)
    with strategy.scope():
        distributed = strategy.experimental_distribute_dataset(numbers.batch(4))
        iterator = tf.data.make_initializable_iterator(distributed)
        parts = strategy.experimental_local_results(iterator.get_next())
        refused = [
            outcome(strategy.experimental_distribute_dataset, numbers),
            outcome(strategy.make_dataset_iterator, numbers),
            outcome(strategy.make_dataset_iterator, 3),
        ]
    with _session(tf, 2) as session:
        session.run(iterator.initialize())
        return [list(session.run(list(parts))), refused]


def reduced_copies(tf):
    """reduce() of a variable of which each replica has its own."""
    strategy = _mirrored(tf, 2)
    found = []
    with strategy.scope():
        v = tf.Variable(
            4.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.MEAN)  # fmt: skip

        def step():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            return v.assign_add(tf.cast(number + 1, tf.float32))

        added = strategy.experimental_local_results(strategy.experimental_run_v2(step))
        total = strategy.reduce(tf.distribute.ReduceOp.SUM, v, axis=None)
        start = tf.global_variables_initializer()
    with _session(tf, 2) as session:
        session.run(start)
        found.append(list(session.run(added)))
        found.append(session.run(total))
    return found
