# SPDX-License-Identifier: Apache-2.0
"""Variables, checkpoints and checks of contrib.framework."""

from ...graph import default_graph
from ...layers import choices
from ...layers.contrib import scopes
from ...older_names import convert_to_tensor_or_sparse_tensor
from ...ops.functions.functions import TensorSpec
from ...training import global_step, warm_start
from ...training.checkpoints import reader
from . import checks, restoring, selecting, tensors, variables

_SOURCES = {
    global_step: "assert_global_step create_global_step get_global_step get_or_create_global_step",
    reader: "list_variables load_checkpoint load_variable",
    warm_start: "init_from_checkpoint",
    checks: " ".join(checks.__all__),
    tensors: " ".join(tensors.__all__),
    choices: "smart_case smart_cond smart_constant_value",
    default_graph: "get_name_scope",
    scopes: "arg_scoped_arguments current_arg_scope",
    restoring: "assign_from_checkpoint assign_from_checkpoint_fn assign_from_values"
    " assign_from_values_fn",
    selecting: "filter_variables get_local_variables get_trainable_variables get_unique_variable"
    " get_variable_full_name get_variables_by_name get_variables_by_suffix"
    " get_variables_to_restore",
    variables: "VariableDeviceChooser add_model_variable global_variable local_variable variable",
}
NAMES = {
    name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()
}
NAMES.update({
    "TensorSpec": TensorSpec,
    "convert_to_tensor_or_sparse_tensor": convert_to_tensor_or_sparse_tensor,
})
# slim has those of variables and checkpoints too.
OF_SLIM = {
    name: function for name, function in NAMES.items()
    if name not in checks.__all__ and not name.startswith(("list", "load", "init"))
}  # fmt: skip
