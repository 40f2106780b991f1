# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.functions.specs import TensorSpec as TensorSpec
from sluice.contrib_parts.framework.variables import VariableDeviceChooser as VariableDeviceChooser
from sluice.layers.contrib.scopes import add_arg_scope as add_arg_scope
from sluice.contrib_parts.framework.variables import add_model_variable as add_model_variable
from sluice.layers.contrib.scopes import arg_scope as arg_scope
from sluice.layers.contrib.scopes import arg_scoped_arguments as arg_scoped_arguments
from sluice.older_names import argsort as argsort
from sluice.training.global_step import assert_global_step as assert_global_step
from sluice.contrib_parts.framework.tensors import assert_or_get_global_step as assert_or_get_global_step
from sluice.ops.debug.assertions import assert_same_float_dtype as assert_same_float_dtype
from sluice.ops.debug.assertions import assert_scalar as assert_scalar
from sluice.contrib_parts.framework.tensors import assert_scalar_int as assert_scalar_int
from sluice.contrib_parts.framework.restoring import assign_from_checkpoint as assign_from_checkpoint
from sluice.contrib_parts.framework.restoring import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from sluice.contrib_parts.framework.restoring import assign_from_values as assign_from_values
from sluice.contrib_parts.framework.restoring import assign_from_values_fn as assign_from_values_fn
from sluice.older_names import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from sluice.training.global_step import create_global_step as create_global_step
from sluice.layers.contrib.scopes import current_arg_scope as current_arg_scope
from sluice.contrib_parts.framework.tensors import deprecated as deprecated
from sluice.contrib_parts.framework.tensors import deprecated_args as _contrib_parts_framework_tensors_deprecated_args
deprecated_arg_values = _contrib_parts_framework_tensors_deprecated_args
from sluice.contrib_parts.framework.tensors import deprecated_args as deprecated_args
from sluice.contrib_parts.framework.selecting import filter_variables as filter_variables
from sluice.training.global_step import get_global_step as get_global_step
from sluice.contrib_parts.framework.tensors import get_graph_from_inputs as get_graph_from_inputs
from sluice.contrib_parts.framework.selecting import get_local_variables as get_local_variables
from sluice.layers.contrib.variables import get_model_variables as get_model_variables
from sluice.graph.default_graph import get_name_scope as get_name_scope
from sluice.training.global_step import get_or_create_global_step as get_or_create_global_step
from sluice.contrib_parts.framework.selecting import get_trainable_variables as get_trainable_variables
from sluice.contrib_parts.framework.selecting import get_unique_variable as get_unique_variable
from sluice.contrib_parts.framework.selecting import get_variable_full_name as get_variable_full_name
from sluice.layers.contrib.variables import get_variables as get_variables
from sluice.contrib_parts.framework.selecting import get_variables_by_name as get_variables_by_name
from sluice.contrib_parts.framework.selecting import get_variables_by_suffix as get_variables_by_suffix
from sluice.contrib_parts.framework.selecting import get_variables_to_restore as get_variables_to_restore
from sluice.contrib_parts.framework.variables import global_variable as global_variable
from sluice.layers.contrib.scopes import has_arg_scope as has_arg_scope
from sluice.training.warm_start import init_from_checkpoint as init_from_checkpoint
from sluice.older_names import is_tensor as is_tensor
from sluice.training.checkpoints.reader import list_variables as list_variables
from sluice.training.checkpoints.reader import load_checkpoint as load_checkpoint
from sluice.training.checkpoints.reader import load_variable as load_variable
from sluice.contrib_parts.framework.variables import local_variable as local_variable
from sluice.layers.contrib.variables import model_variable as model_variable
from sluice.groups import contrib_framework_nest as _contrib_framework_nest
nest = _contrib_framework_nest
from sluice.contrib_parts.framework.tensors import prepend_name_scope as prepend_name_scope
from sluice.ops.functions.py_func import py_func as py_func
from sluice.contrib_parts.framework.tensors import reduce_sum_n as reduce_sum_n
from sluice.contrib_parts.framework.tensors import remove_squeezable_dimensions as remove_squeezable_dimensions
from sluice.layers.choices import smart_case as smart_case
from sluice.layers.choices import smart_cond as smart_cond
from sluice.layers.choices import smart_constant_value as smart_constant_value
from sluice.older_names import sort as sort
from sluice.contrib_parts.framework.tensors import strip_name_scope as strip_name_scope
from sluice.contrib_parts.framework.variables import variable as variable
from sluice.contrib_parts.framework.tensors import with_same_shape as with_same_shape
from sluice.contrib_parts.framework.tensors import with_shape as with_shape
