# SPDX-License-Identifier: Apache-2.0
"""Tests that need variables or a round trip: slices assigned, sparse tensors kept and crossed.

TensorFlow and our server give the same.

kept_slices_test.py
"""

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
MAJOR = int(tensorflow.__version__.split(".")[0])


def slices_assigned(resource):
    v = tf.get_variable(
        "v", initializer=np.arange(20, dtype=np.float32).reshape(4, 5), use_resource=resource
    )
    words = tf.get_variable(
        "w", initializer=np.array([b"a", b"b", b"c"]), use_resource=resource, dtype=tf.string
    )
    wide = tf.get_variable(
        "x",
        shape=[2, 3, 4],
        initializer=tf.ones_initializer(tf.int64),
        dtype=tf.int64,
        use_resource=resource,
    )
    steps = [
        lambda: v[1:3, ::2].assign(-np.ones([2, 3], np.float32)),
        lambda: v[-1].assign(np.full([5], 7, np.float32)),
        lambda: v[..., 1].assign(np.full([4], 9, np.float32)),
        lambda: v[::-1, 4:2:-1].assign(np.arange(8, dtype=np.float32).reshape(4, 2)),
        lambda: v[2:2].assign(np.zeros([0, 5], np.float32)),
        lambda: words[1:].assign([b"long enough for the heap, this one is", b"d"]),
        lambda: wide[1, tf.newaxis, :, 0].assign(np.full([1, 3], 5, np.int64)),
    ]
    results = []
    yield tf.global_variables_initializer()
    for step in steps:
        operation = step()
        with tf.control_dependencies([operation]):
            results.append([v.read_value() if resource else tf.identity(v), words.read_value()])
        yield results[-1]
    yield [v, words, wide]


def in_place():
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(4, 3))
    rows = np.array([2, 0], np.int32)
    values = np.ones([2, 3], np.float32)
    from tensorflow.python.ops import inplace_ops

    yield [
        inplace_ops.inplace_add(x, rows, values),
        inplace_ops.inplace_sub(x, rows, values),
        inplace_ops.inplace_update(x, rows, values),
        x,
    ]


def sparse(shift=0):
    return tf.SparseTensor(
        np.array([[0, 0], [0, 2], [2, 1]], np.int64),
        np.array([1.5, 2.5, 3.5], np.float32) + shift,
        np.array([4, 3], np.int64),
    )


def dense_parts(x):
    return [x.indices, x.values, x.dense_shape]


def there_and_back():
    one = tf.io.serialize_sparse(sparse())
    many = tf.io.serialize_many_sparse(sparse())
    yield [one, many]
    pair = tf.stack([one, tf.io.serialize_sparse(sparse(1))])
    yield dense_parts(tf.io.deserialize_many_sparse(many, tf.float32))
    yield dense_parts(deserialize(pair))
    yield dense_parts(deserialize(tf.expand_dims(pair, 0)))
    yield dense_parts(deserialize(tf.io.serialize_sparse(sparse(), out_type=tf.variant)))
    many = tf.io.serialize_many_sparse(sparse(), out_type=tf.variant)
    yield dense_parts(deserialize(many))


def deserialize(serialized):
    from tensorflow.python.ops import sparse_ops

    return sparse_ops.deserialize_sparse(serialized, tf.float32)


def kept_by_number():
    from tensorflow.python.ops import sparse_ops

    add_many = getattr(sparse_ops, "_add_many_sparse_to_tensors_map", None) or (
        sparse_ops.add_many_sparse_to_tensors_map
    )
    add = getattr(sparse_ops, "_add_sparse_to_tensors_map", None) or (
        sparse_ops.add_sparse_to_tensors_map
    )
    take = getattr(sparse_ops, "_take_many_sparse_from_tensors_map", None) or (
        sparse_ops.take_many_sparse_from_tensors_map
    )
    many = add_many(sparse())
    yield dense_parts(take(many.op, tf.gather(many, [2, 0, 1]), rank=2))
    first, second = add(sparse()), add(sparse(1), shared_name="s")
    yield dense_parts(take(first.op, tf.stack([first]), rank=3))
    yield dense_parts(take(second.op, tf.stack([second]), rank=3))


def batched():
    """tf.train.batch carries sparse tensors as numbers."""
    x = tf.SparseTensor([[0], [3]], tf.constant([1.0, 2.0]), [5])
    batch = tf.train.batch([x, tf.constant(7)], 3)
    yield dense_parts(batch[0]) + [batch[1]]


def crossed():
    from tensorflow.python.ops import sparse_ops

    words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [3, 2])
    numbers = tf.constant([[1, -2], [3, 4], [5, 6]], tf.int64)
    more = tf.constant([["x"], ["y"], ["z"]])
    cross = sparse_ops._sparse_cross if MAJOR == 1 else None  # a later client sends SparseCrossV2
    hashed = getattr(sparse_ops, "sparse_cross_hashed", None) or sparse_ops._sparse_cross_hashed
    if cross is not None:
        yield dense_parts(cross([words, more]))
        yield dense_parts(cross([numbers, more, words]))
    yield dense_parts(hashed([words, numbers, more], num_buckets=1000))
    yield dense_parts(hashed([numbers, more], num_buckets=0, hash_key=77))
    yield dense_parts(hashed([words]))


def fingerprints():
    from tensorflow.python.ops import gen_array_ops

    yield [
        gen_array_ops.fingerprint(np.arange(60, dtype=np.float32).reshape(3, 4, 5), "farmhash64"),
        gen_array_ops.fingerprint(np.array([b"a", b"", b"long" * 40]), "farmhash64"),
        gen_array_ops.fingerprint(np.array([[b"a", b"b"], [b"c", b""]]), "farmhash64"),
    ]


PROGRAMS = {
    "slices of a reference variable": lambda: slices_assigned(False),
    "slices of a resource variable": lambda: slices_assigned(True),
    "in place": in_place,
    "there and back": there_and_back,
    "kept by number": kept_by_number,
    "batched": batched,
    "crossed": crossed,
    "fingerprints": fingerprints,
}


def run(target, program):
    """The values of the program's fetches, one run after the other, or an error's class."""
    results = []
    with tf.Graph().as_default():
        fetches = list(program())
        with tf.Session(target) as session:
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            for fetch in fetches:
                try:
                    results.append(session.run(fetch))
                except tf.errors.OpError as error:
                    results.append([type(error).__name__, error.message[:300]])
            coordinator.request_stop()
            session.run(tf.no_op())
        del threads
    return results


def same(a, b):
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if a is None or b is None:
        return a is None and b is None
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and bool(np.all(a == b))


JOBS = {"worker": 1}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(checks, target, name):
    actual, expected = run(target, PROGRAMS[name]), run("", PROGRAMS[name])
    for i, (a, e) in enumerate(zip(actual, expected)):
        checks.check("run %d" % i, same(a, e), f"{a!r}, expected {e!r}")
