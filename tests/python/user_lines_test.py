# SPDX-License-Identifier: Apache-2.0
"""Errors of a step name the line of the program that made the operation."""

import os
import subprocess
import sys
import traceback

import harness
import numpy as np
import sluice as sl

HERE = os.path.relpath(__file__)
if HERE.startswith(os.pardir):
    HERE = __file__


def line_of(mark):
    """The number of the line of this file that ends in a comment with that mark."""
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, 1) if line.endswith(f"# {mark}\n"))


def model(x):
    with sl.name_scope("layer1"):
        weights = sl.constant(np.ones((3, 2), np.float32))
        return sl.matmul(x, weights)  # matmul


def failing(fetch, feeds=None):
    """The error that a run of `fetch` raises."""
    with sl.Session(graph=fetch.graph) as session:
        return harness.raises(sl.errors.OpError, lambda: session.run(fetch, feeds))


def ends_with(error, name, mark, function):
    where = f"{name} created at {HERE}:{line_of(mark)}" + (f" in {function}" if function else "")
    assert error.message.endswith(where), (where, error.message)
    assert str(error) == error.message


def test_an_error_of_a_step_ends_with_the_users_line():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, None)
        y = model(x)
        error = failing(y, {x: np.ones((2, 2), np.float32)})
    ends_with(error, "layer1/MatMul", "matmul", "model()")
    assert type(error) is sl.errors.InvalidArgumentError
    assert error.error_code == sl.errors.INVALID_ARGUMENT
    assert error.op is y.op and error.node_def.op == "BatchMatMulV2"
    assert error.node_def.name == "layer1/MatMul" and len(error.node_def.input) == 2


def test_tracebacks_are_the_programs_frames_outermost_first():
    with sl.Graph().as_default():
        op = model(sl.placeholder(sl.float32, None)).op  # call
    frames = op.traceback
    last, before = frames[-1], frames[-2]
    assert (last.filename, last.lineno, last.name) == (__file__, line_of("matmul"), "model")
    assert before.lineno == line_of("call") and before.name == function_name()
    assert last.line == "return sl.matmul(x, weights)  # matmul"
    file, line, function, text = last  # as a tuple, as in TensorFlow
    assert (file, line, function, text) == (__file__, last.lineno, "model", last.line)
    assert "sluice/" not in "".join(traceback.format_list(frames)).replace(__file__, "")


def function_name():
    return "test_tracebacks_are_the_programs_frames_outermost_first"


def test_an_operation_made_under_a_scope_has_the_line_of_its_caller():
    with sl.Graph().as_default():
        names = [sl.add(1.0, 2.0) for _ in range(1)]  # list
        assert names[0].op.traceback[-1].lineno == line_of("list")
        variable = sl.get_variable("v", [2], initializer=sl.zeros_initializer())  # variable
        for op in variable.graph.get_operations()[-3:]:
            assert op.traceback[-1].lineno == line_of("variable"), op


def test_gradients_have_their_own_line_and_that_of_the_forward_operation():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, None)
        y = sl.pow(x, sl.constant([1.0, 2.0, 3.0]), name="power")  # forward
        (slope,) = sl.gradients(y, x, grad_ys=sl.placeholder_with_default([1.0, 1.0], None))  # back
        error = failing(slope, {x: np.ones(3, np.float32)})
    assert "gradients/power_grad/" in error.op.name
    assert f"{error.op.name} created at {HERE}:{line_of('back')}" in error.message, error.message
    assert error.message.endswith(
        f",\na gradient of power created at {HERE}:{line_of('forward')} in "
        "test_gradients_have_their_own_line_and_that_of_the_forward_operation()"
    ), error.message


def test_bodies_of_functions_name_the_line_inside():
    def branch():
        return sl.check_numerics(sl.log(-1.0), "in a branch")  # branch

    def body(i):
        return sl.cond(i > 0, branch, branch)

    @sl.function
    def called(x):
        return sl.check_numerics(x, "in a call")  # called

    with sl.Graph().as_default():
        error = failing(sl.while_loop(lambda i: i < 3.0, body, [sl.constant(1.0)]))
        ends_with(error, "CheckNumerics", "branch", "branch()")
        assert error.op.type == "While"
        error = failing(called(sl.log(sl.constant(-1.0))))
        ends_with(error, "CheckNumerics", "called", "called()")
        assert error.op.name == "called"


def test_imported_operations_have_the_line_of_the_import():
    with sl.Graph().as_default() as made:
        model(sl.placeholder(sl.float32, None, name="x"))
    with sl.Graph().as_default():
        names = ["layer1/MatMul:0", "x:0"]
        y, x = sl.import_graph_def(made.as_graph_def(), return_elements=names)  # import
        error = failing(y, {x: np.ones((2, 2), np.float32)})
    ends_with(error, "import/layer1/MatMul", "import",
              "test_imported_operations_have_the_line_of_the_import()")  # fmt: skip


def test_steps_in_parts_name_the_line_too():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, None)
        y = model(x)
        with sl.Session() as session:
            handle = session.partial_run_setup([y], [x])
            error = harness.raises(
                sl.errors.InvalidArgumentError,
                lambda: session.partial_run(handle, y, {x: np.ones((2, 2), np.float32)}),
            )
    ends_with(error, "layer1/MatMul", "matmul", "model()")


SERVED = """
import sluice as sl
server = sl.train.Server.create_local_server()
def model():
    return sl.check_numerics(sl.log(-1.0), "bad", name="here")
x = model()
session = sl.Session(server.target)
session.run(sl.constant(1))
y = sl.identity(model())
for fetch in (x, y):
    try:
        session.run(fetch)
    except sl.errors.InvalidArgumentError as error:
        print(error.message)
"""


def test_a_server_is_sent_the_lines_and_logs_them():
    ended = subprocess.run(
        [sys.executable, "-c", SERVED], env={**os.environ, "SLUICE_LOG_LEVEL": "info"}, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    for name in ("here", "here_1"):
        line = f"{name} created at <string>:5 in model()"
        assert ended.stdout.count(line) == 1, ended.stdout
        logged = [text for text in ended.stderr.split("session ") if line in text]
        assert len(logged) == 1 and "failed: INVALID_ARGUMENT" in logged[0], ended.stderr


def test_errors_without_an_operation_are_as_they_were():
    error = sl.errors.NotFoundError(None, None, "no file")
    assert (error.op, error.node_def, error.message) == (None, None, "no file")
    node = sl.NodeDef(name="n")
    error = sl.errors.NotFoundError(node, None, "no file")
    assert error.node_def is node and str(error) == "no file"
