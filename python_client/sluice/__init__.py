"""Sluice: dataflow graphs with a distributed master. Names are those of TensorFlow 1.15.

import sluice as sl
x = sl.placeholder(sl.float32, [None, 2])
y = sl.matmul(x, [[1.0], [2.0]])
with sl.Session() as session:
    print(session.run(y, {x: [[3.0, 4.0]]}))
"""

# ruff: noqa: F401, I001
from . import errors, nn, raw_ops, train
from ._sluice import version as __version__
from .convert import constant, convert_to_tensor, placeholder
from .control_flow import cond, while_loop
from .device_spec import DeviceSpec
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool  # noqa: A001
from .graph import (
    Graph,
    GraphKeys,
    IndexedSlices,
    Operation,
    Tensor,
    TensorShape,
    add_to_collection,
    colocate_with,
    control_dependencies,
    device,
    get_collection,
    get_default_graph,
    get_default_session,
    name_scope,
    reset_default_graph,
    set_random_seed,
)
from .ops import *  # noqa: F403
from .session import ConfigProto, RunOptions, Session
from .variables import (
    Variable,
    assign,
    assign_add,
    assign_sub,
    constant_initializer,
    get_variable,
    global_variables,
    global_variables_initializer,
    glorot_uniform_initializer,
    he_normal_initializer,
    is_variable_initialized,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    report_uninitialized_variables,
    trainable_variables,
    truncated_normal_initializer,
    variables_initializer,
    zeros_initializer,
)
