# SPDX-License-Identifier: Apache-2.0
"""The names of contrib.eager that work with graphs too."""

from .. import keras, modules
from ..command_line import app
from ..ops.functions.functions import TensorSpec, function
from ..ops.gradient_tape import GradientTape
from ..ops.state.custom_gradients import custom_gradient
from ..ops.state.resource_variables import ResourceVariable
from ..ops.state.templates import make_template
from ..session.py_function import py_function
from ..testing import decorators
from ..training.object_checkpoint import Checkpoint


def executing_eagerly():
    """Returns False: there are only graphs.

    Returns:
        A bool.
    """
    return False


def get_optimizer_variables(optimizer):
    """Lists the variables of an optimizer.

    Args:
        optimizer: The Optimizer.

    Returns:
        A list of variables.
    """
    return optimizer.variables()


module = modules.make("contrib.eager", "What works with graphs too.", {
    "Checkpoint": Checkpoint,
    "GradientTape": GradientTape,
    "Sequential": keras.Sequential,
    "TensorSpec": TensorSpec,
    "Variable": ResourceVariable,
    "custom_gradient": custom_gradient,
    "defun": function,
    "executing_eagerly": executing_eagerly,
    "function": function,
    "get_optimizer_variables": get_optimizer_variables,
    "in_eager_mode": executing_eagerly,
    "make_template": make_template,
    "py_func": py_function,
    "run": app.run,
    "run_all_tests_in_graph_and_eager_modes": decorators.run_all_in_graph_and_eager_modes,
    "run_test_in_graph_and_eager_modes": decorators.run_in_graph_and_eager_modes,
})  # fmt: skip
