# SPDX-License-Identifier: Apache-2.0
"""Programs that read files in the graph, and estimators: values equal to TensorFlow's servers'.

Each runs on TensorFlow's own servers and on ours. Estimators need TensorFlow 1.15.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest
import tensorflow

from interop.programs import input_programs
from interop.training.models_test import compare

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)
TF1 = tensorflow.__version__.startswith("1.")

JOBS = {"chief": 1, "ps": 1, "worker": 1}
PROGRAMS = dict(input_programs.PROGRAMS)
if TF1:
    from interop.programs import canned_estimators, estimator_tasks

    PROGRAMS.update(canned_estimators.PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(ours, theirs, name):
    found = []
    for cluster in (theirs, ours):
        tf.Session.reset(cluster.target())
        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
            tf.set_random_seed(5)
            found.append(PROGRAMS[name](cluster.target(), folder))
    compare(found[1], found[0])


# ---- Several tasks -----------------------------------------------------------------------------


def start_task(cluster, job, folder):
    config = {
        "cluster": cluster.spec,
        "task": {"type": job, "index": 0},
        "environment": "google",  # the cluster's servers run already
    }
    command = [sys.executable, estimator_tasks.__file__, folder]
    with open(os.path.join(folder, f"{job}.log"), "wb") as log:
        return subprocess.Popen(
            command, env=dict(os.environ, TF_CONFIG=json.dumps(config)), stdout=log, stderr=log
        )


def run_tasks(cluster, folder):
    """Runs the chief and the worker to their ends."""
    input_programs.census(folder)
    tasks = {job: start_task(cluster, job, folder) for job in estimator_tasks.TASKS}
    try:
        for job, task in tasks.items():
            if task.wait(150) != 0:
                with open(os.path.join(folder, f"{job}.log"), errors="replace") as log:
                    pytest.fail(f"{job} ended with {task.returncode}\n{log.read()[-4000:]}")
    finally:
        for task in tasks.values():
            task.kill()
            task.wait()


def trained(folder, program):
    """The losses of each task, and the variables of the last checkpoint."""
    losses = []
    for job in estimator_tasks.TASKS:
        with open(os.path.join(folder, f"{program}-{job}.json")) as found:
            losses.append(np.float32(json.load(found)))
    reader = tf.train.load_checkpoint(os.path.join(folder, program))
    names = sorted(reader.get_variable_to_shape_map())
    return losses, [reader.get_tensor(name) for name in names]


if TF1:

    @pytest.fixture(scope="module")
    def folders(ours, theirs, tmp_path_factory):
        """What the tasks left on our servers, and on TensorFlow's."""
        found = []
        for cluster in (ours, theirs):
            found.append(str(tmp_path_factory.mktemp(cluster.kind)))
            run_tasks(cluster, found[-1])
        return found

    @pytest.mark.parametrize("program", ["shard", "from_the_ps"])
    def test_train_and_evaluate(folders, program):
        found, expected = (trained(folder, program) for folder in folders)
        # The chief's last step begins before it knows that the steps are done.
        assert [len(losses) for losses in expected[0]] == [5, 4]
        compare(found, expected)
