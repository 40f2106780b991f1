# SPDX-License-Identifier: Apache-2.0
"""What strategies say of their devices, and which variables they make where."""

from interop.programs.client._outcomes import outcome

ONLY_1X = True

_PROPERTIES = (
    "should_checkpoint", "should_save_summary", "worker_devices", "parameter_devices",
    "experimental_require_static_shapes", "experimental_between_graph", "experimental_should_init",
)  # fmt: skip


def _strategies(tf):
    distribute = tf.distribute
    return {
        "mirrored": distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]),
        "one": distribute.OneDeviceStrategy("/cpu:0"),
        "central": distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0"),
        "servers": distribute.experimental.ParameterServerStrategy(),
        "workers": distribute.experimental.MultiWorkerMirroredStrategy(),
    }


def properties(tf):
    return {
        name: [getattr(strategy.extended, key) for key in _PROPERTIES]
        for name, strategy in _strategies(tf).items()
    }


def places(tf):
    found = []
    for name, strategy in _strategies(tf).items():
        with tf.Graph().as_default(), strategy.scope():
            extended = strategy.extended
            v, w = tf.Variable(1.0, name="v"), tf.Variable([1.0], name="a")
            beside = extended.non_slot_devices([v, w])
            with extended.colocate_vars_with(v):
                near = tf.get_variable("near", [1])
            done = extended.update_non_slot(beside, lambda: tf.constant(2.0), group=False)

            def near_tensor(extended=extended):
                with extended.colocate_vars_with(tf.constant(1.0)):
                    return tf.get_variable("refused", [1])

            found.append([
                name, v.device, near.device, w is beside or beside, len(done),
                [value.device for value in done], outcome(near_tensor)
            ])  # fmt: skip
    return found


def kinds_of_variables(tf):
    """A variable may be synchronised ON_READ and trainable; without copies, also NONE."""
    kinds, found = tf.VariableSynchronization, []
    for name, strategy in _strategies(tf).items():
        with tf.Graph().as_default(), strategy.scope():
            for kind in (kinds.NONE, kinds.ON_READ):
                for trainable in (None, True, False):
                    number = len(found)
                    made = outcome(
                        tf.get_variable, f"v{number}", [], synchronization=kind,
                        trainable=trainable)  # fmt: skip
                    found.append([name, number, made, len(tf.trainable_variables())])
    aggregations = tf.VariableAggregation
    return [found, aggregations.ONLY_FIRST_TOWER is aggregations.ONLY_FIRST_REPLICA]


def compiled_by_xla(tf):
    """A program may ask for it; the results are those of graphs as they are."""
    optimizer, found = tf.config.optimizer, []
    for enabled in (True, False):
        optimizer.set_jit(enabled)
        with tf.Session() as session:
            found.append([optimizer.get_jit(), session.run(tf.constant(2.0) * 3)])
    return found
