# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.object_checkpoint import Checkpoint as Checkpoint
from sluice.ops.gradient_tape import GradientTape as GradientTape
from sluice.keras.models.sequential import Sequential as Sequential
from sluice.ops.functions.specs import TensorSpec as TensorSpec
from sluice.ops.state.resource_variables import ResourceVariable as _ops_state_resource_variables_ResourceVariable
Variable = _ops_state_resource_variables_ResourceVariable
from sluice.ops.state.custom_gradients import custom_gradient as custom_gradient
from sluice.ops.functions.functions import function as _ops_functions_functions_function
defun = _ops_functions_functions_function
from sluice.contrib_parts.eager import executing_eagerly as executing_eagerly
from sluice.ops.functions.functions import function as function
from sluice.contrib_parts.eager import get_optimizer_variables as get_optimizer_variables
from sluice.contrib_parts.eager import executing_eagerly as _contrib_parts_eager_executing_eagerly
in_eager_mode = _contrib_parts_eager_executing_eagerly
from sluice.ops.state.templates import make_template as make_template
from sluice.session.py_function import py_function as _session_py_function_py_function
py_func = _session_py_function_py_function
from sluice.command_line.app import run as run
from sluice.testing.decorators import run_all_in_graph_and_eager_modes as _testing_decorators_run_all_in_graph_and_eager_modes
run_all_tests_in_graph_and_eager_modes = _testing_decorators_run_all_in_graph_and_eager_modes
from sluice.testing.decorators import run_in_graph_and_eager_modes as _testing_decorators_run_in_graph_and_eager_modes
run_test_in_graph_and_eager_modes = _testing_decorators_run_in_graph_and_eager_modes
