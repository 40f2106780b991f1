# SPDX-License-Identifier: Apache-2.0
"""Sparse matrices as values (CSRSparseMatrix), in TensorFlow and on our server."""

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
raw = getattr(tf, "raw_ops", None)

pytestmark = pytest.mark.skipif(
    tensorflow.__version__.startswith("1"), reason="1.15 does not have the ops"
)

KINDS = (np.float32, np.float64, np.complex64, np.complex128)
ONE = [[0, 1], [2, 0], [2, 1], [2, 3]], [3, 4]
MANY = [[0, 0, 1], [0, 2, 3], [2, 1, 0], [2, 1, 2]], [3, 3, 4]
EMPTY = np.zeros((0, 2)), [0, 4]


def numbers(shape, kind, seed=1):
    rng = np.random.RandomState(seed)
    values = rng.uniform(-2, 2, shape)
    if np.issubdtype(kind, np.complexfloating):
        values = values + 1j * rng.uniform(-2, 2, shape)
    return np.asarray(values, kind)


def matrix(places_and_shape, kind):
    places, shape = places_and_shape
    return raw.SparseTensorToCSRSparseMatrix(
        indices=np.int64(places), values=numbers(len(places), kind), dense_shape=np.int64(shape)
    )


def run(target, build):
    with tf.Graph().as_default(), tf.Session(target) as session:
        return session.run(build())


def check(target, build):
    for ours, theirs in zip(run(target, build), run("", build)):
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("places", [ONE, MANY, EMPTY])
def test_conversions(target, kind, places):
    def build():
        made = matrix(places, kind)
        parts = raw.CSRSparseMatrixToSparseTensor(sparse_matrix=made, type=kind)
        dense = raw.CSRSparseMatrixToDense(sparse_input=made, type=kind)
        return [*parts, dense, raw.SparseMatrixNNZ(sparse_matrix=made)]

    check(target, build)


@pytest.mark.parametrize("places", [ONE, MANY])
def test_from_dense(target, places):
    def build():
        where, shape = places
        made = raw.DenseToCSRSparseMatrix(
            dense_input=numbers(shape, np.float32), indices=np.int64(where)
        )
        dense = raw.CSRSparseMatrixToDense(sparse_input=made, type=tf.float32)
        index = len(shape) - 2
        return [dense, *raw.CSRSparseMatrixComponents(
            csr_sparse_matrix=made, index=index, type=tf.float32)]  # fmt: skip

    check(target, build)


FLAGS = ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b", "transpose_output",
         "conjugate_output")  # fmt: skip


@pytest.mark.parametrize("kind", [np.float32, np.complex128])
@pytest.mark.parametrize("places", [ONE, MANY])
def test_products(target, kind, places):
    def product(*flags):
        shape = places[1]
        turn_a = "transpose_a" in flags or "adjoint_a" in flags
        turn_b = "transpose_b" in flags or "adjoint_b" in flags
        inner = shape[-2] if turn_a else shape[-1]
        b = shape[:-2] + ([5, inner] if turn_b else [inner, 5])
        return raw.SparseMatrixMatMul(
            a=matrix(places, kind), b=numbers(b, kind, 2), **{flag: True for flag in flags}
        )

    def build():
        pairs = [(a, b) for a in FLAGS for b in FLAGS if a < b]
        meant = [p for p in pairs if p not in (("adjoint_a", "transpose_a"),
                                               ("adjoint_b", "transpose_b"))]  # fmt: skip
        return [product(), *(product(flag) for flag in FLAGS), *(product(*p) for p in meant)]

    check(target, build)


def hidden(value):
    """Of a shape that the client does not know, so that it cannot refuse it."""
    return tf.placeholder_with_default(tf.constant(value), None)


def of(places, shape, values=(1.0,)):
    made = raw.SparseTensorToCSRSparseMatrix(
        indices=np.int64(places),
        values=hidden(np.float32(values)),
        dense_shape=np.int64(shape),
    )
    return raw.CSRSparseMatrixToDense(sparse_input=made, type=tf.float32)


def times(b, places=ONE, **flags):
    return raw.SparseMatrixMatMul(a=matrix(places, np.float32), b=hidden(b), **flags)


MISTAKES = {
    "Number of elements in indices (1) and values (2)": lambda: of([[0, 0]], [3, 2], [1, 2]),
    "[5, 0] is out of bounds": lambda: of([[5, 0]], [3, 2]),
    "[0, -1] is out of bounds": lambda: of([[0, -1]], [3, 2]),
    "Asked for a CSRSparseMatrix of type double": lambda: raw.CSRSparseMatrixToDense(
        sparse_input=matrix(ONE, np.float32), type=tf.float64
    ),
    "index (1) not in [0, 1)": lambda: raw.CSRSparseMatrixComponents(
        csr_sparse_matrix=matrix(ONE, np.float32), index=1, type=tf.float32
    ),
    "Inner product dimensions of A and B do not agree": lambda: times(np.ones((3, 2), np.float32)),
    "Ranks of a and b must match, saw: 2 vs. 3": lambda: times(np.ones((1, 4, 2), np.float32)),
    "Batch sizes of a and b must match, saw: 3 vs. 2": lambda: times(
        np.ones((2, 4, 2), np.float32), MANY
    ),
    "Input types don't match.": lambda: times(np.ones((4, 2), np.float64)),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes(target, text):
    for place in (target, ""):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            run(place, MISTAKES[text])
        assert text in raised.value.message


JOBS = {"worker": 1}
