# SPDX-License-Identifier: Apache-2.0
"""Records programs for the player (recorded_cases.py): trainings, random programs, functions,
lists of tensors, ops that keep tensors.

    record_programs.py [KIND...]

A case of one op holds no loop, function, stack or TensorArray; these programs do.
"""

import argparse

import numpy as np
import tensorflow

from interop.ops import lists_test, old_ops_test
from interop.programs import defuns, functions, kept_values, models, training_nets
from interop.tools.random_program import Program
from interop.tools.random_programs import without_devices
from interop.tools.recorded_cases import RecordedCases

tf = tensorflow.compat.v1
MODEL_STEPS, NET_STEPS = 10, 4
RANDOM_PROGRAMS = 40
# Losses differ by the order of sums, and more with each step.
RTOL = ATOL = 1e-4
# Of such programs a part must run on the device.
TRAINED = ("Apply", "Conv2D", "MatMul", "MaxPool", "Scatter", "TensorArray")


class Recorder:
    """A session of TensorFlow's whose runs are recorded."""

    def __init__(self, name, graph):
        self._graph, self.recorded = graph, RecordedCases(name, graph)
        self._session, self._name, self._runs = tf.Session(graph=graph), name, 0

    def run(self, fetches, feeds=None, targets=(), nodes=()):
        """False if the run failed; it is recorded all the same."""
        feeds, self._runs = feeds or {}, self._runs + 1
        try:
            answers = self._session.run([list(fetches), list(targets)], feeds)[0]
        except tf.errors.OpError as error:
            answers = error
        if not isinstance(answers, (tf.errors.InternalError, tf.errors.UnimplementedError)):
            name = f"{self._name}, run {self._runs}"
            self.recorded.add(name, feeds, fetches, answers, targets, nodes, RTOL, ATOL)
        return not isinstance(answers, Exception)

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        self._session.close()
        if kind is None:
            self.recorded.write()


def trained_nodes(graph):
    return [op for op in graph.get_operations() if any(part in op.type for part in TRAINED)]


def train(name, graph, start, fetches, targets, feeds, steps):
    with Recorder(name, graph) as recorder:
        recorder.run([], targets=[start])
        for step in range(steps):
            recorder.run(fetches, feeds(step), targets, trained_nodes(graph))


def record_models():
    for model, build in sorted(models.MODELS.items()):
        for optimizer, make in sorted(models.OPTIMIZERS.items()):
            for resource in (False, True):
                with tf.Graph().as_default() as graph:
                    loss, feeds = build(np.random.RandomState(7), resource)
                    train_op = make().minimize(loss)
                    start = tf.global_variables_initializer()
                name = f"model-{model}-{optimizer}-{'resource' if resource else 'ref'}"
                train(name, graph, start, [loss], [train_op], feeds, MODEL_STEPS)


def record_nets():
    for net, build in sorted(training_nets.NETS.items()):
        for optimizer, make in sorted(training_nets.OPTIMIZERS.items()):
            for resource in (False, True):
                with tf.Graph().as_default() as graph:
                    loss, updates, feeds = build(tf, resource)
                    step = tf.train.get_or_create_global_step()
                    train_op = make(tf.train, step).minimize(loss, global_step=step)
                    start = tf.global_variables_initializer()
                name = f"net-{net}-{optimizer}-{'resource' if resource else 'ref'}"
                train(name, graph, start, [loss], [train_op, *updates], feeds, NET_STEPS)


def record_random_programs():
    for seed in range(RANDOM_PROGRAMS):
        program = Program(seed)
        try:
            graph = without_devices(program.graph)
        except ValueError:  # TensorFlow's client does not read what it wrote
            continue
        with Recorder(f"random-{seed}", graph) as recorder:
            good = all(
                recorder.run([], targets=[graph.get_operation_by_name(name.split(":")[0])])
                for name in program.initializers
            )
            for fetches, feeds in program.steps if good else ():
                tensors = [graph.get_tensor_by_name(f) for f in fetches]
                fed = {graph.get_tensor_by_name(f): np.asarray(v) for f, v in feeds.items()}
                if not recorder.run(tensors, fed):
                    break


def record_lists():
    built = {case.__name__: case for case in lists_test.CASES}
    built.update((name.replace(" ", "-"), case) for name, case in lists_test.ERRORS.items())
    for name, build in built.items():
        with tf.Graph().as_default() as graph:
            fetches = [tf.convert_to_tensor(f).name for f in tf.nest.flatten(build())]
        graph = without_devices(graph)
        with Recorder(f"list-{name}", graph) as recorder:
            recorder.run([graph.get_tensor_by_name(f) for f in fetches])


def record_steps(name, build, any_device):
    """The steps of a functions.Program. Nodes that it pins to a task go to `any_device`."""
    with tf.Graph().as_default() as graph:
        p = functions.Program()
        functions.without_tasks(build, any_device)(p)
        steps = []
        for fetches, feeds in p.steps:
            if callable(fetches):
                fetches = fetches()
            if isinstance(fetches, functions.Failing):
                fetches = fetches.fetches
            elements = [graph.as_graph_element(f) for f in tf.nest.flatten(fetches)]
            tensors = [e for e in elements if isinstance(e, tf.Tensor)]
            targets = [e for e in elements if isinstance(e, tf.Operation)]
            steps.append((tensors, feeds, targets))
    with Recorder(name, graph) as recorder:
        for tensors, feeds, targets in steps:
            recorder.run(tensors, feeds, targets)


def record_kept_values():
    for name, build in kept_values.PROGRAMS.items():
        record_steps(f"kept-{name}", build, "")


def record_functions():
    tf.enable_control_flow_v2()
    tf.enable_resource_variables()
    try:
        for name, build in defuns.PROGRAMS.items():
            record_steps(f"function-{name}", build, "")
    finally:
        tf.disable_control_flow_v2()
        tf.disable_resource_variables()


def record_old_ops():
    old, fetches = old_ops_test.old_graph()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(old, name="")
    with Recorder("old-ops", graph) as recorder:
        for fetch in fetches:
            element = graph.as_graph_element(fetch)
            if isinstance(element, tf.Tensor):
                recorder.run([element])
            else:
                recorder.run([], targets=[element])


KINDS = {
    "models": record_models,
    "nets": record_nets,
    "random": record_random_programs,
    "lists": record_lists,
    "kept": record_kept_values,
    "functions": record_functions,
    "old": record_old_ops,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", help="of " + ", ".join(KINDS) + "; default: all")
    for kind in parser.parse_args().kinds or KINDS:
        KINDS[kind]()


if __name__ == "__main__":
    main()
