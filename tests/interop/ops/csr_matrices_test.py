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


def parts(made, kind):
    found = raw.CSRSparseMatrixToSparseTensor(sparse_matrix=made, type=kind)
    return [*found, raw.SparseMatrixNNZ(sparse_matrix=made)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("places", [ONE, MANY, EMPTY])
def test_transposes(target, kind, places):
    def build():
        made = matrix(places, kind)
        turned = [
            raw.SparseMatrixTranspose(input=made, conjugate=conjugate, type=kind)
            for conjugate in (False, True)
        ]
        return [part for one in turned for part in parts(one, kind)]

    check(target, build)


@pytest.mark.parametrize("kind", KINDS)
def test_conjugates(target, kind):
    def build():
        return [part for places in (ONE, MANY, EMPTY)
                for part in parts(raw.Conj(input=matrix(places, kind)), kind)]  # fmt: skip

    check(target, build)


def test_gradient_of_a_product(target):
    """TensorFlow's gradient function conjugates the sparse matrix, whatever its dtype."""

    def build():
        b = tf.constant(numbers([4, 5], np.float32, 2))
        product = raw.SparseMatrixMatMul(a=matrix(ONE, np.float32), b=b)
        return tf.gradients(product * numbers([3, 5], np.float32, 3), b)

    check(target, build)


TURNS = {(): (), ("transpose_a",): "a", ("transpose_b",): "b", ("adjoint_a", "adjoint_b"): "ab",
         ("transpose_a", "adjoint_b"): "ab"}  # fmt: skip


@pytest.mark.parametrize("kind", [np.float32, np.complex128])
@pytest.mark.parametrize("flags", TURNS)
@pytest.mark.parametrize("batch", [False, True])
def test_sparse_products(target, kind, flags, batch):
    def side(places, shape, turned, seed):
        places = [list(reversed(place)) for place in places] if turned else places
        shape = shape[::-1] if turned else shape
        dense = np.zeros(shape, kind)
        dense[tuple(np.transpose(places))] = numbers(len(places), kind, seed)
        dense = np.stack([dense, 2 * dense]) if batch else dense
        where = np.argwhere(dense)
        return raw.SparseTensorToCSRSparseMatrix(
            indices=where, values=dense[tuple(where.T)], dense_shape=np.int64(dense.shape)
        )

    def build():
        a = side(*ONE, "a" in TURNS[flags], 1)
        b = side([[0, 0], [1, 1], [2, 0], [3, 1]], [4, 2], "b" in TURNS[flags], 2)
        made = raw.SparseMatrixSparseMatMul(a=a, b=b, type=kind, **{flag: True for flag in flags})
        return parts(made, kind)

    check(target, build)


def test_sum_of_zero_is_a_value(target):
    def build():
        a = raw.SparseTensorToCSRSparseMatrix(
            indices=[[0, 0], [0, 1]], values=[2.0, -1.0], dense_shape=[1, 2]
        )
        b = raw.SparseTensorToCSRSparseMatrix(
            indices=[[0, 0], [1, 0]], values=[3.0, 6.0], dense_shape=[2, 1]
        )
        return parts(raw.SparseMatrixSparseMatMul(a=a, b=b, type=tf.float32), tf.float32)

    check(target, build)


def positive(size, kind, seed=1, density=0.3):
    """A positive definite matrix; few of its numbers are not 0."""
    some = numbers((size, size), kind, seed)
    some *= np.random.RandomState(seed).uniform(size=(size, size)) < density
    return np.asarray(some + np.conj(some.T) + 4 * size * np.eye(size), kind)


def of_dense(dense):
    return raw.DenseToCSRSparseMatrix(dense_input=dense, indices=np.argwhere(dense))


@pytest.mark.parametrize("kind", KINDS)
def test_cholesky(target, kind):
    batch = np.stack([positive(7, kind), positive(7, kind, 2), np.eye(7, dtype=kind)])
    orders = np.int32([[0, 1, 2, 3, 4, 5, 6], [3, 1, 6, 0, 2, 5, 4], [6, 5, 4, 3, 2, 1, 0]])

    def build():
        one = raw.SparseMatrixSparseCholesky(
            input=of_dense(np.tril(batch[1])), permutation=orders[1], type=kind
        )
        many = raw.SparseMatrixSparseCholesky(input=of_dense(batch), permutation=orders, type=kind)
        return [*parts(one, kind), *parts(many, kind)]

    check(target, build)


# The first variable is next to all others: eliminated first, it fills the matrix.
ARROW = np.float32(np.eye(9) * 20)
ARROW[0, :] = ARROW[:, 0] = 1
ARROW[0, 0] = 20


@pytest.mark.parametrize(
    "dense",
    [ARROW, np.tril(ARROW), np.triu(ARROW), positive(40, np.float32, 3, 0.05),
     np.stack([ARROW, ARROW[::-1, ::-1]]), np.zeros((0, 0), np.float32)],
)  # fmt: skip
def test_orders_keep_factors_sparse(target, dense):
    def count(order):
        factor = raw.SparseMatrixSparseCholesky(
            input=of_dense(dense), permutation=order, type=tf.float32
        )
        return tf.reduce_sum(raw.SparseMatrixNNZ(sparse_matrix=factor))

    def build():
        order = raw.SparseMatrixOrderingAMD(input=of_dense(dense))
        plain = np.int32(np.broadcast_to(np.arange(dense.shape[-1]), dense.shape[:-1]))
        symmetric = np.array_equal(dense, np.swapaxes(dense, -1, -2)) and dense.size > 0
        return [order] + ([count(tf.ensure_shape(order, plain.shape)), count(plain)] if symmetric
                          else [])  # fmt: skip

    ours, theirs = run(target, build), run("", build)
    assert ours[0].shape == theirs[0].shape
    np.testing.assert_array_equal(
        np.sort(ours[0], -1), np.broadcast_to(np.arange(dense.shape[-1]), dense.shape[:-1])
    )
    if len(ours) > 1:
        assert ours[1] <= 1.1 * theirs[1]
        assert ours[1] <= ours[2]


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
    "dtype of input is not equal to 'type': float vs. double": lambda: parts(
        raw.SparseMatrixTranspose(input=matrix(ONE, np.float32), type=tf.float64), tf.float64
    ),
    "dtype of b is not equal to 'type': double vs. float": lambda: parts(
        raw.SparseMatrixSparseMatMul(
            a=matrix(ONE, np.float32), b=matrix(ONE, np.float64), transpose_b=True, type=tf.float32
        ),
        tf.float32,
    ),
    "": lambda: parts(
        raw.SparseMatrixSparseCholesky(
            input=of_dense(np.float32([[1, 2], [2, 1]])), permutation=[0, 1], type=tf.float32
        ),
        tf.float32,
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes(target, text):
    for place in (target, ""):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            run(place, MISTAKES[text])
        assert text in raised.value.message


JOBS = {"worker": 1}
