# SPDX-License-Identifier: Apache-2.0
"""Distribution strategies: replicas on several CPU devices of one process."""

import json
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True  # later TensorFlows have other names, and data sets that are always divided

_X = np.cos(np.arange(32)).reshape(16, 2).astype(np.float32)
_Y = np.sin(np.arange(16)).reshape(16, 1).astype(np.float32)


def _config(tf, count):
    return tf.ConfigProto(device_count={"CPU": count})


def _mirrored(tf, count):
    return tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])


def _trained(tf, strategy, cpus, optimizer, steps=5, batch=8):
    """Losses of each step and the values of all variables, of a model trained in all replicas."""
    with strategy.scope():
        data = tf.data.Dataset.from_tensor_slices((_X, _Y)).repeat().batch(batch)
        iterator = strategy.make_dataset_iterator(data)
        step_count = tf.train.get_or_create_global_step()
        rule = optimizer()

        def step(element):
            x, y = element
            w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(0.3))
            b = tf.get_variable("b", [3], initializer=tf.zeros_initializer())
            v = tf.get_variable("v", [3, 1], initializer=tf.constant_initializer(0.5))
            error = tf.matmul(tf.tanh(tf.matmul(x, w) + b), v) - y
            loss = tf.reduce_sum(tf.square(error)) / batch
            with tf.control_dependencies([rule.minimize(loss, global_step=step_count)]):
                return tf.identity(loss)

        losses = strategy.experimental_run_v2(step, args=(iterator.get_next(),))
        loss = strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
        variables = tf.global_variables()
        start = [tf.global_variables_initializer(), iterator.initialize()]
    with tf.Session(config=_config(tf, cpus)) as session:
        session.run(start)
        found = [session.run(loss) for _ in range(steps)]
        return [found, {v.name: session.run(v) for v in variables}]


def _rules(tf):
    train = tf.train
    return [
        lambda: train.AdamOptimizer(0.05),
        lambda: train.RMSPropOptimizer(0.01, momentum=0.5),
    ]


def mirrored_optimizers(tf):
    found = []
    for rule in _rules(tf):
        with tf.Graph().as_default():
            found.append(_trained(tf, _mirrored(tf, 2), 2, rule))
    return found


def equal_to_one_device(tf):
    """Several replicas give what one device gives on the whole batch."""

    def rule():
        return tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)

    found = []
    for make, cpus in (
        (lambda: tf.distribute.OneDeviceStrategy("/cpu:0"), 1),
        (lambda: _mirrored(tf, 4), 4),
        (lambda: tf.distribute.experimental.CentralStorageStrategy(
            ["/cpu:0", "/cpu:1"], "/cpu:0"), 2),
    ):  # fmt: skip
        with tf.Graph().as_default():
            found.append(_trained(tf, make(), cpus, rule, steps=3))
    for losses, variables in found[1:]:
        np.testing.assert_allclose(losses, found[0][0], 1e-4)
        for name, value in variables.items():
            np.testing.assert_allclose(value, found[0][1][name], 1e-4, 1e-6)
    return found


def sparse_gradients(tf):
    """Of rows that both replicas gather, and some only one of them."""
    found = []
    for rule in (_rules(tf)[0], lambda: tf.train.AdagradOptimizer(0.1)):
        with tf.Graph().as_default():
            strategy = _mirrored(tf, 2)
            optimizer = rule()
            with strategy.scope():
                rows = tf.data.Dataset.from_tensor_slices(np.array([0, 1, 1, 3])).repeat().batch(4)
                iterator = strategy.make_dataset_iterator(rows)

                def step(indices, optimizer=optimizer):
                    table = tf.get_variable("t", [5, 2], initializer=tf.ones_initializer())
                    chosen = tf.gather(table, indices)
                    return optimizer.minimize(tf.reduce_sum(tf.square(chosen)))

                train = strategy.experimental_run_v2(step, args=(iterator.get_next(),))
                train = strategy.group(train)
                start = [tf.global_variables_initializer(), iterator.initialize()]
                variables = tf.trainable_variables()
            with tf.Session(config=_config(tf, 2)) as session:
                session.run(start)
                for _ in range(3):
                    session.run(train)
                found.append(session.run(variables))
    return found


def names(tf):
    with tf.Graph().as_default() as graph:
        strategy = _mirrored(tf, 2)
        with strategy.scope():
            with tf.variable_scope("a"):
                outside = tf.get_variable("x", [2])
            other = tf.Variable(1.0, name="y", trainable=True)

            def step():
                with tf.variable_scope("net"):
                    inside = tf.get_variable("z", [2])
                loss = tf.reduce_sum(inside * outside) * other
                return tf.train.AdamOptimizer().minimize(loss)

            strategy.experimental_run_v2(step)
        handles = [n.name for n in graph.as_graph_def().node if n.op == "VarHandleOp"]
        return [
            handles,
            [v.name for v in tf.global_variables()],
            [v.name for v in tf.trainable_variables()],
            list(strategy.extended.worker_devices),
            strategy.num_replicas_in_sync,
            strategy.extended.variable_created_in_scope(outside),
            [v.device for v in strategy.experimental_local_results(outside)],
        ]


def contexts(tf):
    d = tf.distribute

    def where():
        replica = d.get_replica_context()
        return [
            d.has_strategy(), d.in_cross_replica_context(), replica is None,
            d.get_strategy().num_replicas_in_sync,
            None if replica is None else replica.num_replicas_in_sync,
        ]  # fmt: skip

    found, strategy = [where()], _mirrored(tf, 2)
    with strategy.scope() as entered:
        found += [where(), entered is strategy, d.get_strategy() is strategy]
        inside = []

        def step():
            inside.append(where())
            merged = d.get_replica_context().merge_call(lambda s, x: inside.append(where()), (1,))
            return [d.get_replica_context().replica_id_in_sync_group, merged is None]

        ids, flag = strategy.experimental_run_v2(step)
        found += [
            inside,
            flag,
            outcome(tf.distribute.OneDeviceStrategy("/cpu:0").scope().__enter__),
        ]
        ids = strategy.experimental_local_results(ids)
    with tf.Session(config=_config(tf, 2)) as session:
        found.append(session.run(list(ids)))
    return found + [where()]


def reductions(tf):
    """reduce(), all_reduce(), reduce_to() and broadcast_to() of values of two replicas."""
    strategy, ops = _mirrored(tf, 2), tf.distribute.ReduceOp
    with strategy.scope():

        def step():
            replica = tf.distribute.get_replica_context()
            number = tf.cast(replica.replica_id_in_sync_group, tf.float32)
            given = tf.constant([[1.0, 2.0], [3.0, 5.0]]) * (number + 1.0)
            value = tf.placeholder_with_default(given, [None, None])
            return {
                "value": value,
                "sum": replica.all_reduce(ops.SUM, value),
                "mean": replica.all_reduce(ops.MEAN, [value, number]),
                "merged": replica.merge_call(
                    lambda s, v: s.extended.reduce_to(ops.SUM, v, "/cpu:1"), (value,)),
            }  # fmt: skip

        found = strategy.experimental_run_v2(step)
        value = found["value"]
        fetches = [
            strategy.reduce(op, value, axis=axis)
            for op in (ops.SUM, ops.MEAN) for axis in (None, 0, 1)
        ]  # fmt: skip
        fetches += [strategy.experimental_local_results(found[k]) for k in ("sum", "merged")]
        fetches += [[strategy.experimental_local_results(v) for v in found["mean"]]]
        both = strategy.extended.broadcast_to(tf.constant(3.0), value)
        fetches.append(strategy.experimental_local_results(both))
    found = [[s.experimental_local_results(3.0)[0], s.extended.reduce_to(ops.MEAN, 4.0, "/cpu:0")]
             for s in (strategy,)]  # fmt: skip
    found.append(outcome(strategy.extended.reduce_to, ops.SUM, 4.0, "/cpu:0"))
    with tf.Session(config=_config(tf, 2)) as session:
        return found + [list(map(_plain, session.run(fetches)))]


def _plain(value):
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def variables(tf):
    """What replicas assign to variables of each kind, and what is read after it."""
    aggregations, kinds = tf.VariableAggregation, tf.VariableSynchronization
    strategy, found = _mirrored(tf, 2), []
    with strategy.scope():
        made = {
            name: tf.get_variable(
                name, [], initializer=tf.constant_initializer(1.0), trainable=False,
                aggregation=getattr(aggregations, name.split("/")[1]),
                synchronization=getattr(kinds, name.split("/")[0]),
            )
            for name in ("AUTO/SUM", "AUTO/MEAN", "ON_WRITE/ONLY_FIRST_REPLICA", "ON_READ/SUM",
                         "ON_READ/MEAN", "ON_READ/ONLY_FIRST_REPLICA")
        }  # fmt: skip
        plain = tf.Variable(2.0, name="plain")

        def step():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            value = 10.0 * tf.cast(number + 1, tf.float32)
            ops = [v.assign_add(value) for v in made.values()]
            found.append(outcome(plain.assign, value))
            with tf.control_dependencies([tf.group(*[getattr(o, "op", o) for o in ops])]):
                return {k: v.read_value() for k, v in made.items()}

        reads = strategy.experimental_run_v2(step)
        reads = {k: strategy.experimental_local_results(v) for k, v in reads.items()}
        total = {k: v.read_value() for k, v in made.items()}
        again = {k: v.assign(4.0) for k, v in made.items() if not k.startswith("ON_READ")}
        again = tf.group(*[strategy.group(v) for v in [*again.values(), plain.assign(5.0)]])
        start = tf.global_variables_initializer()
    with tf.Session(config=_config(tf, 2)) as session:
        session.run(start)
        found.append({k: list(v) for k, v in session.run(reads).items()})
        found.append(session.run(total))
        session.run(again)
        found.append(session.run([total, plain]))
        found.append([session.run(v) for v in made.values()])
    for options in ({"synchronization": kinds.NONE}, {"aggregation": 7}):
        with strategy.scope():
            found.append(outcome(tf.get_variable, "bad", [], **options))
    return found


def inputs(tf):
    """The elements that each replica gets."""
    strategy, found = _mirrored(tf, 2), []

    def batches(context):
        c = context
        found.append([c.num_replicas_in_sync, c.input_pipeline_id, c.num_input_pipelines])
        found.append(c.get_per_replica_batch_size(6))
        found.append(outcome(context.get_per_replica_batch_size, 3))
        return tf.data.Dataset.range(12).batch(context.get_per_replica_batch_size(4))

    with strategy.scope():
        of_function = strategy.make_input_fn_iterator(batches)
        whole = strategy.make_dataset_iterator(tf.data.Dataset.range(12).batch(4))
        distributed = strategy.experimental_distribute_dataset(tf.data.Dataset.range(8).batch(4))
        distributed = distributed.make_initializable_iterator()
        iterators = [of_function, whole, distributed]
        elements = [strategy.experimental_local_results(i.get_next()) for i in iterators]
        ran = strategy.experimental_run(lambda x: tf.reduce_sum(x), whole)
        elements[1] = strategy.experimental_local_results(ran)
        start = [i.initialize() for i in iterators]
    with tf.Session(config=_config(tf, 2)) as session:
        session.run(start)
        for _ in range(2):
            found.append([list(e) for e in session.run(elements)])
        arrays = {"a": np.arange(6, dtype=np.float32), "b": np.arange(12).reshape(6, 2)}
        with strategy.scope():
            numpy = strategy.experimental_make_numpy_dataset(arrays, session)
        row = tf.data.make_initializable_iterator(numpy)
        session.run(row.initializer)
        found.append(session.run(row.get_next()))
    return found


def checkpoints(tf):
    """A checkpoint of two replicas is read without the strategy, and by another one."""
    folder = tempfile.mkdtemp()
    found = []

    def graph(strategy, values):
        kinds, aggregations = tf.VariableSynchronization, tf.VariableAggregation
        with strategy.scope():
            v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]) * values)
            s = tf.get_variable(
                "s", [], initializer=tf.constant_initializer(3.0 * values), trainable=False,
                synchronization=kinds.ON_READ, aggregation=aggregations.SUM)  # fmt: skip
            return v, s, tf.train.Saver(), tf.global_variables_initializer()

    for strategy, cpus in ((_mirrored(tf, 2), 2), (tf.distribute.OneDeviceStrategy("/cpu:0"), 1)):
        with tf.Graph().as_default():
            _, _, saver, start = graph(strategy, 1.0)
            with tf.Session(config=_config(tf, cpus)) as session:
                session.run(start)
                path = saver.save(session, os.path.join(folder, f"m{cpus}"))
            found.append(tf.train.list_variables(path))
            found.append([tf.train.load_variable(path, n) for n in ("v", "s")])
    with tf.Graph().as_default():
        v = tf.get_variable("v", [2])
        with tf.Session() as session:
            tf.train.Saver([v]).restore(session, os.path.join(folder, "m2"))
            found.append(session.run(v))
    with tf.Graph().as_default():
        strategy = _mirrored(tf, 2)
        v, s, saver, start = graph(strategy, 7.0)
        parts = [strategy.experimental_local_results(x) for x in (v, s)]
        with tf.Session(config=_config(tf, 2)) as session:
            session.run(start)
            saver.restore(session, os.path.join(folder, "m1"))
            found += [_plain(session.run(list(part))) for part in parts]
    return found


def resolvers(tf):
    r = tf.distribute.cluster_resolver
    cluster = {"worker": ["a:1", "b:2"], "ps": ["c:3"]}
    before = os.environ.get("TF_CONFIG")
    os.environ["TF_CONFIG"] = json.dumps({
        "cluster": cluster, "task": {"type": "worker", "index": 1}, "rpc_layer": "grpc",
    })  # fmt: skip
    try:
        found = []
        for given in (r.TFConfigClusterResolver(), r.TFConfigClusterResolver("ps", 0)):
            found.append([given.cluster_spec().as_dict(), given.task_type, given.task_id,
                          given.rpc_layer, given.master(), given.master("worker", 0)])  # fmt: skip
        simple = r.SimpleClusterResolver(
            tf.train.ClusterSpec({"worker": ["d:4"], "chief": ["e:5"]}), master="e:5",
            task_type="chief", task_id=0, rpc_layer="grpc")  # fmt: skip
        union = r.UnionResolver(simple, r.TFConfigClusterResolver())
        for given in (simple, union):
            found.append([given.cluster_spec().as_dict(), given.task_type, given.task_id,
                          given.rpc_layer, given.master(), given.master("worker", 0)])  # fmt: skip
        numbered = r.SimpleClusterResolver(tf.train.ClusterSpec({"worker": {3: "f:6"}}))
        found.append(r.UnionResolver(simple, numbered).cluster_spec().as_dict())
        found += [
            outcome(r.UnionResolver), outcome(r.UnionResolver, 1),
            outcome(r.SimpleClusterResolver, cluster),
            outcome(r.UnionResolver(numbered, numbered).cluster_spec),
        ]  # fmt: skip
        return found
    finally:
        os.environ.pop("TF_CONFIG")
        if before is not None:
            os.environ["TF_CONFIG"] = before


def losses(tf):
    found = [
        tf.nn.compute_average_loss(tf.constant([1.0, 2.0, 3.0]), [1.0, 0.0, 2.0], 6),
        tf.nn.compute_average_loss(tf.constant([1.0, 2.0, 3.0])),
        tf.nn.scale_regularization_loss(tf.constant([2.0, 4.0])),
    ]
    strategy = _mirrored(tf, 2)
    with strategy.scope():

        def step():
            values = tf.constant([1.0, 3.0])
            average = tf.nn.compute_average_loss(values)
            return average + tf.nn.scale_regularization_loss(values)

        found += strategy.experimental_local_results(strategy.experimental_run_v2(step))
        refused = outcome(tf.nn.scale_regularization_loss, 1.0)
    with tf.Session(config=_config(tf, 2)) as session:
        return [session.run(found), refused, str(tf.distribute.get_loss_reduction())]


def mistakes(tf):
    strategy = _mirrored(tf, 2)
    optimizer, found = tf.train.GradientDescentOptimizer(0.1), []
    with strategy.scope():
        v = tf.Variable(1.0)
        found.append(outcome(optimizer.apply_gradients, [(tf.constant(1.0), v)]))

        def uneven():
            replica = tf.distribute.get_replica_context()
            if not found[1:]:
                found.append("once")
                return replica.merge_call(lambda s: tf.no_op())
            return tf.no_op()

        found.append(outcome(strategy.experimental_run_v2, uneven))

        def fails():
            raise KeyError("x")

        found.append(outcome(strategy.experimental_run_v2, fails))
    return found


def reduced_in_replicas(tf):
    """reduce() is for the scope outside of replicas."""
    strategy, found = _mirrored(tf, 2), []

    def step():
        reduced = strategy.reduce
        found.append(says("merge_call", reduced, tf.distribute.ReduceOp.SUM, 1.0, axis=None))
        return tf.no_op()

    with strategy.scope():
        strategy.experimental_run_v2(step)
    return found


def created_by_scopes(tf):
    def doubled(next_creator, **kwargs):
        value = kwargs["initial_value"]
        kwargs["initial_value"] = 2.0 * (value() if callable(value) else value)
        return next_creator(**kwargs)

    def renamed(next_creator, **kwargs):
        return next_creator(**dict(kwargs, name="other"))

    with tf.variable_creator_scope(doubled):
        v = tf.Variable(1.0, name="v")
        with tf.variable_creator_scope(renamed):
            w = tf.Variable(3.0, name="w")
    after = tf.Variable(1.0, name="u")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [[v.name, w.name, after.name], session.run([v, w, after])]


def the_default_strategy(tf):
    """A program that enters the scope of "the strategy" also where there is none."""
    distribute = tf.distribute
    strategy = distribute.get_strategy()
    with strategy.scope():
        inside = [
            distribute.has_strategy(),
            distribute.in_cross_replica_context(),
            distribute.get_replica_context() is None,
            distribute.get_strategy() is strategy,
        ]
        v = tf.Variable(3.0, name="v", use_resource=True)
        train = tf.train.GradientDescentOptimizer(0.25).minimize(tf.square(v))
        with strategy.extended.colocate_vars_with(v):
            beside = tf.Variable(1.0, name="beside")
        rows = strategy.experimental_distribute_dataset(tf.data.Dataset.range(4))
        row = tf.data.make_one_shot_iterator(rows.map(lambda x: x + 1)).get_next()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        values = session.run([v, beside, row])
    with distribute.OneDeviceStrategy("/cpu:0").scope():
        nested = says("nest", strategy.scope().__enter__)
    return [inside, values, nested, strategy.extended.variable_created_in_scope(v)]


def made_in_the_scope(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    before = tf.Variable(1.0, name="before")
    with strategy.scope():
        inside = tf.Variable(1.0, name="inside")
        with strategy.extended.colocate_vars_with(inside):
            beside = tf.get_variable("beside", [])
    extended = strategy.extended
    return [extended.variable_created_in_scope(v) for v in (before, inside, beside)]


def variables_read_by_their_sum(tf):
    """What is synchronised ON_READ is not trainable, in a scope or outside of all."""
    more = {
        "synchronization": tf.VariableSynchronization.ON_READ,
        "aggregation": tf.VariableAggregation.SUM,
        "use_resource": True,
    }
    with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
        tf.get_variable("a", initializer=1.0, **more)
        tf.Variable(1.0, name="b", **more)
    tf.Variable(1.0, name="c", **more)
    trainable = [v.name for v in tf.trainable_variables()]
    refused = outcome(tf.get_variable, "d", initializer=1.0, trainable=True, **more)
    return [trainable, refused, len(tf.global_variables())]
