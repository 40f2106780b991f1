# SPDX-License-Identifier: Apache-2.0
"""Functions and functional control flow, as TensorFlow's clients build them: TensorFlow's answers.

Every program is built by this client (resource variables, control flow of version 2: If, While,
PartitionedCall and so on, and Defun's functions) and run three times by TensorFlow's own session in
this process, by our cluster of a ps and two workers, and by a cluster of one task.
"""

import numpy as np
import pytest
import tensorflow

from interop.programs import defuns, kept_values
from interop.programs.functions import Failing, Program, without_tasks
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
if not tensorflow.__version__.startswith("1."):
    tf.disable_eager_execution()


def evaluate(build, target, config=None):
    """The values of all steps, from a session on `target`."""
    values = []
    graph = tensorflow.Graph()
    with graph.as_default():
        p = Program()
        build(p)
        with tf.Session(target, graph=graph, config=config) as session:
            for fetches, feeds in p.steps:
                if callable(fetches):
                    fetches = fetches()
                if isinstance(fetches, Failing):
                    values.append(fetches.run(session, feeds))
                else:
                    values.append(session.run(fetches, feeds))
    if target:
        tf.Session.reset(target)
    return values


def flat(value):
    if isinstance(value, dict):
        return [v for key in sorted(value) for v in flat(value[key])]
    if isinstance(value, (list, tuple)):
        return [v for element in value for v in flat(element)]
    return [value]


def compare(name, actual, expected):
    actual, expected = flat(actual), flat(expected)
    assert len(actual) == len(expected), name
    for i, (a, e) in enumerate(zip(actual, expected)):
        if e is None or isinstance(e, str):
            assert a == e, (name, i, a, e)
        else:
            np.testing.assert_allclose(a, e, rtol=1e-5, atol=1e-6, err_msg=f"{name} {i}")


@pytest.fixture(scope="module", autouse=True)
def version_2():
    """Control flow and variables of version 2, which other files turn off."""
    tf.enable_control_flow_v2()
    tf.enable_resource_variables()
    yield
    tf.disable_control_flow_v2()
    tf.disable_resource_variables()


@pytest.fixture(scope="module")
def one():
    with Cluster({"worker": 1}) as cluster:
        yield cluster


PROGRAMS = {**defuns.PROGRAMS, **kept_values.PROGRAMS}
JOBS = {"ps": 1, "worker": 2}
LOCAL = tf.ConfigProto(device_count={"CPU": 1}, allow_soft_placement=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_on_three_tasks(ours, name):
    # TensorFlow's own session knows one task only.
    expected = evaluate(without_tasks(PROGRAMS[name]), "", LOCAL)
    compare(name, evaluate(PROGRAMS[name], ours.target()), expected)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "across_devices"])
def test_on_one_task(one, name):
    expected = evaluate(without_tasks(PROGRAMS[name]), "", LOCAL)
    compare(name, evaluate(PROGRAMS[name], one.target()), expected)
