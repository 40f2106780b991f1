# SPDX-License-Identifier: Apache-2.0
"""The public names of the package, which `import sluice` gives."""

# ruff: noqa: E402, F401, I001
import sys as _sys
from types import ModuleType as _ModuleType

from . import processor as _processor

_processor.check()  # before the C++ module is loaded, which the next import does

from . import (
    autograph, bitwise, compat, config, contrib, data, distribute, distributions, dtypes, errors,
    estimator, feature_column, gfile, hvd, image, initializers, io, keras, layers, linalg, logging,
    lookup, losses, math, metrics, nest, nn, quantization, ragged, random, raw_ops, sets, signal,
    sparse, strings, summary, train,
)  # fmt: skip
from . import absent as _absent
from . import modules as _modules
from .autograph import operators as _operators  # they make converted code work
from .compat import later as _later
from .command_line import app as _app
from .command_line import flags as _flags
from .files import frozen as _frozen
from .files import records as _records
from .files import resource_loader as _resource_loader
from .ops.signal import audio as _audio
from .saving.public.names import MODULES as _SAVED_MODEL_MODULES
from .saving.public.names import saved_model
from .testing.names import *  # noqa: F403
from .testing.names import VERSION as __version__  # noqa: N811  # TensorFlow's
from .ops.data_flow.accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from .ops.data_flow.critical_section import CriticalSection
from .ops.array import *  # noqa: F403
from .ops.control_flow.grouping import *  # noqa: F403
from .ops.debug.checks import *  # noqa: F403
from .ops.debug.assertions import *  # noqa: F403
from .ops.debug.shape_assertions import *  # noqa: F403
from .ops.math import *  # noqa: F403
from .ops.nn.ranking import *  # noqa: F403
from .ops.nn import dilation as _dilation
from .ops.nn.confusion import confusion_matrix
from .ops.nn.dilation import required_space_to_batch_paddings
from .ops.quantized import networks as _quantized
from .aliases import *  # noqa: F403
from .graph.convert import (
    constant,
    convert_to_tensor,
    placeholder,
    register_tensor_conversion_function,
)
from .errors import OpError
from .session.cluster import Credentials
from .ops.functions.cond_and_while import cond, while_loop
from .ops.functions.loops import (
    case,
    foldl,
    foldr,
    map_fn,
    scan,
    switch_case,
    vectorized_map,
)
from .ops.list.tensor_array import TensorArray
from .data.optional import OptionalSpec
from .data.ragged import RaggedTensorSpec
from .data.specs import SparseTensorSpec
from .graph.device_spec import DeviceSpec
from .ops.math.clipping import *  # noqa: F403
from .ops.state.custom_gradients import *  # noqa: F403
from .ops.differentiate import *  # noqa: F403
from .ops.gradient_overrides import NotDifferentiable, RegisterGradient
from .ops.gradient_tape import GradientTape
from .ops.gradient_overrides import NotDifferentiable as NoGradient
from .ops.gradient_overrides import NotDifferentiable as no_gradient  # noqa: N813
from .dtypes import *  # noqa: F403
from .dtypes import DType, as_dtype
from .dtypes import bool_ as bool  # noqa: A001
from .graph.defaults import get_default_session
from .graph.elements import IndexedSlicesValue
from .graph.default_graph import (
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    get_default_graph,
    name_scope,
    op_scope,
    reset_default_graph,
)
from .graph.seeds import get_seed, set_random_seed
from .graph.elements import IndexedSlices, Operation, Tensor
from .graph.graph import Graph
from .graph.keys import GraphKeys
from .ops.functions.defun import Defun
from .ops.functions.functions import TensorSpec, function
from .ops.functions.lifting import init_scope
from .ops.functions.py_func import numpy_function, py_func
from .session.py_function import py_function
from .files.graph_io import import_graph_def
from .files.tensors import make_ndarray, make_tensor_proto
from .ops.state.initializers import constant as constant_initializer
from .ops.state.initializers import glorot_normal as glorot_normal_initializer
from .ops.state.initializers import glorot_uniform as glorot_uniform_initializer
from .ops.state.initializers import he_normal as he_normal_initializer
from .ops.state.initializers import ones as ones_initializer
from .ops.state.initializers import orthogonal as orthogonal_initializer
from .ops.state.initializers import random_normal as random_normal_initializer
from .ops.state.initializers import random_uniform as random_uniform_initializer
from .ops.state.initializers import truncated_normal as truncated_normal_initializer
from .ops.state.initializers import uniform_unit_scaling as uniform_unit_scaling_initializer
from .ops.state.initializers import variance_scaling as variance_scaling_initializer
from .ops.state.initializers import zeros as zeros_initializer
from .older_names import *  # noqa: F403
from .ops.state.partitioned import (
    PartitionedVariable,
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)
from .ops.data_flow.queues import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    Queue,
    RandomShuffleQueue,
)
from .ops.data_flow.queues import Queue as QueueBase
from .ops.io.readers import (
    FixedLengthRecordReader,
    IdentityReader,
    LMDBReader,
    TextLineReader,
    TFRecordReader,
    WholeFileReader,
)
from .ops.io.readers import Reader as ReaderBase
from .messages import (
    AttrValue,
    ConfigProto,
    Event,
    GPUOptions,
    GraphDef,
    GraphOptions,
    HistogramProto,
    LogMessage,
    MetaGraphDef,
    NameAttrList,
    NodeDef,
    OptimizerOptions,
    RunMetadata,
    RunOptions,
    SessionLog,
    Summary,
    SummaryMetadata,
    TensorInfo,
)
from .ops.ragged.ragged_tensor import RaggedTensor
from .ops.rnn import raw_rnn as _raw_rnn
from .ops.rnn import rnn
from . import rnn_cell
from .training import input_checkpoints as _input_checkpoints
from .training import train_loop as _train_loop
from .training.scaffold import tables_initializer
from .session.session import InteractiveSession, Session
from .ops.data_flow.staging import Barrier
from .session.handles import delete_session_tensor, get_session_handle, get_session_tensor
from .graph.tensor_shape import Dimension, TensorShape, dimension_at_index, dimension_value
from .ops.state.variable_scope import (
    AUTO_REUSE,
    VariableScope,
    get_local_variable,
    get_variable,
    get_variable_scope,
    no_regularizer,
    variable_op_scope,
    variable_scope,
)
from .ops.state.templates import make_template
from .ops.state.initializing import (
    assert_variables_initialized,
    global_variables_initializer,
    initialize_all_variables,
    is_variable_initialized,
    local_variables_initializer,
    report_uninitialized_variables,
    variables_initializer,
)
from .ops.state.kinds import (
    VariableAggregation,
    VariableSynchronization,
    disable_resource_variables,
    enable_resource_variables,
    resource_variables_enabled,
)
from .ops.state.listing import (
    all_variables,
    global_variables,
    local_variables,
    model_variables,
    moving_average_variables,
    trainable_variables,
)
from .ops.state.scatter import (
    batch_scatter_update,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)
from .ops.state.module import Module
from .ops.state.updates import assign, assign_add, assign_sub, count_up_to
from .ops.state.variables import Variable, variable_creator_scope

_this = _sys.modules[__name__]
_package = _sys.modules[__package__]
get_logger = logging.get_logger
audio = _modules.make(
    "audio",
    "Sounds as the bytes of WAV files.",
    {name: getattr(_audio, name) for name in _audio.__all__},
)
python_io = _modules.make(
    "python_io",
    "TFRecord files of this machine.",
    {name: getattr(_records, name) for name in _records.__all__ if name != "summary_iterator"},
)
flags = _modules.make(
    "flags",
    "Flags of the command line: defined by name, read as attributes of FLAGS.",
    {name: getattr(_flags, name) for name in _flags.__all__},
)
app = _modules.make("app", "How a program begins.", {"flags": flags, "run": _app.run})
resource_loader = _modules.make(
    "resource_loader",
    "Paths of the files beside a program.",
    {name: getattr(_resource_loader, name) for name in _resource_loader.__all__},
)
graph_util = _modules.make(
    "graph_util",
    "Parts of GraphDefs, and GraphDefs without variables.",
    {
        "import_graph_def": import_graph_def,
        **{name: getattr(_frozen, name) for name in _frozen.__all__},
    },
)
queue = _modules.make("queue", "Queues of tensors, which a task holds between steps.", {})
_also, _put_at = _modules.add, _modules.put_at


_also(nn, "bidirectional_dynamic_rnn dynamic_rnn static_bidirectional_rnn static_rnn", rnn)
_also(nn, "raw_rnn static_state_saving_rnn", _raw_rnn)
_also(nn, "with_space_to_batch", _dilation)
_also(nn, " ".join(_quantized.__all__), _quantized)
_also(nn, "compute_average_loss scale_regularization_loss", distribute.losses)
_also(math, "l2_normalize log_softmax softmax", nn)
_also(random, "all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_"
      "sampler log_uniform_candidate_sampler uniform_candidate_sampler", nn)  # fmt: skip
_QUEUES = "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue"
_also(queue, _QUEUES, _this)
_also(io, "PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue", _this)
_also(io, "write_graph", train)
_also(io, " ".join(python_io.__all__), _records)
_also(io, "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_png"
      " encode_jpeg extract_jpeg_shape is_jpeg", image)  # fmt: skip
_also(sparse, "SparseConditionalAccumulator", _this)
_also(sparse, "matmul=sparse_dense_matmul", sparse)
_also(
    initializers,
    "global_variables=global_variables_initializer tables_initializer"
    " local_variables=local_variables_initializer variables=variables_initializer",
    _this,
)
_also(summary, "Event SessionLog Summary", _this)
_also(io, "gfile", _this)
_also(dtypes, "as_string bool cast complex saturate_cast", _this)
_also(nn, "rnn_cell", _this)
_also(train, "queue_runner=train", _this)
_put_at("io.gfile", gfile)
_put_at("nn.rnn_cell", rnn_cell)
_also(train, "basic_train_loop", _train_loop)
_also(data.experimental, "CheckpointInputPipelineHook", _input_checkpoints)
_also(contrib.data, "CheckpointInputPipelineHook", _input_checkpoints)

compat.v1 = _package
compat.v2 = _later.make(_package, _this, "sluice.compat.v2")
compat.__all__ += ["v1", "v2"]

_public_modules = (
    app, audio, autograph, autograph.experimental, bitwise, compat, config, *config.MODULES,
    contrib, *contrib.MODULES, data, data.experimental,
    _this.debugging, distribute, *distribute.MODULES, distributions, dtypes, errors, estimator,
    *estimator.MODULES, feature_column, flags, gfile, graph_util, hvd, image, initializers, io,
    keras, *keras.MODULES, layers, linalg, logging, lookup, lookup.experimental, losses,
    _this.manip, math, metrics, nest, nn, python_io, quantization, queue, ragged, random, raw_ops,
    resource_loader, rnn_cell, saved_model,
    *_SAVED_MODEL_MODULES, sets, signal, sparse, _this.spectral, strings, summary, test, train,  # noqa: F405
    train.experimental, version,  # noqa: F405
)  # fmt: skip
# Names that programs may use and that 1.15 has elsewhere, or not at all.
_NOT_SHOWN = """
    Queue assert_shapes bessel_i0 bessel_i0e bessel_i1 bessel_i1e convert_to_dense
    cumulative_logsumexp divide_no_nan in_top_k logdet lu mul multiply_no_nan neg nextafter polyval
    reciprocal_no_nan reduce_euclidean_norm reduce_std reduce_variance rnn_cell searchsorted_left
    searchsorted_right softplus softsign sparse_expand_dims string_length sub top_k xdivy xlogy
""".split()
_package.__all__ = [
    name
    for name, value in globals().items()
    if not name.startswith("_")
    and name not in _NOT_SHOWN
    and (not isinstance(value, _ModuleType) or value in _public_modules)
]
for _module in (*_public_modules, _package):
    _modules.show_public_names(_module)
    _absent.guard(_module, _module.__name__[len(__package__) + 1 :])
