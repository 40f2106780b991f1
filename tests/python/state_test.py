# SPDX-License-Identifier: Apache-2.0
"""Rows of variables that change, counting, and shapes, with both kinds of variables."""

import harness
import numpy as np
import sluice as sl


def test_rows():
    for resource in (False, True):
        with sl.Graph().as_default(), sl.Session() as session:
            v = sl.Variable(np.array([[1.0, 2.0], [3.0, 4.0]]), use_resource=resource)
            session.run(v.initializer)
            for function, update, expected in (
                (sl.scatter_update, [[8.0, 6.0]], [8.0, 6.0]),
                (sl.scatter_add, [[1.0, 2.0]], [9.0, 8.0]),
                (sl.scatter_sub, [[1.0, 2.0]], [8.0, 6.0]),
                (sl.scatter_mul, [[2.0, 0.5]], [16.0, 3.0]),
                (sl.scatter_div, [[4.0, 1.0]], [4.0, 3.0]),
                (sl.scatter_max, [[5.0, 1.0]], [5.0, 3.0]),
                (sl.scatter_min, [[6.0, 1.0]], [5.0, 1.0]),
            ):
                found = session.run(function(v, [1], update))
                assert found.tolist() == [[1.0, 2.0], expected], (resource, function.__name__)
            outside = sl.scatter_add(v, [2], [[1.0, 1.0]])
            harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(outside), "2")  # noqa: B023


def test_counting():
    for resource in (False, True):
        with sl.Graph().as_default(), sl.Session() as session:
            v = sl.Variable(0, use_resource=resource)
            session.run(v.initializer)
            up = sl.count_up_to(v, 2)
            assert [session.run(up), session.run(up)] == [0, 1]
            harness.raises(sl.errors.OutOfRangeError, lambda: session.run(up), "2")  # noqa: B023


def test_a_resource_variable_of_another_shape_than_its_value():
    harness.raises(
        ValueError, lambda: sl.Variable([1.0, 2.0], shape=[3], use_resource=True), "not compatible"
    )
    assert sl.Variable([1.0], shape=[None], use_resource=True).shape.as_list() == [None]
