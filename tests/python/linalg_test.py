# SPDX-License-Identifier: Apache-2.0
"""Linear algebra against NumPy in float64; sparse tensors, sets, strings, files, bits."""

import os
import tempfile

import functions
import harness
import numpy as np
import sluice as sl
from functions import table, value_of
from gradients_test import cases

ln = sl.linalg
RNG = np.random.RandomState(3)
A = RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3)
S = A @ A.transpose(0, 2, 1)
R = RNG.normal(size=(2, 3, 2))
Z = RNG.normal(size=(2, 3)) + 1j * RNG.normal(size=(2, 3))


def test_products():
    table(
        ("matmul", lambda: ln.matmul(A, R), A @ R),
        ("transposed", lambda: ln.matmul(A[0], R[0], transpose_a=True), A[0].T @ R[0]),
        ("adjoint", lambda: ln.matmul(Z, Z, adjoint_b=True), Z @ Z.conj().T),
        ("batch, transposed", lambda: ln.matmul(A, A, transpose_b=True), A @ A.transpose(0, 2, 1)),
        ("sparse", lambda: ln.matmul(np.float32(A[0]), np.float32(R[0]), a_is_sparse=True),
         np.float32(A[0]) @ np.float32(R[0])),
        ("matvec", lambda: ln.matvec(A, R[..., 0]), np.einsum("bij,bj->bi", A, R[..., 0])),
        ("einsum", lambda: ln.einsum("bij,bjk->bki", A, R), np.einsum("bij,bjk->bki", A, R)),
        ("einsum, implicit", lambda: ln.einsum("ij,jk", A[0], R[0]), A[0] @ R[0]),
        ("three", lambda: ln.einsum("ij,jk,kl->il", A[0], A[1], R[0]), A[0] @ A[1] @ R[0]),
        ("tensordot", lambda: ln.tensordot(A, R, [[0, 2], [0, 1]]),
         np.tensordot(A, R, [[0, 2], [0, 1]])),
        ("tensordot 1", lambda: ln.tensordot(A, R[0], 1), np.tensordot(A, R[0], 1)),
        ("cross", lambda: ln.cross([1.0, 2, 3], [4.0, 5, 7]), np.cross([1, 2, 3], [4.0, 5, 7])),
    )  # fmt: skip


def test_decompositions():
    def rebuilt(parts):
        s, u, v = parts
        return ln.matmul(u * s[:, None, :], v, adjoint_b=True)

    eigenvalues = np.linalg.eigvalsh(S)
    table(
        ("cholesky", lambda: ln.cholesky(S), np.linalg.cholesky(S)),
        ("det", lambda: ln.det(A), np.linalg.det(A)),
        ("logdet", lambda: ln.logdet(S), np.linalg.slogdet(S)[1]),
        ("slogdet", lambda: ln.slogdet(A), tuple(np.linalg.slogdet(A))),
        ("inv", lambda: ln.inv(A), np.linalg.inv(A)),
        ("solve", lambda: ln.solve(A, R), np.linalg.solve(A, R)),
        ("triangular", lambda: ln.triangular_solve(A, R), np.linalg.solve(np.tril(A), R)),
        ("cholesky_solve", lambda: ln.cholesky_solve(ln.cholesky(S), R), np.linalg.solve(S, R)),
        ("lstsq", lambda: ln.lstsq(R, A), np.linalg.pinv(R) @ A),
        ("eigvalsh", lambda: ln.eigvalsh(S), eigenvalues),
        ("eigh", lambda: ln.eigh(S)[0], eigenvalues),
        ("svd", lambda: ln.svd(R, compute_uv=False), np.linalg.svd(R, compute_uv=False)),
        ("svd, in parts", lambda: rebuilt(ln.svd(R)), R),
        ("qr", lambda: ln.matmul(*ln.qr(A)), A),
        ("lu", lambda: ln.lu([[4.0, 3.0], [8.0, 1.0]]), ([[8, 1], [0.5, 2.5]], [1, 0])),
        ("sqrtm", lambda: ln.matmul(ln.sqrtm(S), ln.sqrtm(S)), S),
        ("logm", lambda: ln.logm(np.diag([1.0, np.e]).astype(complex)), np.diag([0j, 1])),
        ("expm", lambda: ln.expm(np.diag([0.0, 1.0, 9.0])), np.diag(np.exp([0, 1, 9]))),
        ("expm of a rotation", lambda: ln.expm([[0.0, -1.0], [1.0, 0.0]]),
         [[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]]),
        ("pinv", lambda: ln.pinv(R), np.linalg.pinv(R)),
        ("matrix_rank", lambda: ln.matrix_rank(np.diag([1.0, 0.0, 2.0])), 2),
        ("tridiagonal", lambda: ln.tridiagonal_solve([[1.0, 1, 0], [4, 4, 4], [0, 2, 2]],
                                                     [1.0, 2, 3]),
         np.linalg.solve([[4, 1, 0], [2, 4, 1], [0, 2, 4]], [1.0, 2, 3])),
        rtol=1e-5,
    )  # fmt: skip


def test_parts_and_norms():
    table(
        ("diag", lambda: ln.diag([1, 2]), np.diag([1, 2])),
        ("diag 1", lambda: ln.diag([1, 2], k=1), np.diag([1, 2], 1)),
        ("diag_part", lambda: ln.diag_part(A), np.diagonal(A, axis1=1, axis2=2)),
        ("diag_part -1", lambda: ln.diag_part(A[0], k=-1), np.diag(A[0], -1)),
        ("set_diag", lambda: ln.set_diag(np.ones((2, 2)), [5.0, 6.0]), [[5.0, 1], [1, 6]]),
        ("set_diag 1", lambda: ln.set_diag(np.ones((2, 2)), [5.0], k=1), [[1.0, 5], [1, 1]]),
        ("band_part", lambda: ln.band_part(A[0], 0, -1), np.triu(A[0])),
        ("tensor_diag", lambda: ln.tensor_diag([1, 2]), np.diag([1, 2])),
        ("tensor_diag_part", lambda: ln.tensor_diag_part(A[0]), np.diag(A[0])),
        ("eye", lambda: ln.eye(2, 3, [2]), np.stack([np.eye(2, 3)] * 2)),
        ("trace", lambda: ln.trace(A), np.trace(A, axis1=1, axis2=2)),
        ("matrix_transpose", lambda: ln.matrix_transpose(A), A.transpose(0, 2, 1)),
        ("adjoint", lambda: ln.adjoint(Z), Z.conj().T),
        ("norm", lambda: ln.norm(A), np.sqrt(np.sum(A * A))),
        ("norm 1", lambda: ln.norm(A[0], 1, [0, 1]), np.linalg.norm(A[0], 1)),
        ("norm inf", lambda: ln.norm(A[0], np.inf, [0, 1]), np.linalg.norm(A[0], np.inf)),
        ("norm 3", lambda: ln.norm([1.0, -2.0], 3), 9 ** (1 / 3)),
        ("norm inf of a vector", lambda: ln.norm([1.0, -2.0], np.inf, 0), 2.0),
        ("normalize", lambda: ln.normalize([3.0, 4.0]), ([0.6, 0.8], [5.0])),
        ("l2_normalize", lambda: ln.l2_normalize([[3.0, 4.0]], 1), [[0.6, 0.8]]),
        ("global_norm", lambda: ln.global_norm([sl.constant([3.0, 4.0])]), 5.0),
    )  # fmt: skip


def test_gradients():
    cases(
        ("tensordot", lambda x, y: ln.tensordot(x, y, [[0], [1]]), (2, 3), (2, 2)),
        ("einsum", lambda x, y: ln.einsum("ij,jk,kl->li", x, y, x), (2, 2), (2, 2)),
        ("matvec", ln.matvec, (2, 3), (3,)),
        ("norm", lambda x: ln.norm(x, axis=1), (2, 3)),
        ("l2_normalize", lambda x: ln.l2_normalize(x, 1), (2, 3)),
        ("trace", ln.trace, (3, 3)),
        ("expm", ln.expm, (2, 2)),
    )


SPARSE = np.array([[0.0, 2, 0], [3, 0, 4]])
OTHER = np.array([[1.0, 5, 0], [0, 0, -4]])


def test_sparse_tensors():
    sp = sl.sparse

    def d(make):
        return lambda: sp.to_dense(make(sp.from_dense(SPARSE), sp.from_dense(OTHER)))

    two = sp.SparseTensor
    table(
        ("from_dense", d(lambda a, b: a), SPARSE),
        ("to_dense", lambda: sp.to_dense(two([[1]], [5], [3]), -1), [-1, 5, -1]),
        ("add", d(sp.add), SPARSE + OTHER),
        ("+", d(lambda a, b: a + b), SPARSE + OTHER),
        ("*", d(lambda a, b: a * [1.0, 2.0, 3.0]), SPARSE * [1, 2, 3]),
        ("/", d(lambda a, b: a / [1.0, 2.0, 4.0]), SPARSE / [1, 2, 4]),
        ("add dense", lambda: sp.add(sp.from_dense(SPARSE), OTHER), SPARSE + OTHER),
        ("concat", d(lambda a, b: sp.concat(1, [a, b])), np.concatenate([SPARSE, OTHER], 1)),
        ("split", d(lambda a, b: sp.split(a, 3, 1)[2]), SPARSE[:, 2:]),
        ("slice", d(lambda a, b: sp.slice(a, [0, 1], [2, 2])), SPARSE[:, 1:]),
        ("reorder", lambda: sp.reorder(two([[2], [0]], [5, 6], [3])).values, [6, 5]),
        ("reshape", d(lambda a, b: sp.reshape(a, [3, -1])), SPARSE.reshape(3, 2)),
        ("expand_dims", d(lambda a, b: sp.expand_dims(a, 1)), SPARSE[:, None]),
        ("transpose", d(lambda a, b: sp.transpose(a)), SPARSE.T),
        ("retain", d(lambda a, b: sp.retain(a, [True, False, True])), [[0, 2.0, 0], [0, 0, 4]]),
        ("fill_empty_rows", lambda: sp.fill_empty_rows(two([[1, 1]], [5], [2, 2]), 9)[1],
         [True, False]),
        ("reduce_sum", lambda: sp.reduce_sum(sp.from_dense(SPARSE), 1), SPARSE.sum(1)),
        ("reduce_max", lambda: sp.reduce_max(sp.from_dense(SPARSE)), 4.0),
        ("reduce_sum_sparse", d(lambda a, b: sp.reduce_sum_sparse(a, 1)), SPARSE.sum(1)),
        ("reduce_max_sparse", d(lambda a, b: sp.reduce_max_sparse(a, 1)), SPARSE.max(1)),
        ("maximum", d(sp.maximum), np.maximum(SPARSE, OTHER)),
        ("minimum", d(sp.minimum), np.minimum(SPARSE, OTHER)),
        ("softmax", lambda: sp.softmax(sp.from_dense(SPARSE)).values,
         [1, 1 / (1 + np.e), np.e / (1 + np.e)]),
        ("matmul", lambda: sp.sparse_dense_matmul(sp.from_dense(SPARSE), OTHER.T),
         SPARSE @ OTHER.T),
        ("eye", lambda: sp.to_dense(sp.eye(2, 3)), np.eye(2, 3)),
        ("to_indicator", lambda: sp.to_indicator(two([[0, 0], [1, 0]], [2, 0], [2, 1]), 3),
         [[False, False, True], [True, False, False]]),
        ("segment_sum", lambda: sp.segment_sum(SPARSE, [0, 1, 1], [0, 0, 1]),
         [SPARSE.sum(0), SPARSE[1]]),
        ("segment_mean", lambda: sp.segment_mean(SPARSE, [0, 1], [0, 0]), [SPARSE.mean(0)]),
        ("segment_sqrt_n", lambda: sp.segment_sqrt_n(SPARSE, [0, 1], [0, 0], num_segments=2),
         [SPARSE.sum(0) / np.sqrt(2), [0, 0, 0]]),
    )  # fmt: skip
    with sl.Graph().as_default(), sl.Session() as session:
        x = sp.placeholder(sl.float64, [2, 3])
        fed = sp.SparseTensorValue([[0, 1]], [2.0], [2, 3])
        back = session.run(x, {x: fed})
        assert back.indices.tolist() == [[0, 1]] and back.values.tolist() == [2.0]
    cases(
        ("matmul", lambda v, b: sp.sparse_dense_matmul(
            two([[0, 1], [1, 0]], v, [2, 2]), b), (2,), (2, 3)),
        ("to_dense", lambda v: sp.to_dense(two([[0], [2]], v, [3])), (2,)),
        ("softmax", lambda v: sp.softmax(two([[0, 0], [0, 1]], v, [1, 2])).values, (2,)),
    )  # fmt: skip
    functions.uses_every_name(sp, "sp", "linalg_test.py")


def test_sets():
    st = sl.sets
    a, b = np.array([[1, 2, 2], [3, 4, 5]]), np.array([[2, 9], [5, 3]])

    def d(make):
        return lambda: sl.sparse.to_dense(make(a, sl.constant(b, sl.int64)), -1)

    sparse_b = [[0, 0], [0, 1], [1, 0], [1, 1]], [2, 9, 3, 5], [2, 2]

    def mixed(a, b):
        return st.difference(sl.sparse.SparseTensor(sparse_b[0], np.int64(sparse_b[1]), [2, 2]), a)

    table(
        ("intersection", d(st.intersection), [[2, -1], [3, 5]]),
        ("difference", d(st.difference), [[1], [4]]),
        ("the other way", d(lambda a, b: st.difference(a, b, False)), [[9], [-1]]),
        ("union", d(st.union), [[1, 2, 9], [3, 4, 5]]),
        ("mixed", d(mixed), [[9], [-1]]),
        ("size", lambda: st.size(st.union(a, np.int64(b))), [3, 3]),
    )
    functions.uses_every_name(st, "st", "linalg_test.py")


def text(*words):
    return np.array([w.encode() for w in words], object)


def test_strings():
    s = sl.strings
    table(
        ("length", lambda: s.length(["a", "d\u00e9"], unit="UTF8_CHAR"), [1, 2]),
        ("strip", lambda: s.strip([" a b\n"]), text("a b")),
        ("substr", lambda: s.substr(["hello"], 1, 3), text("ell")),
        ("regex_full_match", lambda: s.regex_full_match(["ab", "b"], "a."), [True, False]),
        ("regex_replace", lambda: s.regex_replace(["abab"], "a(b)", r"\1"), text("bb")),
        ("join", lambda: s.join([["a", "b"], "c"], "-"), text("a-c", "b-c")),
        ("reduce_join", lambda: s.reduce_join([["a", "b"], ["c", "d"]], 1, separator=","),
         text("a,b", "c,d")),
        ("split", lambda: s.split(["a  b", "c"]).values, text("a", "b", "c")),
        ("split at", lambda: s.split(["a,b,c"], ",", 1).values, text("a", "b,c")),
        ("string_split", lambda: s.string_split(["a b", "c"]).values, text("a", "b", "c")),
        ("as_string", lambda: s.as_string([1.5, -2.0], precision=2), text("1.50", "-2.00")),
        ("format", lambda: s.format("x = {}", sl.constant([1, 2])), np.array(b"x = [1 2]", object)),
        ("encode_base64", lambda: s.encode_base64(["ab"]), text("YWI")),
        ("decode_base64", lambda: s.decode_base64(["YWI"]), text("ab")),
    )  # fmt: skip
    for make in (
        lambda: s.to_hash_bucket_fast(["a", "b"], 7),
        lambda: s.to_hash_bucket_strong(["a", "b"], 7, [1, 2]),
        lambda: s.to_hash_bucket(["a", "b"], 7),
    ):
        drawn = value_of(make)
        assert drawn.dtype == np.int64 and drawn.min() >= 0 and drawn.max() < 7
    printed = tempfile.NamedTemporaryFile()
    value_of(lambda: s.print_v2("n =", sl.constant([1, 2]), output_stream="file://" + printed.name))
    assert printed.read() == b"n = [1 2]\n"
    functions.uses_every_name(s, "s", "linalg_test.py")


def test_files():
    io = sl.io
    with tempfile.TemporaryDirectory() as folder, sl.Graph().as_default(), sl.Session() as session:
        path = os.path.join(folder, "deep", "file")
        session.run(io.write_file(path, "what it says"))
        assert session.run(io.read_file(path)) == b"what it says"
        found = session.run(io.matching_files(os.path.join(folder, "deep", "f*")))
        assert found.tolist() == [path.encode()]
        missing = io.read_file(path + "2")
        harness.raises(sl.errors.NotFoundError, lambda: session.run(missing), path + "2")
        x = sl.sparse.from_dense(SPARSE)
        assert session.run(io.serialize_sparse(x)).shape == (3,)
        back = io.deserialize_many_sparse(io.serialize_many_sparse(x), sl.float64)
        np.testing.assert_array_equal(session.run(sl.sparse.to_dense(back)), SPARSE)
        assert session.run(io.decode_base64(io.encode_base64("abc"))) == b"abc"
    functions.uses_every_name(io, "io", "linalg_test.py")


def test_bits():
    b = sl.bitwise
    x, y = np.array([6, -7, 127], np.int8), np.array([3, 2, 1], np.int8)
    table(
        ("and", lambda: b.bitwise_and(x, y), x & y),
        ("or", lambda: b.bitwise_or(x, y), x | y),
        ("xor", lambda: b.bitwise_xor(x, y), x ^ y),
        ("invert", lambda: b.invert(x), ~x),
        ("left", lambda: b.left_shift(x, y), x << y),
        ("right", lambda: b.right_shift(x, y), x >> y),
        ("count", lambda: b.population_count(x), np.uint8([2, 6, 7])),
    )
    functions.uses_every_name(b, "b", "linalg_test.py")


def test_nothing_is_left_out():
    functions.uses_every_name(sl.linalg, "ln", "linalg_test.py")
