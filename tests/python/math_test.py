# SPDX-License-Identifier: Apache-2.0
"""Mathematics against NumPy in float64, and gradients of what is made of several ops."""

import math

import functions
import harness
import numpy as np
import sluice as sl
from functions import table
from gradients_test import cases

m = sl.math
X = np.array([[-2.5, -0.75, 0.25], [0.5, 1.5, 3.0]])
Y = np.array([[1.5, -2.0, 0.5], [2.0, 0.25, -3.0]])
P = np.array([0.25, 0.5, 1.0, 2.5, 4.0])
U = np.array([-0.9, -0.25, 0.0, 0.5, 0.75])
C = np.array([1 + 2j, -0.5 + 0.25j, -3 - 1j])
B = np.array([True, False, True, False])
D = np.array([True, True, False, False])
erf = np.vectorize(math.erf)
lgamma = np.vectorize(math.lgamma)


def test_two_tensors():
    table(
        ("add", lambda: m.add(X, Y), X + Y),
        ("subtract", lambda: m.subtract(X, Y), X - Y),
        ("multiply", lambda: m.multiply(X, [1.0, 2.0, 3.0]), X * [1, 2, 3]),
        ("truediv", lambda: m.truediv(X, Y), X / Y),
        ("truediv of ints", lambda: m.truediv([7, 8], 2), np.float64([3.5, 4])),
        ("realdiv", lambda: m.realdiv(X, Y), X / Y),
        ("divide", lambda: m.divide([7, 8], 2), [3.5, 4.0]),
        ("truediv bytes", lambda: m.truediv(np.array([7], np.uint8), 2), np.float32([3.5])),
        ("div", lambda: m.div([7, -7], 2), [3, -4]),
        ("floordiv", lambda: m.floordiv([-7, 7], 2), [-4, 3]),
        ("floormod", lambda: m.floormod([-7, 7], 3), [2, 1]),
        ("mod", lambda: m.mod(X, Y), np.mod(X, Y)),
        ("truncatediv", lambda: m.truncatediv([-7, 7], 2), [-3, 3]),
        ("truncatemod", lambda: m.truncatemod([-7, 7], 3), [-1, 1]),
        ("pow", lambda: m.pow(P, 1.5), P**1.5),
        ("maximum", lambda: m.maximum(X, Y), np.maximum(X, Y)),
        ("minimum", lambda: m.minimum(X, Y), np.minimum(X, Y)),
        ("squared_difference", lambda: m.squared_difference(X, Y), (X - Y) ** 2),
        ("divide_no_nan", lambda: m.divide_no_nan([1.0, 2.0], [0.0, 4.0]), [0, 0.5]),
        ("multiply_no_nan", lambda: m.multiply_no_nan([np.inf, 2.0], [0.0, 4.0]), [0.0, 8.0]),
        ("xdivy", lambda: m.xdivy([0.0, 2.0], [0.0, 4.0]), [0, 0.5]),
        ("xlogy", lambda: m.xlogy([0.0, 2.0], [0.0, 4.0]), [0, 2 * np.log(4)]),
        ("atan2", lambda: m.atan2(Y, X), np.arctan2(Y, X)),
        ("nextafter", lambda: m.nextafter(X, Y), np.nextafter(X, Y)),
        ("equal", lambda: m.equal([1, 2], [1, 3]), [True, False]),
        ("not_equal", lambda: m.not_equal([1, 2], [1, 3]), [False, True]),
        ("less", lambda: m.less(X, Y), X < Y),
        ("less_equal", lambda: m.less_equal(X, X), X <= X),
        ("greater", lambda: m.greater(X, Y), X > Y),
        ("greater_equal", lambda: m.greater_equal(X, Y), X >= Y),
        ("logical_and", lambda: m.logical_and(B, D), B & D),
        ("logical_or", lambda: m.logical_or(B, D), B | D),
        ("logical_xor", lambda: m.logical_xor(B, D), B ^ D),
        ("scalar_mul", lambda: m.scalar_mul(2.0, sl.constant(X)), 2 * X),
        ("add_n", lambda: m.add_n([X, Y, X]), 2 * X + Y),
        ("accumulate_n", lambda: m.accumulate_n([X, Y]), X + Y),
        ("clip_by_value", lambda: m.clip_by_value(X, -1.0, 1.0), np.clip(X, -1, 1)),
        ("complex", lambda: m.complex(X, Y), X + 1j * Y),
        ("operators", lambda: ~(sl.constant(B) & D) | (sl.constant(B) ^ D), ~(B & D) | (B ^ D)),
        ("bits", lambda: (sl.constant([6, 5]) & 3) ^ 1, [3, 0]),
    )


def test_one_tensor():
    table(
        ("abs", lambda: m.abs(X), np.abs(X)),
        ("abs of complex", lambda: m.abs(C), np.abs(C)),
        ("negative", lambda: m.negative(X), -X),
        ("sign", lambda: m.sign(X), np.sign(X)),
        ("square", lambda: m.square(X), X * X),
        ("sqrt", lambda: m.sqrt(P), np.sqrt(P)),
        ("rsqrt", lambda: m.rsqrt(P), 1 / np.sqrt(P)),
        ("reciprocal", lambda: m.reciprocal(X), 1 / X),
        ("reciprocal_no_nan", lambda: m.reciprocal_no_nan([0.0, 2.0]), [0, 0.5]),
        ("exp", lambda: m.exp(X), np.exp(X)),
        ("expm1", lambda: m.expm1(1e-8 * X), np.expm1(1e-8 * X)),
        ("log", lambda: m.log(P), np.log(P)),
        ("log1p", lambda: m.log1p(P), np.log1p(P)),
        ("sin", lambda: m.sin(X), np.sin(X)),
        ("cos", lambda: m.cos(X), np.cos(X)),
        ("tan", lambda: m.tan(X), np.tan(X)),
        ("asin", lambda: m.asin(U), np.arcsin(U)),
        ("acos", lambda: m.acos(U), np.arccos(U)),
        ("atan", lambda: m.atan(X), np.arctan(X)),
        ("sinh", lambda: m.sinh(X), np.sinh(X)),
        ("cosh", lambda: m.cosh(X), np.cosh(X)),
        ("tanh", lambda: m.tanh(X), np.tanh(X)),
        ("asinh", lambda: m.asinh(X), np.arcsinh(X)),
        ("acosh", lambda: m.acosh(P + 1), np.arccosh(P + 1)),
        ("atanh", lambda: m.atanh(U), np.arctanh(U)),
        ("sigmoid", lambda: m.sigmoid(X), 1 / (1 + np.exp(-X))),
        ("log_sigmoid", lambda: m.log_sigmoid(X), -np.log1p(np.exp(-X))),
        ("softplus", lambda: m.softplus(X), np.log1p(np.exp(X))),
        ("softsign", lambda: m.softsign(X), X / (1 + np.abs(X))),
        ("erf", lambda: m.erf(X), erf(X)),
        ("erfc", lambda: m.erfc(X), 1 - erf(X)),
        ("lgamma", lambda: m.lgamma(P), lgamma(P)),
        ("digamma", lambda: m.digamma([1.0, 2.0]), [-0.5772156649, 0.4227843351]),
        ("bessel_i0", lambda: m.bessel_i0(X), np.i0(X)),
        ("bessel_i0e", lambda: m.bessel_i0e(X), np.i0(X) * np.exp(-np.abs(X))),
        ("bessel_i1", lambda: m.bessel_i1([0.0, 1.0]), [0, 0.5651591040]),
        ("bessel_i1e", lambda: m.bessel_i1e([1.0]), [0.5651591040 / np.e]),
        ("igamma", lambda: m.igamma(1.0, P), 1 - np.exp(-P)),
        ("igammac", lambda: m.igammac(1.0, P), np.exp(-P)),
        ("betainc", lambda: m.betainc(2.0, 1.0, [0.25, 0.5]), [0.0625, 0.25]),
        ("polygamma", lambda: m.polygamma(1.0, [1.0]), [np.pi**2 / 6]),
        ("zeta", lambda: m.zeta([2.0], [1.0]), [np.pi**2 / 6]),
        ("lbeta", lambda: m.lbeta([[2.0, 3.0]]), [lgamma(2) + lgamma(3) - lgamma(5)]),
        ("floor", lambda: m.floor(X), np.floor(X)),
        ("ceil", lambda: m.ceil(X), np.ceil(X)),
        ("rint", lambda: m.rint([0.5, 1.5, -2.5]), [0.0, 2.0, -2.0]),
        ("round", lambda: m.round([0.5, 1.5, -2.5]), [0.0, 2.0, -2.0]),
        ("is_nan", lambda: m.is_nan([np.nan, 1.0]), [True, False]),
        ("is_inf", lambda: m.is_inf([np.inf, 1.0]), [True, False]),
        ("is_finite", lambda: m.is_finite([np.inf, 1.0]), [False, True]),
        ("logical_not", lambda: m.logical_not(B), ~B),
        ("invert_permutation", lambda: m.invert_permutation([2, 0, 1]), [1, 2, 0]),
        ("real", lambda: m.real(C), C.real),
        ("imag", lambda: m.imag(C), C.imag),
        ("angle", lambda: m.angle(C), np.angle(C)),
        ("angle of real", lambda: m.angle(X), np.angle(X)),
        ("conj", lambda: m.conj(C), np.conj(C)),
        ("polyval", lambda: m.polyval([1.0, -2.0, 3.0], X), np.polyval([1, -2, 3], X)),
    )


def test_reductions():
    sums = np.log(np.sum(np.exp(X), 1))
    table(
        ("reduce_sum", lambda: m.reduce_sum(X, 1, True), np.sum(X, 1, keepdims=True)),
        ("reduce_mean", lambda: m.reduce_mean(X), np.mean(X)),
        ("reduce_max", lambda: m.reduce_max(X, [0, 1]), np.max(X)),
        ("reduce_min", lambda: m.reduce_min(X, -1), np.min(X, -1)),
        ("reduce_prod", lambda: m.reduce_prod(X, 0), np.prod(X, 0)),
        ("reduce_all", lambda: m.reduce_all([B, D], 0), B & D),
        ("reduce_any", lambda: m.reduce_any([B, D], 0), B | D),
        ("reduce_euclidean_norm", lambda: m.reduce_euclidean_norm(X), np.linalg.norm(X)),
        ("reduce_variance", lambda: m.reduce_variance(X, 1), np.var(X, 1)),
        ("variance, complex", lambda: m.reduce_variance(C), np.var(C)),
        ("reduce_std", lambda: m.reduce_std(X, 0, True), np.std(X, 0, keepdims=True)),
        ("reduce_logsumexp", lambda: m.reduce_logsumexp(X, 1), sums),
        ("large", lambda: m.reduce_logsumexp(X + 1e4, 1), sums + 1e4),
        ("nothing", lambda: m.reduce_logsumexp([-np.inf, -np.inf]), -np.inf),
        ("count_nonzero", lambda: m.count_nonzero([[0, 1], [2, 0]], 0), [1, 1]),
        ("strings", lambda: m.count_nonzero(["", "a"]), 1),
        ("zero_fraction", lambda: m.zero_fraction([0, 1, 0, 0]), 0.75),
        ("argmax", lambda: m.argmax(X, 1), np.argmax(X, 1)),
        ("argmin", lambda: m.argmin(X, 0, output_type=sl.int32), np.argmin(X, 0).astype(np.int32)),
        ("top_k", lambda: m.top_k([1.0, 5.0, 3.0], 2), ([5.0, 3.0], [1, 2])),
        ("in_top_k", lambda: m.in_top_k(np.float32([[1, 2, 3]]), [1], 2), [True]),
        ("is_strictly_increasing", lambda: m.is_strictly_increasing([1, 2, 2]), False),
        ("is_non_decreasing", lambda: m.is_non_decreasing([1, 2, 2]), True),
    )


def test_scans_and_segments():
    data, ids = np.array([[1.0, 2], [3, 4], [5, 6], [7, 8]]), [0, 0, 2, 2]
    loose = [2, 0, 2, -1]
    table(
        ("cumsum", lambda: m.cumsum(X, 1), np.cumsum(X, 1)),
        ("cumsum, before", lambda: m.cumsum([1, 2, 3], exclusive=True), [0, 1, 3]),
        ("cumprod, back", lambda: m.cumprod([1, 2, 3], reverse=True), [6, 6, 3]),
        ("cumulative_logsumexp", lambda: m.cumulative_logsumexp(X, 1),
         np.log(np.cumsum(np.exp(X), 1))),
        ("segment_sum", lambda: m.segment_sum(data, ids), [[4.0, 6], [0, 0], [12, 14]]),
        ("segment_mean", lambda: m.segment_mean(data, ids), [[2.0, 3], [0, 0], [6, 7]]),
        ("segment_prod", lambda: m.segment_prod(data, ids), [[3.0, 8], [1, 1], [35, 48]]),
        ("segment_max", lambda: m.segment_max(data, ids), [[3.0, 4], [0, 0], [7, 8]]),
        ("segment_min", lambda: m.segment_min(data, ids), [[1.0, 2], [0, 0], [5, 6]]),
        ("unsorted_segment_sum", lambda: m.unsorted_segment_sum(data, loose, 3),
         [[3.0, 4], [0, 0], [6, 8]]),
        ("unsorted_segment_mean", lambda: m.unsorted_segment_mean(data, loose, 3),
         [[3.0, 4], [0, 0], [3, 4]]),
        ("unsorted_segment_sqrt_n", lambda: m.unsorted_segment_sqrt_n(data, loose, 3),
         [[3.0, 4], [0, 0], np.array([6, 8]) / np.sqrt(2)]),
        ("unsorted_segment_prod", lambda: m.unsorted_segment_prod(data, loose, 3),
         [[3.0, 4], [1, 1], [5, 12]]),
        ("unsorted_segment_max", lambda: m.unsorted_segment_max(data, [2, 0, 2, 1], 3),
         [[3.0, 4], [7, 8], [5, 6]]),
        ("unsorted_segment_min", lambda: m.unsorted_segment_min(data, [2, 0, 2, 1], 3),
         [[3.0, 4], [7, 8], [1, 2]]),
        ("bincount", lambda: m.bincount([1, 3, 1, 0]), [1, 2, 0, 1]),
        ("bincount, short", lambda: m.bincount([1, 3, 1, 0], maxlength=2), [1, 2]),
        ("bincount, weights", lambda: m.bincount([1, 1], [0.5, 2.0], minlength=3), [0, 2.5, 0]),
        ("bincount of nothing", lambda: m.bincount(np.zeros(0, np.int32)), np.zeros(0, np.int32)),
        ("confusion_matrix", lambda: m.confusion_matrix([0, 1, 1], [0, 1, 0]), [[1, 0], [1, 1]]),
        ("weights", lambda: m.confusion_matrix([0, 1], [1, 1], 3, weights=[2, 3]),
         [[0, 2, 0], [0, 3, 0], [0, 0, 0]]),
    )  # fmt: skip


def test_gradients():
    ids = [2, 0, 2]
    cases(
        ("variance", lambda x: m.reduce_variance(x, 1), (2, 3)),
        ("std", m.reduce_std, (5,)),
        ("logsumexp", lambda x: m.reduce_logsumexp(x, 0), (2, 3)),
        ("log_sigmoid", m.log_sigmoid, (4,)),
        ("polyval", lambda x: m.polyval([2.0, 1.0, -1.0], x), (3,)),
        ("unsorted mean", lambda x: m.unsorted_segment_mean(x, ids, 3), (3, 2)),
        ("unsorted sqrt n", lambda x: m.unsorted_segment_sqrt_n(x, ids, 3), (3, 2)),
        ("i0", m.bessel_i0, (3,)),
        ("i1", m.bessel_i1, (3,)),
        ("no nan", lambda x: m.reciprocal_no_nan(x + 3.0), (3,)),
    )
    cases(("lbeta", m.lbeta, (2, 3)), low=0.5, high=2.0)


def test_nothing_is_left_out():
    functions.uses_every_name(sl.math, "m", "math_test.py")


def test_raw_ops_describe_their_signatures():
    text = sl.raw_ops.Conv2D.__doc__
    for part in ("input: A tensor", "strides: A list", "Default: 'NHWC'", "follows", "Raises:"):
        assert part in text, text
    assert "Conv2D" in dir(sl.raw_ops)
    harness.raises(AttributeError, lambda: sl.raw_ops.Conv2E, "Conv2E")
    harness.raises(TypeError, lambda: m.less(1, 2, 3, 4), "less()")
    harness.raises(TypeError, lambda: m.less(1, z=2), '"z"')
    harness.raises(TypeError, lambda: m.less(1), '"y"')
    harness.raises(TypeError, lambda: m.less(1, 2, x=3), "less()", '"x"')
