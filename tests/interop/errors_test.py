"""Errors arrive as the exception classes, and with the phrases, of TensorFlow's own server."""

import numpy as np
from cluster import Checks, Cluster
from models import tf

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
    (label_out_of_range, ""),
    (check_numerics, "msg : Tensor had"),
    (assertion, "assertion failed: [1 2] [msg]"),
    (bad_device, "Cannot assign a device for operation"),
    (no_such_task, "Cannot assign a device for operation"),
    (loop_never_ends, ""),
]


def failure(target, program):
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        try:
            program(session)
        except tf.errors.OpError as error:
            return error
    return None


def main():
    checks = Checks()
    jobs = {"ps": 1, "worker": 1}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        for program, phrase in CASES:
            name = program.__name__
            expected = failure(theirs.target(), program)
            actual = failure(ours.target(), program)
            checks.check(
                name + " class",
                type(actual) is type(expected),
                f"{actual!r}, TensorFlow: {expected!r}",
            )
            checks.check(name + " text", phrase in str(actual), repr(str(actual))[:500])
        # A variable on another task: the program knows it, not the node that sends it.
        with tf.Graph().as_default() as graph, tf.Session(ours.target(), graph=graph) as session:
            with tf.device("/job:ps/task:0"):
                far = tf.get_variable("far", shape=[2], use_resource=False)
            try:
                session.run(far)
                checks.check("uninitialized far away", False)
            except tf.errors.FailedPreconditionError as error:
                checks.check("client finds the variable", error.op is far.op, str(error))
        # The session that met an error goes on.
        with tf.Graph().as_default() as graph, tf.Session(ours.target(), graph=graph) as session:
            a = tf.placeholder(tf.float32, [None, None])
            product = tf.matmul(a, a)
            try:
                session.run(product, {a: np.zeros((2, 3), np.float32)})
                checks.check("bad shapes fail", False)
            except tf.errors.InvalidArgumentError as error:
                checks.check(
                    "error names op, type and device",
                    all(
                        text in str(error)
                        for text in ("(MatMul on", "/job:ps/replica:0/task:0/device:CPU:0")
                    ),
                    str(error),
                )
                checks.check("client finds the op", error.op is product.op)
            checks.check(
                "session goes on", np.array_equal(session.run(product, {a: np.eye(2)}), np.eye(2))
            )
            # Text that is no text, which TensorFlow's own client dies of.
            method = tf.placeholder(tf.string, [])
            try:
                session.run(tf.raw_ops.Fingerprint(data=[1.0], method=method), {method: b"\xff"})
                checks.check("bytes in a message", False)
            except tf.errors.InvalidArgumentError as error:
                checks.check("bytes in a message", r"\xff" in str(error), str(error))
            # An op without a kernel fails neither the extension nor other steps.
            unknown = (
                tf.raw_ops.TensorForestTreeSize(
                    tree_handle=tf.raw_ops.TensorForestTreeResourceHandleOp()
                )
                if hasattr(tf.raw_ops, "TensorForestTreeSize")
                else None
            )
            checks.check(
                "session goes on after an op without kernel was added",
                np.array_equal(session.run(product, {a: np.eye(2)}), np.eye(2)),
            )
            if unknown is not None:
                try:
                    session.run(unknown)
                    checks.check("op without kernel", False)
                except tf.errors.UnimplementedError as error:
                    checks.check(
                        "op without kernel is named", "TensorForest" in str(error), str(error)
                    )
    checks.finish()


if __name__ == "__main__":
    main()
