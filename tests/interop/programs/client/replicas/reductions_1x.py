# SPDX-License-Identifier: Apache-2.0
"""Reductions of the values of replicas: gradients through them, and classes that say how."""

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True


def _mirrored(tf, count, **kwargs):
    return tf.distribute.MirroredStrategy(["/cpu:%d" % i for i in range(count)], **kwargs)


def _session(tf, count):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": count}))


def gradients_of_all_reduce(tf):
    """They are reduced over the replicas too."""
    distribute, found = tf.distribute, []
    for count in (2, 3):
        for op in (distribute.ReduceOp.SUM, distribute.ReduceOp.MEAN):
            with tf.Graph().as_default():
                strategy = _mirrored(tf, count)

                def step(op=op):
                    replica = distribute.get_replica_context()
                    own = tf.cast(replica.replica_id_in_sync_group + 1, tf.float32)
                    x = tf.constant([1.0, 2.0]) * own
                    total, squares = replica.all_reduce(op, [x, tf.reduce_sum(x * x)])
                    y = tf.reduce_sum(total * total) * squares * own
                    by_name = replica.all_reduce(op, {"own": own})["own"]
                    return [y, tf.gradients(y, x)[0], by_name]

                with strategy.scope():
                    values = strategy.experimental_run_v2(step)
                    parts = [list(strategy.experimental_local_results(v)) for v in values]
                with _session(tf, count) as session:
                    found.append([np.asarray(part) for part in session.run(parts)])
    return found


def own_reductions(tf):
    """The gradients of several variables are reduced together."""
    class Counting(tf.distribute.ReductionToOneDevice):
        def __init__(self):
            super().__init__()
            self.batches = []

        def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
            self.batches.append(len(value_destination_pairs))
            base = super()
            return base.batch_reduce_implementation(reduce_op, value_destination_pairs)

    counting = Counting()
    strategy = _mirrored(tf, 2, cross_device_ops=counting)
    with strategy.scope():
        variables = [tf.get_variable("v%d" % i, initializer=float(i)) for i in range(3)]
        optimizer = tf.train.GradientDescentOptimizer(0.5)

        def step():
            return optimizer.minimize(sum(v * v for v in variables), var_list=variables)

        step = strategy.group(strategy.experimental_run_v2(step))
        start = tf.global_variables_initializer()
    with _session(tf, 2) as session:
        session.run(start)
        session.run(step)
        return [counting.batches, [session.run(v) for v in variables]]


def names_in_later_calls(tf):
    """Each call goes on in the name scopes of the replicas."""
    strategy, found = _mirrored(tf, 2), []

    def named():
        with tf.name_scope("foo"):
            tensor = tf.constant(1.0, name="a")
        with tf.variable_scope("vs", reuse=tf.AUTO_REUSE):
            return tensor.name, tf.get_variable("b", []).name

    with strategy.scope():
        for _ in range(2):
            for scope in ("", "main"):
                with tf.name_scope(scope or None):
                    tensors, shared = strategy.experimental_run_v2(named)
                found.append([strategy.experimental_local_results(tensors), shared])
    return found


def refused(tf):
    distribute, none = tf.distribute, tf.VariableAggregation.NONE
    return [
        message(distribute.ReduceOp.from_variable_aggregation, none),
        message(distribute.HierarchicalCopyAllReduce, -1),
        message(distribute.NcclAllReduce, -2),
        distribute.MirroredStrategy(["cpu", "/device:CPU:1"]).extended.worker_devices,
        distribute.MirroredStrategy([]).extended.worker_devices,
    ]
