# SPDX-License-Identifier: Apache-2.0
"""Programs with hash tables, in TensorFlow and on our server.

A case builds its graph and says what to run. Values, kinds of errors and their texts must be the
same in both.
"""

import atexit
import os
import shutil
import tempfile

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tensorflow.raw_ops
LATER = not tensorflow.__version__.startswith("1.")
HERE, THERE = "/job:worker/task:0", "/job:worker/task:1"
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
NOT_NAMED = {"container": "", "shared_name": "", "use_node_name_sharing": False}
# Where ours has words of its own: its handles have other names.
OTHER_WORDS = (
    "handle must be scalar",
    "is not initializable",
    "Trying to access",
    "No OpKernel",
    "does not exist",
)


def pairs(table):
    return [(key, value) for key, values in table for value in values.split()]


def write(name, contents):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(contents)
    return os.path.join(FOLDER, name)


class Program:
    """Runs fetches one after the other; an error is a result like any other."""

    def __init__(self, session, target):
        self.session, self.target = session, target
        self.results = []

    def run(self, fetches, feed=None, session=None):
        try:
            result = (session or self.session).run(fetches, feed)
            self.results.extend(result if isinstance(result, (list, tuple)) else [result])
        except tf.errors.OpError as error:
            self.results.append(error)

    def build_and_run(self, make):
        """For mistakes that a client may notice."""
        try:
            fetches = make()
        except (ValueError, TypeError) as error:
            self.results.append("the client says " + type(error).__name__)
        else:
            self.run(fetches)

    def run_sorted(self, exported, session=None):
        """An export's order is not specified."""
        try:
            keys, values = (session or self.session).run(exported)
            order = sorted(range(len(keys)), key=lambda i: str(keys[i]))
            self.results += [np.asarray(keys)[order], np.asarray(values)[order]]
        except tf.errors.OpError as error:
            self.results.append(error)


def some(dtype, count, first=0):
    if dtype == "string":
        return tf.constant([b"%d" % (i + first) for i in range(count)])
    if dtype == "bool":
        return tf.constant([i % 2 == 0 for i in range(count)])
    return tf.cast(tf.range(first, first + count), dtype)


def any_shape(x):
    return tf.placeholder_with_default(x, None)


def raw_v1(name, **inputs):
    from tensorflow.python.framework import op_def_library

    if hasattr(op_def_library, "apply_op"):
        return op_def_library.apply_op(name, **inputs)
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.framework import op_def_registry

    library = op_def_library.OpDefLibrary()
    library.add_op_list(op_def_pb2.OpList(op=[op_def_registry.get_registered_ops()[name]]))
    return library.apply_op(name, **inputs)


def dense(empty, deleted, key="int64", value="float32", **more):
    if key == "string":
        empty, deleted = str(empty), str(deleted)
    return raw.MutableDenseHashTableV2(
        empty_key=tf.constant(empty, key),
        deleted_key=tf.constant(deleted, key),
        value_dtype=value,
        **more,
    )


def results_of(case, target):
    with tf.Graph().as_default(), tf.device(HERE):
        program = Program(tf.Session(target), target)
        with program.session.as_default():
            case(program)
        try:
            program.session.close()
        except tf.errors.AbortedError:  # the case has reset the server
            pass
        return program.results


# "Table not initialized." of what TensorFlow writes around it.
def text(error):
    lines = error.message.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("\t [[") and i > 0 and "root error" not in lines[i - 1]:
            return lines[i - 1].split("] ")[-1] if "] " in lines[i - 1][:9] else lines[i - 1]
    return lines[0]


def said(result):
    return text(result) if isinstance(result, Exception) else result


def compare(case, ours, theirs):
    actual, expected = results_of(case, ours.target()), results_of(case, theirs.target())
    for i, (a, e) in enumerate(zip(actual, expected)):
        if not isinstance(e, Exception) and not isinstance(a, Exception):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(e), "result %d" % i)
            continue
        assert type(a) is type(e), "result %d is %s, TensorFlow's %s" % (i, said(a), said(e))
        if LATER and not any(other in e.message for other in OTHER_WORDS):
            assert text(e) in a.message, "result %d says %s, TensorFlow %s" % (i, text(a), text(e))
    assert len(actual) == len(expected)
