# SPDX-License-Identifier: Apache-2.0
"""Data sets, iterators and their resources in several tasks: on TensorFlow's servers and on ours,
values and codes of errors are the same, except that ours say why a data set cannot be sent."""

import pytest
import tensorflow
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
data = tf.data.Dataset
MAJOR = int(tensorflow.__version__.split(".")[0])

PS, WORKER = "/job:ps/task:0", "/job:worker/task:1"
JOBS = {"ps": 1, "worker": 2}


@pytest.fixture(scope="module")
def clusters():
    with Cluster(JOBS) as ours, Cluster(JOBS, "tensorflow") as theirs:
        yield ours, theirs


def on_ps(made):
    """An iterator of the data set on the ps, to which the functions belong too."""
    with tf.device(PS):
        return tf.data.make_initializable_iterator(made)


def triples(n=4):
    return data.range(n).map(lambda x: x * 3, num_parallel_calls=2)


# Each returns the initializers, the tensor that is read, and what is fed: a tensor for each
# placeholder.


def read_on_the_ps():
    with tf.device(PS):
        iterator = tf.data.make_initializable_iterator(triples())
        following = iterator.get_next()
    with tf.device(WORKER):
        return [iterator.initializer], following + 1, {}


def read_by_a_worker():
    iterator = on_ps(triples())
    with tf.device(WORKER):
        return [iterator.initializer], iterator.get_next() + 1, {}


def one_shot():
    with tf.device(PS):
        following = tf.data.make_one_shot_iterator(triples()).get_next()
    with tf.device(WORKER):
        return [], following * 10, {}


def captured_value():
    with tf.device(WORKER):
        more = tf.constant([7, 8], tf.int64) + 1
    with tf.device(PS):
        iterator = tf.data.make_initializable_iterator(data.range(4).map(lambda x: x + more))
        return [iterator.initializer], iterator.get_next(), {}


def sent_resource():
    iterator = on_ps(triples())
    with tf.device(WORKER):
        moved = tf.identity(iterator._iterator_resource)
        following = tf.raw_ops.IteratorGetNext(
            iterator=moved, output_types=[tf.int64], output_shapes=[[]]
        )
    return [iterator.initializer], following[0], {}


def string_handle(device):
    iterator = on_ps(triples())
    handle = tf.placeholder(tf.string, [])
    with tf.device(device):
        following = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    with tf.device(PS):
        return [iterator.initializer], following, {handle: iterator.string_handle()}


def string_handle_on_the_ps():
    return string_handle(PS)


def string_handle_elsewhere():
    return string_handle(WORKER)


def call_on_the_ps():
    """A worker calls a function on the ps, which reads the iterator there."""
    iterator = on_ps(triples())

    @function.Defun(tf.string)
    def read(handle):
        return tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()

    with tf.device(PS):
        handle = iterator.string_handle()
    with tf.device(WORKER):
        following = functional_ops.remote_call(
            args=[handle],
            Tout=[tf.int64],
            f=read,
            target="/job:ps/replica:0/task:0/device:CPU:0",
        )
    return [iterator.initializer], following[0], {}


def variable_elsewhere():
    with tf.device(WORKER):
        variable = tf.get_variable("elsewhere", initializer=tf.constant(5, tf.int64))
    iterator = on_ps(data.range(4).map(lambda x: x + variable))
    return [variable.initializer, iterator.initializer], iterator.get_next(), {}


def table_elsewhere():
    with tf.device(WORKER):
        pairs = tf.constant([0, 1], tf.int64), tf.constant([5, 6], tf.int64)
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(*pairs), -1)
    with tf.device(PS):
        iterator = tf.data.make_initializable_iterator(data.range(4).map(table.lookup))
        following = iterator.get_next()
    return [table.initializer, iterator.initializer], following, {}


def function_elsewhere():
    def add(x):
        with tf.device(WORKER):
            return x + 1

    iterator = on_ps(data.range(4).map(add))
    return [iterator.initializer], iterator.get_next(), {}


PROGRAMS = [
    read_on_the_ps,
    read_by_a_worker,
    one_shot,
    captured_value,
    string_handle_on_the_ps,
    string_handle_elsewhere,
    call_on_the_ps,
    variable_elsewhere,
    table_elsewhere,
    function_elsewhere,
] + ([sent_resource] if MAJOR == 1 else [])


def outcome(target, program):
    with tf.Graph().as_default() as graph, tf.container(program.__name__.replace("_", "-")):
        tf.get_variable_scope().set_use_resource(True)
        initializers, following, fed = program()
        seen = []
        with tf.Session(target, graph=graph) as session:
            try:
                for initializer in initializers:
                    session.run(initializer)
                values = {place: session.run(tensor) for place, tensor in fed.items()}
                while True:
                    seen.append(session.run(following, values).tolist())
            except tf.errors.OpError as error:
                return [*seen, type(error).__name__]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_input_in_several_tasks(clusters, program):
    ours, theirs = clusters
    expected = outcome(theirs.target(), program)
    if MAJOR == 2 and program in (string_handle_on_the_ps, call_on_the_ps):
        assert expected == ["InvalidArgumentError"]  # later servers refuse all such handles
        expected = [0, 3, 6, 9, "OutOfRangeError"]
    assert outcome(ours.target(), program) == expected


def test_a_data_set_that_is_sent_is_refused(clusters):
    """TensorFlow's error is INTERNAL: could not parse rpc response."""
    with tf.Graph().as_default():
        with tf.device(PS):
            sent = tf.identity(triples()._variant_tensor)
        with tf.device(WORKER):
            read = tf.raw_ops.DatasetToSingleElement(
                dataset=sent, output_types=[tf.int64], output_shapes=[[]]
            )
        errors = tf.errors.UnimplementedError, tf.errors.InternalError
        for cluster, error in zip(clusters, errors):
            with tf.Session(cluster.target()) as session, pytest.raises(error):
                session.run(read)
