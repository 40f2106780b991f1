"""Sluice: dataflow graphs with a distributed master. Names are those of TensorFlow 1.15.

import sluice as sl
x = sl.placeholder(sl.float32, [None, 2])
y = sl.matmul(x, [[1.0], [2.0]])
with sl.Session() as session:
    print(session.run(y, {x: [[3.0, 4.0]]}))
"""

# ruff: noqa: F401, I001
from . import (
    bitwise, errors, image, initializers, io, linalg, losses, math, metrics, nn, random, raw_ops,
    sets, signal, sparse, strings, summary, train,
)  # fmt: skip
from ._sluice import version as __version__
from .arrays import *  # noqa: F403
from .math import *  # noqa: F403
from .aliases import *  # noqa: F403
from .convert import constant, convert_to_tensor, placeholder
from .control_flow import cond, while_loop
from .device_spec import DeviceSpec
from .differentiate import *  # noqa: F403
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
from .initializers import constant as constant_initializer
from .initializers import glorot_normal as glorot_normal_initializer
from .initializers import glorot_uniform as glorot_uniform_initializer
from .initializers import he_normal as he_normal_initializer
from .initializers import ones as ones_initializer
from .initializers import orthogonal as orthogonal_initializer
from .initializers import random_normal as random_normal_initializer
from .initializers import random_uniform as random_uniform_initializer
from .initializers import truncated_normal as truncated_normal_initializer
from .initializers import variance_scaling as variance_scaling_initializer
from .initializers import zeros as zeros_initializer
from .queues import (
    ConditionalAccumulator,
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    Queue,
    RandomShuffleQueue,
)
from .session import ConfigProto, RunOptions, Session
from .variables import (
    Variable,
    assign,
    assign_add,
    assign_sub,
    count_up_to,
    get_variable,
    global_variables,
    global_variables_initializer,
    is_variable_initialized,
    local_variables,
    local_variables_initializer,
    report_uninitialized_variables,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_sub,
    scatter_update,
    trainable_variables,
    variables_initializer,
)
