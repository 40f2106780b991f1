# SPDX-License-Identifier: Apache-2.0
"""Programs that import modules of TensorFlow's sources for training: what they find there."""

import importlib
import os
import tempfile

ONLY_1X = True  # later TensorFlows have other modules


def _module(tf, path):
    """The module of a path such as "training.saver"."""
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def names_that_are_public_elsewhere(tf):
    rows = """
        distribute.cluster_resolver.cluster_resolver:SimpleClusterResolver,UnionClusterResolver
        distribute.values:PerReplica,Mirrored,regroup eager.test:TestCase,main
        estimator.inputs.numpy_io:numpy_input_fn estimator.run_config:RunConfig,TaskType
        feature_column.feature_column_lib:DenseFeatures,numeric_column
        framework.tensor_util:MakeNdarray,make_tensor_proto ops.variables:VariableV1
        ops.lookup_ops:index_table_from_tensor,MutableHashTable platform.googletest:main
        platform.test:mock saved_model.builder:SavedModelBuilder saved_model.main_op:main_op
        saved_model.signature_def_utils:predict_signature_def,supervised_train_signature_def
        summary.summary_iterator:summary_iterator training.monitored_session:USE_DEFAULT
        training.checkpoint_management:meta_graph_filename,update_checkpoint_state_internal
        training.checkpoint_utils:wait_for_new_checkpoint training.saver:BaseSaverBuilder
        training.experimental.loss_scale:FixedLossScale training.tracking.tracking:AutoTrackable
    """
    found = []
    for row in rows.split():
        path, _, names = row.partition(":")
        module = _module(tf, path)
        found.append([path, [hasattr(module, name) for name in names.split(",")]])
    shape = _module(tf, "framework.tensor_shape")
    shapes = [shape.unknown_shape(), shape.unknown_shape(2), shape.vector(3), shape.matrix(2, None)]
    return [found, [str(one) for one in (*shapes, shape.scalar())]]


def objects_that_say_how_they_are_saved(tf):
    saver_module = _module(tf, "training.saver")
    builder = saver_module.BaseSaverBuilder

    class Halves(builder.SaveableObject):
        def __init__(self, variable, name):
            self._variable = variable
            specs = [
                builder.SaveSpec(variable[:2], "", name + "-first"),
                builder.SaveSpec(variable[2:], "", name + "-last"),
            ]
            super().__init__(variable, specs, name)

        def restore(self, restored_tensors, restored_shapes):
            shapes.append(restored_shapes if restored_shapes is None else len(restored_shapes))
            return self._variable.assign(tf.concat(restored_tensors, 0)).op

    shapes, v, found = [], tf.Variable([1.0, 2.0, 3.0]), []
    w = tf.Variable(4.0, name="w")
    halves = Halves(v, "v")
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, halves)
    folder = tempfile.mkdtemp()
    savers = [tf.train.Saver([halves, w]), tf.train.Saver({"other": halves}, reshape=True)]
    with tf.Session() as session:
        for i, saver in enumerate(savers):
            session.run(tf.global_variables_initializer())
            path = saver.save(session, os.path.join(folder, f"model{i}"))
            session.run(v.assign([0.0, 0.0, 0.0]))
            saver.restore(session, path)
            found.append([tf.train.list_variables(path), session.run(v)])
    return found, shapes


def averages_that_start_at_zero(tf):
    module = _module(tf, "training.moving_averages")
    found = []
    for resource in (False, True):
        with tf.variable_scope(f"of{resource}", use_resource=resource):
            v = tf.get_variable("v", initializer=[0.0, 0.0])
            for corrected in (True, False):
                update = module.assign_moving_average(v, [10.0, 20.0], 0.75, corrected)
                with tf.Session() as session:
                    session.run(tf.global_variables_initializer())
                    values = []
                    for _ in range(3):
                        session.run(update)
                        values.append(session.run(v))
                found.append(values)
    average = module.weighted_moving_average(tf.constant([2.0, 4.0]), 0.5, tf.constant(3.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found.append([session.run(average) for _ in range(2)])
    return [found, sorted(v.name for v in tf.global_variables())]


def slots_of_variables(tf):
    module = _module(tf, "training.slot_creator")
    v = tf.Variable([1.0, 2.5], name="var")
    slots = [
        module.create_slot(v, v.initialized_value(), name="slot"),
        module.create_zeros_slot(v, name="zeros", dtype=tf.float64),
        module.create_slot_with_initializer(
            v, tf.ones_initializer(), v.shape, tf.float32, "ones", colocate_with_primary=False
        ),
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [[s.op.name, s.op.colocation_groups(), session.run(s)] for s in slots]


def global_steps(tf):
    module = _module(tf, "training.training_util")
    step = tf.train.get_or_create_global_step()
    more = module._increment_global_step(2)
    read = module._get_or_create_global_step_read()
    with tf.Session() as session:
        session.run(step.initializer)
        return session.run(more), session.run(read)


def tensors_that_hooks_log(tf):
    """They are the keys of what a formatter is given; a name is a key, too."""
    x, seen = tf.constant([1, 2], name="x"), []

    def formatter(values):
        seen.append([["name" if key == "x:0" else key is x, v] for key, v in values.items()])
        return ""

    hooks = [
        tf.train.LoggingTensorHook(tensors, every_n_iter=2, formatter=formatter)
        for tensors in ([x], ["x:0"])
    ]
    with tf.train.SingularMonitoredSession(hooks=hooks) as session:
        for _ in range(3):
            session.run(x)
    return seen
