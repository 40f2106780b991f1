# SPDX-License-Identifier: Apache-2.0
"""Linear operators: each one's matrix, products, solutions, numbers and relatives."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _random(*shape, seed=0):
    return np.random.RandomState(seed).uniform(0.5, 2.0, shape).astype(np.float32)


def _complex(*shape):
    values = _random(*shape) + 1j * _random(*shape, seed=1)
    return values.astype(np.complex64)


def _positive(n):
    matrix = _random(n, n)
    return matrix @ matrix.T + np.eye(n, dtype=np.float32)


def _value(operator, size):
    values = _random(3, size, seed=7)
    return values.astype(operator.dtype.as_numpy_dtype)


def _seen(tf, operator, solve=True, brief=False):
    """What an operator with a known shape computes; the main things if that is long already."""
    x = _value(operator, int(operator.domain_dimension)).T
    y = _value(operator, int(operator.range_dimension)).T
    found = {
        "dense": operator.to_dense(),
        "matmul": operator.matmul(x),
        "adjoint": operator.matmul(y, adjoint=True),
        "adjoint_arg": operator.matmul(np.conj(x.T), adjoint_arg=True),
        "matvec": operator.matvec(x[:, 0]),
        "matvec of the adjoint": operator.matvec(y[:, 0], adjoint=True),
        "H": operator.H.to_dense(),
        "diag_part": operator.diag_part(),
        "shape": operator.shape_tensor(),
        "batch shape": operator.batch_shape_tensor(),
        "rank": operator.tensor_rank_tensor(),
        "rows": operator.range_dimension_tensor(),
        "columns": operator.domain_dimension_tensor(),
        "added": operator.add_to_tensor(operator.to_dense()),
    }
    if brief:
        found = {key: found[key] for key in ("dense", "adjoint", "diag_part")}
    if operator.is_square:
        found["trace"] = operator.trace()
        found["det"] = operator.determinant()
    if solve:
        found["solve"] = operator.solve(y)
    if solve and not brief:
        found["solve of the adjoint"] = operator.solve(y, adjoint=True)
        found["solve of adjoints"] = operator.solve(np.conj(y.T), adjoint_arg=True)
        found["solvevec"] = operator.solvevec(y[:, 0])
        found["log"] = operator.log_abs_determinant()
        found["inverse"] = operator.inverse().to_dense()
    with tf.Session() as session:
        values = session.run(found)
    relatives = [operator.H]
    if solve:
        relatives.append(operator.inverse())
        if operator.is_positive_definite and operator.is_self_adjoint:
            relatives.append(operator.cholesky())
            values["factor"] = _run(tf, operator.cholesky().to_dense())
    if not operator.dtype.is_complex:  # 1.15 takes the inverse of i I for self-adjoint
        values["hints"] = [_hints(one) for one in [operator, *relatives]]
    values["classes"] = [type(one).__name__ for one in [operator, *relatives]]
    values["name"] = operator.name
    values["static"] = [operator.shape.as_list(), operator.batch_shape.as_list()]
    values["numbers"] = [operator.tensor_rank, int(operator.domain_dimension)]
    return values


def _run(tf, fetches):
    with tf.Session() as session:
        return session.run(fetches)



def _hints(one):
    return [one.is_non_singular, one.is_self_adjoint, one.is_positive_definite, one.is_square]


def diagonals(tf):
    return [
        _seen(tf, tf.linalg.LinearOperatorDiag(_random(4))),
        _seen(tf, tf.linalg.LinearOperatorDiag(_random(2, 3), is_positive_definite=True)),
        _seen(tf, tf.linalg.LinearOperatorDiag(_complex(3))),
    ]


def identities(tf):
    return [
        _seen(tf, tf.linalg.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float64)),
        _seen(tf, tf.linalg.LinearOperatorIdentity(3, assert_proper_shapes=True), brief=True),
        _seen(tf, tf.linalg.LinearOperatorScaledIdentity(3, 2.0, is_positive_definite=True)),
        _seen(tf, tf.linalg.LinearOperatorScaledIdentity(2, _complex(3))),
        _seen(tf, tf.linalg.LinearOperatorZeros(3, batch_shape=[2]), solve=False),
        _seen(
            tf,
            tf.linalg.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False),
            solve=False,
        ),
    ]


def full_and_triangular(tf):
    positive = {"is_self_adjoint": True, "is_positive_definite": True}
    return [
        _seen(tf, tf.linalg.LinearOperatorFullMatrix(_positive(3))),
        _seen(tf, tf.linalg.LinearOperatorFullMatrix(_positive(3), **positive)),
        _seen(tf, tf.linalg.LinearOperatorFullMatrix(_random(2, 3)), solve=False),
        _seen(tf, tf.linalg.LinearOperatorFullMatrix(_complex(2, 2, 2))),
        _seen(tf, tf.linalg.LinearOperatorLowerTriangular(_random(3, 3))),
        _seen(tf, tf.linalg.LinearOperatorLowerTriangular(_random(2, 3, 3), is_non_singular=True)),
    ]


def joined(tf):
    full = tf.linalg.LinearOperatorFullMatrix(_positive(2), is_non_singular=True)
    diag = tf.linalg.LinearOperatorDiag(_random(3), is_non_singular=True)
    wide = tf.linalg.LinearOperatorFullMatrix(_random(2, 3))
    batch = tf.linalg.LinearOperatorFullMatrix(np.stack([_positive(2), 2 * _positive(2)]))
    return [
        _seen(tf, tf.linalg.LinearOperatorComposition([full, batch]), brief=True),
        _seen(tf, tf.linalg.LinearOperatorComposition([full, wide, diag]), solve=False, brief=True),
        _seen(tf, tf.linalg.LinearOperatorBlockDiag([batch, diag]), brief=True),
        _seen(tf, tf.linalg.LinearOperatorKronecker([full, diag]), brief=True),
        _run(tf, tf.linalg.LinearOperatorKronecker([full, batch, diag]).solve(_random(12, 1))),
    ]


def turned(tf):
    full = tf.linalg.LinearOperatorFullMatrix(_complex(3, 3))
    return [
        _seen(tf, tf.linalg.LinearOperatorAdjoint(full)),
        _seen(tf, tf.linalg.LinearOperatorInversion(full)),
        _seen(tf, tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorAdjoint(full))),
    ]


def circulants(tf):
    return [
        _seen(tf, tf.linalg.LinearOperatorCirculant(_complex(4))),
        _seen(tf, tf.linalg.LinearOperatorCirculant(_random(2, 3)), brief=True),
        _seen(tf, tf.linalg.LinearOperatorCirculant2D(_complex(2, 3)), brief=True),
        _seen(tf, tf.linalg.LinearOperatorCirculant3D(_complex(2, 2, 2, 2)), brief=True),
        _seen(tf, tf.linalg.LinearOperatorToeplitz(_random(3) + 2, _random(3, seed=3)), brief=True),
        _run(
            tf,
            [
                tf.linalg.LinearOperatorCirculant(_complex(4)).convolution_kernel(),
                tf.linalg.LinearOperatorCirculant2D(_complex(2, 3)).block_shape_tensor(),
            ],
        ),
    ]


def reflections(tf):
    return [
        _seen(tf, tf.linalg.LinearOperatorHouseholder(_random(4))),
        _seen(tf, tf.linalg.LinearOperatorHouseholder(_random(2, 3))),
    ]


def low_rank_updates(tf):
    base = tf.linalg.LinearOperatorDiag(_random(4), is_positive_definite=True)
    full = tf.linalg.LinearOperatorFullMatrix(_positive(4), is_non_singular=True)
    update = tf.linalg.LinearOperatorLowRankUpdate
    return [
        _seen(tf, update(base, _random(4, 2), _random(2), is_diag_update_positive=True)),
        _seen(tf, update(full, _random(4, 2), _random(2), _random(4, 2, seed=4))),
        _seen(tf, update(base, _random(3, 4, 1)), brief=True),
    ]


def products(tf):
    operators = {
        "diag": tf.linalg.LinearOperatorDiag(_random(3), is_non_singular=True),
        "tril": tf.linalg.LinearOperatorLowerTriangular(_random(3, 3), is_non_singular=True),
        "identity": tf.linalg.LinearOperatorIdentity(3),
        "scaled": tf.linalg.LinearOperatorScaledIdentity(3, 3.0, is_non_singular=True),
        "full": tf.linalg.LinearOperatorFullMatrix(_positive(3), is_non_singular=True),
    }
    circulant = tf.linalg.LinearOperatorCirculant(_random(3), is_non_singular=True)
    found = {
        "circulant": circulant.matmul(circulant).to_dense(),
        "solved": circulant.solve(circulant).to_dense(),
    }
    kinds = {}
    for left, a in operators.items():
        for right, b in operators.items():
            both = {"matmul": a.matmul(b), "solve": a.solve(b)}
            for kind, result in both.items():
                key = f"{left} {kind} {right}"
                found[key] = result.to_dense()
                kinds[key] = [type(result).__name__, *_hints(result)]
    zeros = operators["full"].matmul(tf.linalg.LinearOperatorZeros(3))
    return [_run(tf, found), kinds, type(zeros).__name__]


def of_unknown_shape(tf):
    given = tf.placeholder(tf.float32)
    diag = tf.linalg.LinearOperatorDiag(given)
    sized = tf.linalg.LinearOperatorIdentity(tf.size(given))
    kronecker = tf.linalg.LinearOperatorKronecker([diag, tf.linalg.LinearOperatorDiag(_random(2))])
    full = tf.linalg.LinearOperatorFullMatrix(_positive(2))
    blocks = tf.linalg.LinearOperatorBlockDiag([sized, full])
    found = [
        [one.matmul(one.to_dense()), one.shape_tensor(), one.determinant(), one.trace()]
        for one in (diag, sized, kronecker, blocks)
    ]
    static = [diag.is_square, diag.tensor_rank, blocks.is_square]
    with tf.Session() as session:
        return [session.run(found, {given: [1.0, 2.0, 3.0]}), static]


def gradients_through_solutions(tf):
    diag = tf.Variable([1.0, 2.0, 3.0])
    low = tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(diag, is_positive_definite=True), _random(3, 1)
    )
    loss = tf.reduce_sum(low.solve(_random(3, 2))) + low.log_abs_determinant()
    (gradient,) = tf.gradients(loss, [diag])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run([loss, gradient])


def own_operator(tf):
    class Doubling(tf.linalg.LinearOperator):
        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2 * (tf.linalg.adjoint(x) if adjoint_arg else x)

    return _seen(tf, Doubling(tf.float32, is_non_singular=True, is_self_adjoint=True))


def assertions(tf):
    held = [
        tf.linalg.LinearOperatorDiag(_random(2)).assert_positive_definite(),
        tf.linalg.LinearOperatorFullMatrix(_positive(2)).assert_non_singular(),
        tf.linalg.LinearOperatorFullMatrix(_positive(2)).assert_self_adjoint(),
        tf.linalg.LinearOperatorHouseholder(_random(2)).assert_non_singular(),
    ]
    given = tf.placeholder(tf.float32, [2])
    failing = tf.linalg.LinearOperatorDiag(given).assert_non_singular()
    with tf.Session() as session:
        session.run(held)
        session.run(failing, {given: [1.0, 2.0]})
        return [
            outcome(lambda: session.run(failing, {given: [0.0, 2.0]})),
            outcome(lambda: tf.linalg.LinearOperatorZeros(2).assert_non_singular()),
        ]


def mistakes(tf):
    diag = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    wide = tf.linalg.LinearOperatorFullMatrix(_random(2, 3))
    calls = [
        lambda: diag.matmul(_random(3, 3)),
        lambda: diag.matmul([[1], [2]]),
        lambda: diag.solve(_random(3, 3)),
        lambda: wide.determinant(),
        lambda: wide.solve(_random(2, 2)),
        lambda: wide.inverse(),
        lambda: diag.cholesky(),
        lambda: diag.matmul(tf.linalg.LinearOperatorIdentity(3)),
        lambda: tf.linalg.LinearOperatorDiag(1.0),
        lambda: tf.linalg.LinearOperatorDiag([1.0], is_self_adjoint=False),
        lambda: tf.linalg.LinearOperatorFullMatrix([1.0]),
        lambda: tf.linalg.LinearOperatorFullMatrix([[1, 2]]),
        lambda: tf.linalg.LinearOperatorIdentity(-1),
        lambda: tf.linalg.LinearOperatorIdentity(1.0),
        lambda: tf.linalg.LinearOperatorIdentity(2, is_square=False),
        lambda: tf.linalg.LinearOperatorZeros(2, 3),
        lambda: tf.linalg.LinearOperatorZeros(2).solve(_random(2, 2)),
        lambda: tf.linalg.LinearOperatorBlockDiag([wide]),
        lambda: tf.linalg.LinearOperatorComposition([]),
        lambda: tf.linalg.LinearOperatorKronecker(
            [diag, tf.linalg.LinearOperatorIdentity(2, dtype=tf.float64)]
        ),
        lambda: tf.linalg.LinearOperatorInversion(wide),
        lambda: tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: tf.linalg.LinearOperatorHouseholder([1.0], is_self_adjoint=False),
        lambda: tf.linalg.LinearOperatorLowRankUpdate(
            diag, _random(2, 1), is_diag_update_positive=False
        ),
        lambda: tf.linalg.LinearOperatorFullMatrix(
            _positive(2), is_positive_definite=True, is_non_singular=False
        ),
        lambda: tf.linalg.LinearOperator(tf.float32),
    ]
    return [outcome(call) for call in calls]


def sums_of_products(tf):
    """tensordot() of tensors whose sizes or even ranks are not known, and of axes that are fed."""
    a = np.arange(24.0).reshape(2, 3, 4)
    b = np.arange(12.0).reshape(4, 3)
    axes = (1, [[-1], [0]], [[1, 2], [1, 0]], [2, 0], 0, [[], []])
    made = []
    known, some = ([2, 3, 4], [4, 3]), ([None, 3, None], None)
    for shapes in (known, some, (None, [None, None]), (None, None)):
        x, y = (tf.placeholder_with_default(v, s) for v, s in zip((a, b), shapes))
        made += [tf.tensordot(x, y, one) for one in axes]
        made += [tf.tensordot(x, y, tf.constant([[2], [0]]))]
        made += tf.gradients(tf.tensordot(x, y, [[-1], [0]]), [x, y])
    fed = tf.placeholder_with_default(np.array([[-1], [-2]], np.int32), [2, None])
    made.append(tf.tensordot(x, y, fed))
    with tf.Session() as session:
        return session.run(made)
