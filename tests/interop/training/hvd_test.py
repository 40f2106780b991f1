# SPDX-License-Identifier: Apache-2.0
"""sluice.hvd over TensorFlow's client, on several ranks: all operations, and a training program."""

import os
import re
import subprocess
import sys

import pytest

from interop.tools.cluster import BUILD, TESTS

pytestmark = pytest.mark.waits

OPERATIONS = os.path.join(TESTS, "interop", "programs", "hvd_ranks.py")
CHECKS = os.path.join(TESTS, "interop", "programs", "hvd_checks.py")
EXAMPLES = os.path.join(TESTS, "interop", "programs", "hvd_examples.py")
MNIST = os.path.join(os.path.dirname(TESTS), "examples", "horovod", "mnist.py")


def run(size, program, seconds=280):
    done = subprocess.run(
        [os.path.join(BUILD, "sluice"), "run", "-np", str(size), sys.executable, program,
         "--tensorflow"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_operations():
    said = run(3, OPERATIONS)
    assert said.count("passed test_training") == 4 * 3, said


@pytest.mark.parametrize("size", [2, 3])
def test_what_programs_of_horovod_expect(size):
    said = run(size, CHECKS)
    assert said.count("passed test_optimizers_of_keras") == size, said


def test_programs_like_those_of_horovod():
    said = run(2, EXAMPLES)
    assert said.count("passed test_a_benchmark_with_synthetic_data") == 2, said


def test_mnist():
    said = run(2, MNIST)
    losses = [float(text) for text in re.findall(r"^\[0\] step \d+: loss (\S+)", said, re.M)]
    assert losses[-1] < 0.8 * losses[0], said


OPEN = """
import sluice.hvd, tensorflow
import numpy as np
hvd, tf = sluice.hvd.over(tensorflow), tensorflow.compat.v1
hvd.init()
backend, keras = tf.keras.backend, tf.keras
for _ in range(2):
    backend.clear_session()
    session = tf.Session(hvd.target(), config=hvd.config())
    backend.set_session(session)
    model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones([1, 2]), np.ones([1, 1]))
print("ends")
"""


@pytest.mark.skipif(sys.version_info >= (3, 8), reason="Keras of 2.x has no sessions")
def test_sessions_that_are_left_do_not_delay_the_end(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(OPEN)
    said = run(2, str(program), seconds=20)
    assert said.count("ends") == 2, said


LOADED = """
import sys, sluice.hvd, tensorflow
import numpy as np
hvd, tf = sluice.hvd.over(tensorflow), tensorflow.compat.v1
hvd.init()
backend, keras = tf.keras.backend, tf.keras
x, y = np.ones([4, 2]), np.full([4, 1], hvd.rank())
def session():
    backend.clear_session()
    backend.set_session(tf.Session(hvd.target(), config=hvd.config()))
def made():
    model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
    model.compile(hvd.DistributedOptimizer(optimizer, backward_passes_per_step=2), "mse")
    return model
session()
model = made()
for _ in range(2):  # the second of them applies the gradients
    before = model.get_weights()
    model.train_on_batch(x, y)
assert not np.allclose(before[0], model.get_weights()[0])
path = sys.argv[1] + str(hvd.rank())
model.save(path)
session()
if hvd.rank() == 0:
    model = hvd.load_model(path)
else:
    model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1, momentum=0.9)), "mse")
def data():
    while True:
        yield x, y
model.fit_generator(data(), 2, verbose=0, callbacks=[
    hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
every = hvd.allgather_object([*model.get_weights(), *model.optimizer.get_weights()])
assert len(every[0]) == 5
for a, b in zip(*every):
    np.testing.assert_allclose(a, b, 1e-6)
print("passed")
"""


@pytest.mark.skipif(sys.version_info >= (3, 8), reason="Keras of 2.x has no sessions")
def test_one_rank_has_loaded_a_model(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(LOADED.replace("sys.argv[1]", repr(str(tmp_path / "model.h5"))))
    said = run(2, str(program))
    assert said.count("passed") == 2, said


GRAPH = """
import sluice.hvd, tensorflow
from sluice.horovod import keys, task
hvd, tf = sluice.hvd.over(tensorflow), tensorflow.compat.v1
task._task.append(task._Task(task.Numbers(1, 3, 1, 3, 0, 1), None, "grpc://localhost:1", None))
with tf.Graph().as_default() as graph:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.name_scope("outer"):
        y = hvd.allreduce(x, name="reduced")
    assert y.op.name == "outer/reduced" and y.shape.as_list() == [3, 2], y
    hvd.broadcast(x, 0, name="received")
    hvd.broadcast(x, 1, name="sent")
    hvd.alltoall(x, name="sent_to_all")
    hvd.reducescatter(x, name="scattered")
    made = [op for op in graph.get_operations() if op.type.startswith("Collective")]
    roots = {"received": ", root rank 0", "sent": ", root rank 1"}
    for op in made:
        compared = op.name + roots.get(op.name, "")
        assert op.get_attr("_collective_name").decode() == compared, op
        if not op.type.endswith("V2"):
            assert op.get_attr("instance_key") == keys.key_of(op.name)
            assert op.get_attr("group_size") == 3
    print(*[op.type for op in made])
task._task.clear()
"""


def test_graphs():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", GRAPH], capture_output=True, text=True, timeout=120,
        env=dict(os.environ, PYTHONPATH=os.path.join(BUILD, "python")),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ops = ["CollectiveReduce", "CollectiveBcastRecv", "CollectiveBcastSend", "CollectiveGather"]
    if sys.version_info < (3, 8):  # TensorFlow 1.15's client has no other ops
        ops += ["CollectiveGather", "CollectiveReduce"]
    else:
        ops += ["CollectiveAllToAllV2", "CollectiveReduceScatterV2"]
    assert done.stdout.split() == ops
