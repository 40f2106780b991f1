# SPDX-License-Identifier: Apache-2.0
"""Updates of the variables of strategies, outside of replicas and in merge_call()."""

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True


def _strategies(tf):
    distribute = tf.distribute
    return {
        "mirrored": distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]),
        "one": distribute.OneDeviceStrategy("/cpu:0"),
        "central": distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0"),
    }


def _session(tf):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))


def updated_values(tf):
    """What update() returns is the value after the update; without group, a tuple of all."""
    found = []
    for name, strategy in _strategies(tf).items():
        with tf.Graph().as_default(), strategy.scope():
            extended = strategy.extended
            v = tf.Variable([1.0, 2.0], name="v")
            added = extended.update(v, lambda x, y: x.assign_add(y), args=([3.0, 4.0],))
            parts = extended.update(v, lambda x, y: (x.read_value(), y), (5.0,), group=False)
            counts = [type(parts).__name__, [len(p) for p in parts]]
            beside = extended.non_slot_devices([v])
            other = extended.update_non_slot(beside, lambda y: y, args=(7.0,), group=False)
            nothing = extended.update(v, lambda x: None)
            start = tf.global_variables_initializer()
        with _session(tf) as session:
            session.run(start)
            # OneDeviceStrategy of TensorFlow 1.15 returns a variable, whose value it is too.
            found.append([name, session.run(added), counts, other[0], len(other), nothing is None])
    return found


def updates_in_merge_call(tf):
    """Each replica gets its part of what an update in merge_call() returned."""
    strategy = _strategies(tf)["mirrored"]
    with strategy.scope():
        v = tf.Variable(1.0, name="v")

        def step():
            def merged(strategy, value):
                return strategy.extended.update(v, lambda x, y: x.assign_add(y), args=(value,))

            return tf.distribute.get_replica_context().merge_call(merged, args=(3.0,)) + 1.0

        results = strategy.experimental_local_results(strategy.experimental_run_v2(step))
        start = tf.global_variables_initializer()
    with _session(tf) as session:
        session.run(start)
        return [session.run(results), session.run(v)]


def replicas_in_replicas(tf):
    """A replica starts no replicas and enters no scope."""
    found = []
    for strategy in _strategies(tf).values():
        with strategy.scope():

            def step(strategy=strategy):
                found.append(message(strategy.experimental_run_v2, lambda: 3))
                found.append(message(strategy.extended.call_for_each_replica, lambda: 3))
                found.append(message(strategy.scope().__enter__))

            strategy.experimental_run_v2(step)
            other = tf.distribute.OneDeviceStrategy("/cpu:0")
            found.append(message(other.scope().__enter__).split(":")[0])
    return found


def kinds_of_copies(tf):
    """The constants of a variable's copies, as they are printed, found by number and refused."""
    kinds, sums = tf.VariableSynchronization, tf.VariableAggregation
    found = [[str(k), k.name, k.value] for k in [*kinds, *sums]]
    v = tf.get_variable("v", [], aggregation=sums.MEAN, trainable=False, use_resource=True)
    w = tf.Variable(1.0, use_resource=True)
    found += [str(x) for x in (v.aggregation, v.synchronization, w.aggregation, w.synchronization)]
    u = tf.get_variable("u", [], aggregation=1, synchronization=2, use_resource=True)
    found += [u.aggregation.name, u.synchronization.name]
    found.append(message(tf.get_variable, "b", [], aggregation=7, use_resource=True))
    found.append(message(tf.get_variable, "c", [], synchronization=9, use_resource=True))
    found.append(outcome(sums, 9))
    return found


def refused_copies(tf):
    """Variables that replicas cannot update, or that a strategy cannot make."""
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    found = []
    with strategy.scope():
        v = tf.get_variable("v", initializer=1.0)
        text = message(strategy.experimental_run_v2, lambda: v.assign_add(1.0))
        found.append(text.split(" You can do so")[0])
        mode = tf.VariableSynchronization.NONE
        found.append(message(tf.get_variable, "none", [], synchronization=mode))
        sums = tf.Variable(
            4.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM)  # fmt: skip
        found += [message(sums.assign_add, 1.0), message(sums.assign_sub, 1.0)]
        found.append(message(strategy.make_input_fn_iterator, lambda context: 3))
        found.append(message(strategy.make_input_fn_iterator, lambda context: 3, "mode"))
        given = sums.assign(6.0)
    with _session(tf) as session:
        session.run(tf.global_variables_initializer())
        session.run(strategy.experimental_local_results(given))
        found.append(session.run(sums.read_value()))  # outside of the scope: all together
    return found
