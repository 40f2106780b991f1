# SPDX-License-Identifier: Apache-2.0
"""Errors arrive as the exception classes, and with the phrases, of TensorFlow's own server."""

import os
import tempfile

import numpy as np
import pytest
import tensorflow
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops, list_ops

from interop.programs.models import tf

tf.disable_v2_behavior()


def uninitialized_ref(session):
    session.run(tf.get_variable("v", shape=[2], use_resource=False) + 1.0)


def uninitialized_resource(session):
    session.run(tf.get_variable("r", shape=[2], use_resource=True).read_value())


def not_fed(session):
    session.run(tf.placeholder(tf.float32, [None, 2], name="x") * 2.0)


def bad_shapes(session):
    a = tf.placeholder(tf.float32)
    session.run(tf.matmul(a, a), {a: np.zeros((2, 3), np.float32)})


def incompatible_shapes(session):
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    session.run(a + b, {a: np.zeros(2), b: np.zeros(3)})


def reshape(session):
    session.run(tf.reshape(tf.placeholder_with_default(np.zeros(5, np.float32), [None]), [6]))


def gather(session):
    session.run(tf.gather(tf.placeholder_with_default(np.zeros(2, np.float32), [None]), [5]))


def division(session):
    a = tf.placeholder(tf.int32)
    session.run(a // a, {a: 0})


def cast_to_text(session):
    session.run(tf.cast(np.arange(3), tf.string))


def label_out_of_range(session):
    labels = tf.placeholder(tf.int32, [1])
    session.run(
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=np.zeros((1, 3), np.float32)
        ),
        {labels: [7]},
    )


def check_numerics(session):
    a = tf.placeholder(tf.float32)
    session.run(tf.debugging.check_numerics(a, "msg"), {a: float("nan")})


def assertion(session):
    a = tf.placeholder(tf.bool)
    session.run(tf.Assert(a, [tf.constant([1, 2]), "msg"]), {a: False})


def bad_device(session):
    with tf.device("/job:worker/task:0/device:GPU:7"):
        a = tf.constant(1.0) + 2.0
    session.run(a)


def no_such_task(session):
    with tf.device("/job:evaluator/task:3"):
        a = tf.constant(1.0) + 2.0
    session.run(a)


def fed(value, dtype=np.float32):
    """Of a shape that the client does not know."""
    return tf.placeholder_with_default(np.asarray(value, dtype), None)


def select_branches(session):
    x, y = fed(np.zeros((2, 3))), fed(np.zeros((2, 4)))
    session.run(tf.raw_ops.Select(condition=fed([True, False], bool), x=x, y=y))


def select_rows(session):
    x = fed(np.zeros((2, 3)))
    session.run(tf.raw_ops.Select(condition=fed([True, False, True], bool), x=x, y=x))


def select_condition(session):
    x = fed(np.zeros((2, 3)))
    condition = fed([[True], [False]], bool)
    session.run(tf.raw_ops.Select(condition=condition, x=x, y=x, name="choice"))


def select_broadcast(session):
    x = fed(np.zeros((2, 2)))
    session.run(tf.where_v2(fed([True, False, True], bool), x, x))


def shape_ensured(session):
    third = tf.divide(fed([[1], [2]], np.int32), 3, name="third")
    session.run(tf.ensure_shape(third, [3, 3, None]))


def destroyed_twice(session):
    v = tf.get_variable("v", initializer=tf.zeros([2]), use_resource=True)
    session.run(v.initializer)
    destroy = tf.raw_ops.DestroyResourceOp(resource=v.handle, ignore_lookup_error=False)
    session.run(destroy)
    session.run(destroy)


def destroyed_unborn(session):
    handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2], shared_name="unborn")
    session.run(tf.raw_ops.DestroyResourceOp(resource=handle, ignore_lookup_error=False))


def rows(handle, indices, updates):
    return tf.raw_ops.ResourceScatterAdd(resource=handle, indices=indices, updates=updates)


def slices(handle, indices, updates):
    return tf.raw_ops.ResourceScatterNdUpdate(ref=handle, indices=indices, updates=updates)


def scattered(session, scatter, indices, updates):
    v = tf.get_variable("v", initializer=tf.zeros([4, 2]), use_resource=True)
    session.run(v.initializer)
    session.run(scatter(v.handle, fed(indices, np.int32), fed(updates)))


def reader_state(session):
    session.run(tf.IdentityReader(name="test_reader").restore_state("BOGUS"))


def saved_names(session):
    parts = tf.placeholder_with_default(["", ""], None)
    save = tf.raw_ops.SaveV2
    session.run(save(prefix="/no", tensor_names=["a"], shape_and_slices=parts, tensors=[fed(1)]))


def scatter_rows(session):
    scattered(session, rows, [[0, 9]], np.ones((1, 2, 2)))


def scatter_slices(session):
    scattered(session, slices, [[[1, 0], [1, 7]]], np.ones((1, 2)))


def scatter_nothing(session):
    scattered(session, slices, np.zeros((1, 0)), np.ones((1, 4, 2)))


def scatter_batches(session):
    scattered(session, slices, [[[1], [2]]], np.ones((1, 3, 2)))


def scatter_width(session):
    scattered(session, slices, [[1], [2]], np.ones((2, 3)))


def slice_written(session):
    v = tf.get_variable("v", initializer=tf.zeros([4, 5]), use_resource=True)
    session.run(v.initializer)
    session.run(v[0:2, 1:3].assign(fed(np.ones((3, 3)))))


def range_of(session, start, limit, delta):
    @function.Defun(tf.int32, tf.float32)
    def body(i, x):
        return x + tf.cast(i, tf.float32)

    ends = (fed(value, np.int32) for value in (start, limit, delta))
    session.run(functional_ops.For(*ends, [tf.constant(1.0)], body))


def for_stands(session):
    range_of(session, 0, 5, 0)


def for_runs_away(session):
    range_of(session, 5, 0, 1)


@function.Defun(tf.float32, tf.float32)
def two_values(n, s):
    return n - 1.0, s + n


@function.Defun(tf.float32, tf.float32)
def three_values(n, s):
    return n - 1.0, s + n, s


@function.Defun(tf.float32, tf.float32)
def positive(n, s):
    return n > 0.0


def condition_of_two(session):
    session.run(functional_ops.While([5.0, 0.0], two_values, two_values))


def body_of_three(session):
    session.run(functional_ops.While([5.0, 0.0], positive, three_values))


def body_of_one(session):
    body = function.Defun(tf.float32, tf.float32)(lambda n, s: n - s)
    session.run(functional_ops.While([5.0, 0.0], positive, body))


def range_of_two_values(session):
    body = function.Defun(tf.int32, tf.float32)(lambda i, x: (x, x))
    session.run(functional_ops.For(0, 5, 1, [tf.constant(1.0)], body))


def range_from_a_vector(session):
    range_of(session, [0], 5, 1)


def list_split(session, lengths):
    rows, lengths = fed(np.ones((2, 1))), fed(lengths, np.int64)
    session.run(list_ops.tensor_list_length(list_ops.tensor_list_split(rows, [None, 1], lengths)))


def list_split_too_far(session):
    list_split(session, [1, 3])


def list_split_too_short(session):
    list_split(session, [1])


def restored(session, suffix, change):
    """Saves a tensor, changes one of the files, restores."""
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "saved")
        args = dict(prefix=prefix, tensor_names=["a"], shape_and_slices=[""])
        session.run(tf.raw_ops.SaveV2(tensors=[tf.constant([1.0, 2.0])], **args))
        with open(prefix + suffix, "rb") as file:
            content = file.read()
        with open(prefix + suffix, "wb") as file:
            file.write(change(content))
        session.run(tf.raw_ops.RestoreV2(dtypes=[tf.float32], **args))


def index_too_short(session):
    restored(session, ".index", lambda content: content[:40])


def index_cut(session):
    restored(session, ".index", lambda content: content[:-1])


def index_damaged(session):
    restored(session, ".index", lambda content: content[:3] + b"?" + content[4:])


def data_cut(session):
    restored(session, ".data-00000-of-00001", lambda content: content[:-1])


def data_damaged(session):
    restored(session, ".data-00000-of-00001", lambda content: b"?" + content[1:])


def not_definite(session):
    session.run(tf.cholesky(fed([[1.0, 2.0], [2.0, 1.0]])))


def loop_never_ends(session):
    session.run(
        tf.while_loop(lambda i: i >= 0, lambda i: i * 1, [tf.constant(0)]),
        options=tf.RunOptions(timeout_in_ms=500),
    )


CASES = [
    (uninitialized_ref, "Attempting to use uninitialized value v"),
    (uninitialized_resource, "uninitialized"),
    (not_fed, "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,2]"),
    (bad_shapes, ""),
    (incompatible_shapes, "Incompatible shapes: [2] vs. [3]"),
    (reshape, "Input to reshape is a tensor with 5 values, but the requested shape has 6"),
    (gather, "is not in [0, 2)"),
    (division, "Integer division by zero"),
    (cast_to_text, ""),
    (label_out_of_range, ""),
    (check_numerics, "msg : Tensor had"),
    (assertion, "assertion failed: [1 2] [msg]"),
    (bad_device, "Cannot assign a device for operation"),
    (no_such_task, "Cannot assign a device for operation"),
    (loop_never_ends, ""),
    (select_branches, "'then' and 'else' must have the same size.  but received: [2,3] vs. [2,4]"),
    (select_rows, "Number of batches of 'then' must match size of 'cond', but saw: 2 vs. 3"),
    (
        select_condition,
        "Inputs to operation choice of type Select must have the same size and shape.  "
        "Input 0: [2,1] != input 1: [2,3]",
    ),
    (select_broadcast, "condition [3], then [2,2], and else [2,2] must be broadcastable"),
    (shape_ensured, "Shape of tensor third [2,1] is not compatible with expected shape [3,3,?]."),
    (destroyed_twice, "does not exist"),
    (destroyed_unborn, "does not exist"),
    (scatter_rows, "indices[0,1] = 9 is not in [0, 4)"),
    (scatter_slices, "indices[0,1] = [1, 7] does not index into shape [4,2]"),
    (scatter_nothing, "Indices and updates specified for empty output.  indices shape: [1,0]"),
    (for_stands, "Invalid start/limit/delta: 0 5 0"),
    (for_runs_away, "Invalid start/limit/delta: 5 0 1"),
    (condition_of_two, "Expected a single scalar return value from WhileOp cond, got 2 tensors."),
    (body_of_three, "While loop body returned 3 arguments. Expected: 2"),
    (range_of_two_values, "For loop body returned 2 arguments. Expected: 1"),
    (range_from_a_vector, "start must be a scalar, but [1]"),
    (reader_state, "Could not parse state for IdentityReader 'test_reader': BOGUS"),
    (saved_names, "tensor_names and shape_and_slices have different number of elements: 1 vs. 2"),
    (list_split_too_far, "Attempting to slice [1, 4] from tensor with length 2"),
    (list_split_too_short, "Unused values in tensor. Length of tensor: 2 Values used: 1"),
    (index_too_short, "file is too short to be an sstable"),
    (index_cut, "not an sstable (bad magic number)"),
    (index_damaged, "block checksum mismatch"),
    (data_cut, "Read less bytes than requested"),
    (data_damaged, "Checksum does not match"),
]
if int(tensorflow.__version__.split(".")[0]) > 1:  # 1.15 says otherwise
    CASES += [
        (scatter_batches, "Dimensions [0,2) of indices[shape=[1,2,1]] must match"),
        (scatter_width, "Dimensions [1,2) of input[shape=[4,2]] must match dimensions [1,2) of"),
        (slice_written, "Cannot broadcast input shape [3,3] into final shape [2,2]"),
    ]
else:  # since 2.x the answers are NaN, and empty
    CASES.append((not_definite, "Cholesky decomposition was not successful."))
    CASES.append((body_of_one, "While loop body returned 1 arguments. Expected: 2"))


def failure(target, program):
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        try:
            program(session)
        except tf.errors.OpError as error:
            return error
    return None


JOBS = {"ps": 1, "worker": 1}


@pytest.mark.parametrize("program,phrase", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_error(checks, ours, theirs, program, phrase):
    expected = failure(theirs.target(), program)
    actual = failure(ours.target(), program)
    checks.check("class", type(actual) is type(expected), f"{actual!r}, TensorFlow: {expected!r}")
    for side in (actual, expected):
        checks.check("text", phrase in str(side), repr(str(side))[:500])


def test_a_variable_of_another_task_is_found(target):
    """The program knows it, not the node that sends it."""
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        with tf.device("/job:ps/task:0"):
            far = tf.get_variable("far", shape=[2], use_resource=False)
        with pytest.raises(tf.errors.FailedPreconditionError) as error:
            session.run(far)
        assert error.value.op is far.op, str(error.value)


def test_a_session_goes_on_after_an_error(checks, target):
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        a = tf.placeholder(tf.float32, [None, None])
        product = tf.matmul(a, a)
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(product, {a: np.zeros((2, 3), np.float32)})
        text = str(raised.value)
        named = "(MatMul on" in text and "/job:ps/replica:0/task:0/device:CPU:0" in text
        checks.check("error names op, type and device", named, text)
        checks.check("client finds the op", raised.value.op is product.op)
        goes_on = np.array_equal(session.run(product, {a: np.eye(2)}), np.eye(2))
        checks.check("session goes on", goes_on)
        # Bytes that are not UTF-8, which TensorFlow's own client dies of.
        method = tf.placeholder(tf.string, [])
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(tf.raw_ops.Fingerprint(data=[1.0], method=method), {method: b"\xff"})
        checks.check("bytes in a message", r"\xff" in str(raised.value), str(raised.value))
        # An op without a kernel fails neither the extension nor other steps.
        unknown = None
        if hasattr(tf.raw_ops, "TensorForestTreeSize"):
            handle = tf.raw_ops.TensorForestTreeResourceHandleOp()
            unknown = tf.raw_ops.TensorForestTreeSize(tree_handle=handle)
        goes_on = np.array_equal(session.run(product, {a: np.eye(2)}), np.eye(2))
        checks.check("session goes on after an op without kernel was added", goes_on)
        if unknown is not None:
            with pytest.raises(tf.errors.UnimplementedError) as raised:
                session.run(unknown)
            good = "TensorForest" in str(raised.value)
            checks.check("op without kernel is named", good, str(raised.value))
