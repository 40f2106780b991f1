# SPDX-License-Identifier: Apache-2.0
"""Decompositions whose vectors have no signs of their own, judged by what defines them."""

import itertools

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

TOLERANCE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-9, "complex128": 1e-9}


def draw(rng, dtype, *shape):
    values = rng.randn(*shape)
    if "complex" in dtype:
        values = values + 1j * rng.randn(*shape)
    return values.astype(dtype)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def orthonormal(v):
    return np.matmul(adjoint(v), v) - np.eye(v.shape[-1])


def run(target, make, value):
    with tf.Graph().as_default(), tf.Session(target) as session:
        x = tf.placeholder(value.dtype)
        return session.run(make(x), {x: value})


def small(array, dtype):
    return np.all(np.abs(array) < TOLERANCE[dtype] * 10)


def test_eigenvectors(checks, target, rng):
    for dtype, shape in itertools.product(
        TOLERANCE, ((1, 1), (4, 4), (2, 3, 5, 5), (20, 20), (0, 0))
    ):
        a = draw(rng, dtype, *shape)
        a = a + adjoint(a)
        name = f"eigenvectors {dtype} {shape}"
        expected = run("", lambda x: tf.linalg.eigvalsh(x), a)
        values, vectors = run(target, lambda x: tf.linalg.eigh(x), a)
        e = np.real(values)
        checks.check(
            name,
            small(e - np.real(expected), dtype)
            and small(orthonormal(vectors), dtype)
            and small(np.matmul(a, vectors) - vectors * e[..., None, :], dtype),
        )
        alone = run(target, lambda x: tf.linalg.eigvalsh(x), a)
        checks.check(name + " alone", small(np.real(alone) - np.real(expected), dtype))


@pytest.mark.skipif(not hasattr(tensorflow.linalg, "eig"), reason="1.15 does not have Eig")
def test_eigenvectors_of_any_matrix(checks, target, rng):
    def in_order(values):
        return np.sort_complex(np.round(values, 3))

    for dtype, shape in itertools.product(TOLERANCE, ((1, 1), (4, 4), (2, 3, 5, 5), (0, 0))):
        a = draw(rng, dtype, *shape)
        name = f"Eig {dtype} {shape}"
        expected = run("", tensorflow.linalg.eigvals, a)
        values, vectors = run(target, tensorflow.linalg.eig, a)
        alone = run(target, tensorflow.linalg.eigvals, a)
        checks.check(
            name,
            values.dtype == expected.dtype
            and np.allclose(in_order(values), in_order(expected), atol=3e-3)
            and np.allclose(in_order(alone), in_order(expected), atol=3e-3)
            and small(np.matmul(a, vectors) - vectors * values[..., None, :], dtype),
        )
    for value in (np.full((2, 2), np.nan), np.ones((2, 3))):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(target, tensorflow.linalg.eig, value)


def test_singular_vectors(checks, target, rng):
    shapes = ((1, 1), (4, 4), (5, 3), (3, 5), (2, 3, 4, 2), (30, 20))
    for dtype, shape, full in itertools.product(TOLERANCE, shapes, (False, True)):
        a = draw(rng, dtype, *shape)
        name = "singular vectors {} {} {}".format(dtype, shape, "full" if full else "thin")
        expected = run("", lambda x: tf.linalg.svd(x, compute_uv=False), a)
        s, u, v = run(target, lambda x, full=full: tf.linalg.svd(x, full_matrices=full), a)
        p = min(shape[-2:])
        product = np.matmul(u[..., :p] * s[..., None, :], adjoint(v[..., :p]))
        like = run("", lambda x, full=full: tf.linalg.svd(x, full_matrices=full), a)
        checks.check(
            name,
            [x.shape for x in (s, u, v)] == [x.shape for x in like]
            and small(s - expected, dtype)
            and small(orthonormal(u), dtype)
            and small(orthonormal(v), dtype)
            and small(product - a, dtype),
        )
        alone = run(target, lambda x: tf.linalg.svd(x, compute_uv=False), a)
        checks.check(name + " alone", small(alone - expected, dtype))


def test_degenerate(checks, target):
    zero = np.zeros((3, 2))
    s, u, v = run(target, lambda x: tf.linalg.svd(x), zero)
    checks.check("svd of zeros", np.all(s == 0) and small(orthonormal(u), "float64"))
    s, u, v = run(target, lambda x: tf.linalg.svd(x), np.full((3, 2), np.nan))
    checks.check("svd of NaN", np.all(np.isnan(s)) and u.shape == (3, 2) and v.shape == (2, 2))
    s, u, v = run(target, lambda x: tf.linalg.svd(x, full_matrices=True), np.zeros((0, 2)))
    checks.check("svd of nothing", s.shape == (0,) and np.all(v == np.eye(2)))


OLD = """
BatchCholesky 12 definite
BatchMatrixInverse 12 definite
BatchMatrixDeterminant 12 any
BatchMatrixSolve 12 definite any
BatchMatrixTriangularSolve 12 definite any
BatchSelfAdjointEigV2 12 definite values
BatchSelfAdjointEig 10 definite values
BatchSvd 12 any values
MatrixExponential 26 any
"""


def old_graph(op, producer, inputs, dtype):
    """A graph that a client of that time would have sent: its ops are not made any more."""
    definition = tf.GraphDef()
    definition.versions.producer = producer
    node = definition.node.add(name="y", op=op)
    for i in range(inputs):
        x = definition.node.add(name="x%d" % i, op="Placeholder")
        x.attr["dtype"].type = dtype.as_datatype_enum
        node.input.append(x.name)
    node.attr["T"].type = dtype.as_datatype_enum
    return definition


def test_ops_of_old_graphs(checks, target, rng):
    for line in OLD.strip().split("\n"):
        op, producer, *kinds = line.split()
        values = [k for k in kinds if k != "values"]
        dtype = tf.float64
        arrays = []
        for kind in values:
            a = draw(rng, dtype.name, 2, 3, 3)
            arrays.append(np.matmul(a, adjoint(a)) + np.eye(3) if kind == "definite" else a)
        results = []
        for place in ("", target):
            with tf.Graph().as_default() as graph:
                tf.import_graph_def(
                    old_graph(op, int(producer), len(values), dtype), name="", producer_op_list=None
                )
                with tf.Session(place, graph=graph) as session:
                    feeds = {"x%d:0" % i: a for i, a in enumerate(arrays)}
                    y = session.run("y:0", feeds)
            if op == "BatchSelfAdjointEig":
                y = y[:, :1]  # the eigenvalues; their vectors have no signs
            results.append(y)
        checks.check(op, small(results[0] - results[1], "float64"))


JOBS = {"worker": 1}


@pytest.fixture(scope="module")
def rng():
    return np.random.RandomState(3)
