"""Decompositions whose vectors have no signs of their own, judged by what defines them."""

import itertools

import numpy as np
import tensorflow
from cluster import Checks, Cluster

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


def check_eigenvectors(checks, target, rng):
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


def check_singular_vectors(checks, target, rng):
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


def check_degenerate(checks, target):
    zero = np.zeros((3, 2))
    s, u, v = run(target, lambda x: tf.linalg.svd(x), zero)
    checks.check("svd of zeros", np.all(s == 0) and small(orthonormal(u), "float64"))
    s, u, v = run(target, lambda x: tf.linalg.svd(x), np.full((3, 2), np.nan))
    checks.check("svd of NaN", np.all(np.isnan(s)) and u.shape == (3, 2) and v.shape == (2, 2))
    s, u, v = run(target, lambda x: tf.linalg.svd(x, full_matrices=True), np.zeros((0, 2)))
    checks.check("svd of nothing", s.shape == (0,) and np.all(v == np.eye(2)))


def main():
    checks = Checks()
    rng = np.random.RandomState(3)
    with Cluster({"worker": 1}) as ours:
        check_eigenvectors(checks, ours.target(), rng)
        check_singular_vectors(checks, ours.target(), rng)
        check_degenerate(checks, ours.target())
    checks.finish()


if __name__ == "__main__":
    main()
