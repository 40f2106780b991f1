# SPDX-License-Identifier: Apache-2.0
"""Converted functions: where their errors point to, what stays as it is, what cannot be found."""

import logging
import traceback

import pytest
import sluice as sl


def _line_of(error):
    """The function and the source line of the last frame of this file."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__]
    return frames[-1].name, frames[-1].line


def test_an_error_points_to_the_line_of_the_program():
    def wrong(x):
        if x > 0:
            for i in sl.range(3):
                x = x + {}[i]
        return x

    with pytest.raises(KeyError) as caught:
        sl.function(wrong)(sl.constant(1))
    assert _line_of(caught.value) == ("wrong", "x = x + {}[i]")


@pytest.mark.parametrize("variable", ["y", "z"])
def test_an_error_names_the_variable_and_the_line(variable):
    def undefined(x):
        if x > 0:
            y = x
        return y

    def other_dtypes(x):
        if x > 0:
            z = 1
        else:
            z = 2.0
        return z

    function = undefined if variable == "y" else other_dtypes
    with pytest.raises((TypeError, ValueError)) as caught:
        sl.function(function)(sl.constant(1))
    line = function.__code__.co_firstlineno + 1
    assert variable in str(caught.value)
    assert str(caught.value).endswith(f"({__file__}, line {line})")


def test_a_loop_names_the_variable_that_changes():
    def grows(n):
        x = sl.constant([1])
        while sl.size(x) < n:
            x = sl.concat([x, x], 0)
        return x

    with pytest.raises(ValueError, match='"x" has shape .1,. before the loop'):
        sl.function(grows)(sl.constant(9))


def test_private_names_and_super_belong_to_the_class():
    class Positive:
        def value(self, x):
            return x if x > 0 else -x

    class Scaled(Positive):
        def __init__(self):
            self.__factor = 3

        def value(self, x):
            if x < 10:
                x = super().value(x) * self.__factor
            return x

    found = sl.function(Scaled().value)(sl.constant(-2))
    assert sl.Session().run(found) == 6


def test_a_function_without_control_flow_is_the_same():
    def plain(x):
        return x + 1

    assert sl.autograph.to_graph(plain) is plain


def test_generators_stay_as_they_are():
    def numbers(n):
        for i in range(n):
            if i != 1:
                yield i

    found = sl.function(lambda x: sum([i for i in numbers(4)], x))(sl.constant(1))
    assert sl.Session().run(found) == 6


def test_code_without_source_runs_as_it_is(caplog):
    names = {}
    exec(compile("def f(x):\n    return 1 if x > 0 else 2\n", "<nowhere>", "exec"), names)
    with caplog.at_level(logging.WARNING, "sluice"):
        for _ in range(2):
            with pytest.raises(TypeError, match="bool` is not allowed"):
                sl.function(names["f"])(sl.constant(1))
            assert sl.function(lambda x: x + names["f"](3))(sl.constant(1)) is not None
    assert len(caplog.records) == 1
    assert "cannot be converted" in caplog.text


def test_two_lambdas_of_one_line():
    pair = [lambda x: x if x > 0 else -x, lambda x: x * 2 if x > 0 else x]
    x = sl.constant(-3)
    assert sl.Session().run([sl.function(f)(x) for f in pair]) == [3, -3]


def test_asserts_fail_in_the_run():
    @sl.function
    def f(x):
        assert x > 0, "not positive"
        return x

    session = sl.Session()
    assert session.run(f(sl.constant(1))) == 1
    with pytest.raises(sl.errors.InvalidArgumentError, match="not positive"):
        session.run(f(sl.constant(-1)))


def test_chained_comparisons():
    x = sl.constant(3)
    found = sl.function(lambda x: (0 < x < 5, 0 < x < 2, 1 < 2 < 3))(x)
    assert [bool(v) for v in sl.Session().run(found[:2])] == [True, False]


def test_else_of_a_loop():
    @sl.function
    def f(n):
        for i in sl.range(n):
            if i > 3:
                break
        else:
            n = n * 100
        return n

    assert sl.Session().run([f(sl.constant(2)), f(sl.constant(9))]) == [200, 9]


def test_two_data_sets_that_look_the_same():
    @sl.function
    def total(data):
        found = sl.constant(0, sl.int64)
        for x in data:
            found += x
        return found

    data = [sl.data.Dataset.range(n) for n in (3, 5)]
    assert sl.Session().run([total(d) for d in data]) == [3, 10]


def test_an_effect_in_a_branch_runs_without_its_value():
    v = sl.Variable(1, use_resource=True)

    @sl.function
    def f(x):
        sl.cond(x > 0, lambda: v.assign_add(5), lambda: v.assign_sub(5))
        return x

    session = sl.Session()
    session.run(v.initializer)
    session.run(f(sl.constant(1)))
    assert session.run(v) == 6
