# SPDX-License-Identifier: Apache-2.0
"""Python values become tensors: the right value, or an error at once that names the culprit."""

import harness
import numpy as np
import sluice as sl
from sluice.session import fetches


def run(tensor, feeds=None):
    with sl.Session(graph=tensor.graph) as session:
        return session.run(tensor, feeds)


def test_bfloat16_has_the_values():
    with sl.Graph().as_default():
        values = [1.00390625, 1.01171875, 3.4e38, -0.5, float("nan")]
        want = np.array([1, 1.015625, np.inf, -0.5, np.nan], np.float32)  # to the even neighbour
        np.testing.assert_array_equal(run(sl.constant(values, sl.bfloat16)), want)
        np.testing.assert_array_equal(run(sl.fill([2], sl.constant(0.5, sl.bfloat16))), [0.5, 0.5])
        np.testing.assert_array_equal(run(sl.cast(sl.constant(3, sl.bfloat16), sl.int32)), 3)
        x = sl.placeholder(sl.bfloat16)
        np.testing.assert_array_equal(run(x + 1, {x: [0.5, 2]}), [1.5, 3])
        np.testing.assert_array_equal(run(x * 2, {x: np.array([1, 2], np.uint16)}), [2, 4])
        v = sl.Variable(0.25, dtype=sl.bfloat16)
        with sl.Session() as session:
            session.run(v.initializer)
            assert session.run(v) == 0.25


def test_constants_are_of_their_kind():
    with sl.Graph().as_default():
        harness.raises(TypeError, lambda: sl.constant(1.5, sl.int32), "1.5", "int32")
        harness.raises(TypeError, lambda: sl.constant([1, "a"]), "'a'")
        harness.raises(TypeError, lambda: sl.constant([0, 1], sl.bool), "0", "bool")
        harness.raises(ValueError, lambda: sl.constant(None), "None")
        harness.raises(ValueError, lambda: sl.constant([[1, 2], [3]]), "unequal lengths")
        harness.raises(ValueError, lambda: sl.constant([1, 2, 3], shape=[2]), "too many")
        harness.raises(OverflowError, lambda: sl.constant(2**63, sl.int64), "int64")
        np.testing.assert_array_equal(run(sl.constant([1, 2], shape=[3])), [1, 2, 2])
        assert run(sl.constant("a\0", shape=[2])).tolist() == [b"a\0"] * 2
        assert sl.constant(2**40).dtype == sl.int64
        big_endian = np.array([1, 2], ">i4")
        np.testing.assert_array_equal(run(sl.constant(big_endian, sl.int32)), [1, 2])


def test_feeds_fit():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [None, 2], name="x")
        small = sl.placeholder(sl.uint8, name="small")
        int32 = sl.placeholder(sl.int32, name="int32")
        text = sl.placeholder(sl.string, name="text")
        column = sl.placeholder(sl.float32, [2, 1], name="column")
        harness.raises(ValueError, lambda: run(x, {x: [[1, 2, 3]]}), "x:0", "(1, 3)", "(?, 2)")
        harness.raises(ValueError, lambda: run(column, {column: [1, 2]}), "column:0", "(2, 1)")
        harness.raises(TypeError, lambda: run(small, {small: 300}), "300", "small:0", "uint8")
        harness.raises(OverflowError, lambda: run(small, {small: [1, 300]}), "300", "small:0")
        harness.raises(TypeError, lambda: run(int32, {int32: 2**40}), "int32:0", "to a larger type")
        harness.raises(TypeError, lambda: run(x, {x: None}), "None", "x:0")
        harness.raises(TypeError, lambda: run(x, {x: [[1, None]]}), "None", "x:0", "element 1")
        harness.raises(TypeError, lambda: run(text, {text: 5}), "text:0")
        assert run(text, {text: [b"a\0"]}).tolist() == [b"a\0"]
        np.testing.assert_array_equal(run(int32, {int32: [1.7]}), [1])


def test_large_arrays_are_fed_where_they_are():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [None])
        array = np.ones(1 << 20, np.float32)
        assert fetches.feeds_of(sl.get_default_graph(), {x: array})[0][1] is array


def test_ops_refuse_other_dtypes():
    with sl.Graph().as_default():
        x = sl.constant([1.0, 2.0], name="x")
        harness.raises(TypeError, lambda: sl.multiply(2, x), "Mul", "x:0")
        harness.raises(TypeError, lambda: x + sl.constant(1), "float32", "int32")
        harness.raises(ValueError, lambda: sl.concat(0, [x, x]), "concat(values, axis)")
        harness.raises(TypeError, lambda: sl.raw_ops.Split(value=x, split_dim=0), "num_split")
        harness.raises(TypeError, lambda: sl.matmul(sl.constant([["a"]]), [["b"]]), "string")
        assert (2 * x).dtype == sl.float32 and (x + np.float64(1)).dtype == sl.float32


def test_dtypes_equal_what_stands_for_them():
    for other in (np.float64, np.dtype(np.float64), np.dtype(">f8"), "float64", "double", 2):
        assert sl.float64 == other and sl.float32 != other, other
    assert sl.float32 == float and sl.float32 == "float" and sl.float64 != float
    assert not any(dtype == None for dtype in (sl.float64, sl.string))  # noqa: E711
    for dtype in (sl.bool, sl.int64, sl.uint16, sl.complex64, sl.float16):
        assert sl.as_dtype(np.dtype(dtype.as_numpy_dtype)) is dtype
    assert sl.as_dtype(np.longlong) is sl.int64 and sl.as_dtype(object) is sl.string


def test_attributes_that_are_tensors_take_values_of_python():
    op = sl.raw_ops.Const(value=[1.0, 2.0], dtype=sl.float32).op
    assert sl.make_ndarray(op.get_attr("value")).tolist() == [1.0, 2.0]


def test_parts_of_messages_are_of_the_public_classes():
    assert isinstance(sl.GraphDef().node.add(), sl.NodeDef)
    assert isinstance(sl.NodeDef().attr["T"], sl.AttrValue)
    assert isinstance(sl.AttrValue().list, sl.AttrValue.ListValue)
