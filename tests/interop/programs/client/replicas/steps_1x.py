# SPDX-License-Identifier: Apache-2.0
"""Several steps in one run, and what iterators of replicas say of their elements."""

import numpy as np

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True


def _mirrored(tf, count):
    return tf.distribute.MirroredStrategy(["/cpu:%d" % i for i in range(count)])


def _session(tf, count):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": count}))


def outputs_of_steps(tf):
    strategy = _mirrored(tf, 2)
    with strategy.scope():
        numbers = tf.data.Dataset.range(16).map(lambda x: tf.cast(x, tf.float32))
        iterator = strategy.make_dataset_iterator(numbers.batch(4, drop_remainder=True))
        v = tf.get_variable("v", initializer=0.0, aggregation=tf.VariableAggregation.SUM)

        def step(context, inputs):
            def each(x):
                total = tf.reduce_sum(x)
                context.set_last_step_output("sum", total, tf.distribute.ReduceOp.SUM)
                context.set_non_tensor_output("name", "n")
                with tf.control_dependencies([v.assign_add(total)]):
                    return tf.identity(total)

            totals = strategy.extended.call_for_each_replica(each, args=(inputs,))
            context.set_last_step_output("mean", totals, tf.distribute.ReduceOp.MEAN)
            return strategy.group(totals)

        start = {"sum": 0.0, "mean": 0.0}
        context = strategy.extended.experimental_run_steps_on_iterator(step, iterator, 3, start)
        empty = strategy.extended.experimental_run_steps_on_iterator(
            lambda context, x: strategy.group(x), iterator)  # fmt: skip
    outputs = context.last_step_outputs
    with _session(tf, 2) as session:
        session.run([tf.global_variables_initializer(), iterator.initialize()])
        found = session.run([outputs[key] for key in sorted(outputs)])
        found.append(session.run(v))
        session.run(empty.run_op)
        found.append(outcome(session.run, empty.run_op))
    return [found, context.non_tensor_outputs, empty.last_step_outputs]


def outputs_of_replicas(tf):
    """What a replica keeps must say how the values of the replicas are combined."""
    strategy = _mirrored(tf, 2)
    with strategy.scope():
        iterator = strategy.make_dataset_iterator(tf.data.Dataset.range(8).batch(4))

        def step(context, inputs):
            def each(x):
                context.set_last_step_output("x", tf.reduce_sum(x))

            strategy.extended.call_for_each_replica(each, args=(inputs,))
            return tf.no_op()

        try:
            strategy.extended.experimental_run_steps_on_iterator(step, iterator)
        except AssertionError:
            return "refused"


def elements_of_iterators(tf):
    strategy = _mirrored(tf, 2)
    rows = tf.data.Dataset.range(6).map(lambda x: (x, {"a": tf.cast(x, tf.float32)}))
    with strategy.scope():
        divided = strategy.experimental_distribute_dataset(rows.batch(4))
        iterators = [
            tf.data.make_initializable_iterator(divided),
            strategy.make_input_fn_iterator(lambda context: rows.batch(2)),
            strategy.make_dataset_iterator(tf.data.Dataset.range(6).batch(2)),
        ]
        found = [
            [tf.nest.map_structure(lambda dtype: dtype.name, i.output_types), str(i.output_shapes)]
            for i in iterators
        ]
        found.append([i.output_classes == _classes(tf) for i in iterators[:2]])
        found.append(
            message(strategy.make_input_fn_iterator, lambda context: rows.batch(2), "mode")
        )
    return found


def _classes(tf):
    return (tf.Tensor, {"a": tf.Tensor})


def last_rounds(tf):
    """Batches that do not suffice for all replicas end the input."""
    found = []
    for replicas, rows, size in ((2, 5, 2), (2, 4, 2), (3, 4, 2), (2, 1, 4)):
        with tf.Graph().as_default():
            strategy = _mirrored(tf, replicas)
            with strategy.scope():
                iterator = strategy.make_input_fn_iterator(
                    lambda context: tf.data.Dataset.range(rows).batch(size)  # noqa: B023
                )
                parts = strategy.experimental_local_results(iterator.get_next())
            with _session(tf, replicas) as session:
                session.run(iterator.initialize())
                try:
                    while True:
                        found.append([np.asarray(part) for part in session.run(list(parts))])
                except tf.errors.OutOfRangeError:
                    found.append("end")
    return found
