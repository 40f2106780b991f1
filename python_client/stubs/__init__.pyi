# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as _DType
AUTO_REUSE: _Any
from sluice.ops.differentiate import AggregationMethod as AggregationMethod
from sluice.ops.debug.checks import Assert as Assert
from sluice.messages import AttrValue as AttrValue
from sluice.ops.data_flow.staging import Barrier as Barrier
COMPILER_VERSION: _Any
from sluice.ops.data_flow.accumulators import ConditionalAccumulator as ConditionalAccumulator
from sluice.messages import ConfigProto as ConfigProto
from sluice.session.cluster import Credentials as Credentials
from sluice.ops.data_flow.critical_section import CriticalSection as CriticalSection
from sluice.dtypes import DType as DType
from sluice.ops.functions.defun import Defun as Defun
from sluice.graph.device_spec import DeviceSpec as DeviceSpec
from sluice.graph.tensor_shape import Dimension as Dimension
from sluice.messages import Event as Event
from sluice.ops.data_flow.queues import FIFOQueue as FIFOQueue
from sluice.ops.parsing.features import FixedLenFeature as FixedLenFeature
from sluice.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from sluice.ops.io.readers import FixedLengthRecordReader as FixedLengthRecordReader
GIT_VERSION: _Any
from sluice.messages import GPUOptions as GPUOptions
GRAPH_DEF_VERSION: _Any
GRAPH_DEF_VERSION_MIN_CONSUMER: _Any
GRAPH_DEF_VERSION_MIN_PRODUCER: _Any
from sluice.ops.gradient_tape import GradientTape as GradientTape
from sluice.graph.graph import Graph as Graph
from sluice.messages import GraphDef as GraphDef
from sluice.graph.keys import GraphKeys as GraphKeys
from sluice.messages import GraphOptions as GraphOptions
from sluice.messages import HistogramProto as HistogramProto
from sluice.ops.io.readers import IdentityReader as IdentityReader
from sluice.graph.elements import IndexedSlices as IndexedSlices
from sluice.graph.elements import IndexedSlicesValue as IndexedSlicesValue
from sluice.session.session import InteractiveSession as InteractiveSession
from sluice.ops.io.readers import LMDBReader as LMDBReader
from sluice.messages import LogMessage as LogMessage
from sluice.messages import MetaGraphDef as MetaGraphDef
from sluice.ops.state.module import Module as Module
from sluice.messages import NameAttrList as NameAttrList
from sluice.ops.gradient_overrides import NotDifferentiable as _ops_gradient_overrides_NotDifferentiable
NoGradient = _ops_gradient_overrides_NotDifferentiable
from sluice.messages import NodeDef as NodeDef
from sluice.ops.gradient_overrides import NotDifferentiable as NotDifferentiable
from sluice.errors import OpError as OpError
from sluice.graph.elements import Operation as Operation
from sluice.messages import OptimizerOptions as OptimizerOptions
from sluice.data.optional import OptionalSpec as OptionalSpec
from sluice.ops.data_flow.queues import PaddingFIFOQueue as PaddingFIFOQueue
from sluice.ops.state.partitioned import PartitionedVariable as PartitionedVariable
from sluice.ops.debug.checks import Print as Print
from sluice.ops.data_flow.queues import PriorityQueue as PriorityQueue
QUANTIZED_DTYPES: _Any
from sluice.ops.data_flow.queues import Queue as Queue
from sluice.ops.data_flow.queues import Queue as _ops_data_flow_queues_Queue
QueueBase = _ops_data_flow_queues_Queue
from sluice.ops.ragged.ragged_tensor import RaggedTensor as RaggedTensor
from sluice.data.ragged import RaggedTensorSpec as RaggedTensorSpec
from sluice.ops.data_flow.queues import RandomShuffleQueue as RandomShuffleQueue
from sluice.ops.io.readers import Reader as _ops_io_readers_Reader
ReaderBase = _ops_io_readers_Reader
from sluice.ops.gradient_overrides import RegisterGradient as RegisterGradient
from sluice.messages import RunMetadata as RunMetadata
from sluice.messages import RunOptions as RunOptions
from sluice.session.session import Session as Session
from sluice.messages import SessionLog as SessionLog
from sluice.ops.data_flow.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from sluice.ops.parsing.features import SparseFeature as SparseFeature
from sluice.ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from sluice.data.specs import SparseTensorSpec as SparseTensorSpec
from sluice.ops.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from sluice.messages import Summary as Summary
from sluice.messages import SummaryMetadata as SummaryMetadata
from sluice.ops.io.readers import TFRecordReader as TFRecordReader
from sluice.graph.elements import Tensor as Tensor
from sluice.ops.list.tensor_array import TensorArray as TensorArray
from sluice.messages import TensorInfo as TensorInfo
from sluice.graph.tensor_shape import TensorShape as TensorShape
from sluice.ops.functions.specs import TensorSpec as TensorSpec
from sluice.ops.io.readers import TextLineReader as TextLineReader
from sluice.ops.differentiate import UnconnectedGradients as UnconnectedGradients
VERSION: _Any
from sluice.ops.parsing.features import VarLenFeature as VarLenFeature
Variable: _Any
from sluice.ops.state.kinds import VariableAggregation as VariableAggregation
from sluice.ops.state.variable_scope import VariableScope as VariableScope
from sluice.ops.state.kinds import VariableSynchronization as VariableSynchronization
from sluice.ops.io.readers import WholeFileReader as WholeFileReader
from sluice.ops.math.complex_numbers import abs as abs
from sluice.ops.math.arithmetic import accumulate_n as accumulate_n
from sluice.ops.math.elementary import acos as acos
from sluice.ops.math.elementary import acosh as acosh
from sluice.ops.math.arithmetic import add as add
from sluice.ops.debug.assertions import add_check_numerics_ops as add_check_numerics_ops
from sluice.ops.math.arithmetic import add_n as add_n
from sluice.graph.default_graph import add_to_collection as add_to_collection
from sluice.graph.default_graph import add_to_collections as add_to_collections
from sluice.ops.state.listing import all_variables as all_variables
from sluice.ops.math.complex_numbers import angle as angle
from sluice import app as app
from sluice.ops.math.ranking import arg_max as arg_max
from sluice.ops.math.ranking import arg_min as arg_min
from sluice.ops.math.ranking import argmax as argmax
from sluice.ops.math.ranking import argmin as argmin
from sluice.older_names import argsort as argsort
from sluice.dtypes import as_dtype as as_dtype
from sluice.ops.strings.strings import as_string as as_string
from sluice.ops.math.elementary import asin as asin
from sluice.ops.math.elementary import asinh as asinh
from sluice.ops.debug.assertions import assert_equal as assert_equal
from sluice.ops.debug.assertions import assert_greater as assert_greater
from sluice.ops.debug.assertions import assert_greater_equal as assert_greater_equal
from sluice.ops.debug.assertions import assert_integer as assert_integer
from sluice.ops.debug.assertions import assert_less as assert_less
from sluice.ops.debug.assertions import assert_less_equal as assert_less_equal
from sluice.ops.debug.assertions import assert_near as assert_near
from sluice.ops.debug.assertions import assert_negative as assert_negative
from sluice.ops.debug.assertions import assert_non_negative as assert_non_negative
from sluice.ops.debug.assertions import assert_non_positive as assert_non_positive
from sluice.ops.debug.assertions import assert_none_equal as assert_none_equal
from sluice.ops.debug.assertions import assert_positive as assert_positive
from sluice.ops.debug.assertions import assert_proper_iterable as assert_proper_iterable
from sluice.ops.debug.assertions import assert_rank as assert_rank
from sluice.ops.debug.assertions import assert_rank_at_least as assert_rank_at_least
from sluice.ops.debug.assertions import assert_rank_in as assert_rank_in
from sluice.ops.debug.assertions import assert_same_float_dtype as assert_same_float_dtype
from sluice.ops.debug.assertions import assert_scalar as assert_scalar
from sluice.ops.debug.shape_assertions import assert_shapes as assert_shapes
from sluice.ops.debug.assertions import assert_type as assert_type
from sluice.ops.state.initializing import assert_variables_initialized as assert_variables_initialized
from sluice.ops.state.updates import assign as assign
from sluice.ops.state.updates import assign_add as assign_add
from sluice.ops.state.updates import assign_sub as assign_sub
from sluice.ops.math.elementary import atan as atan
from sluice.ops.math.elementary import atan2 as atan2
from sluice.ops.math.elementary import atanh as atanh
from sluice import audio as audio
from sluice import autograph as autograph
from sluice.older_names import batch_gather as batch_gather
from sluice.ops.state.scatter import batch_scatter_update as batch_scatter_update
from sluice.ops.array.blocks import batch_to_space as batch_to_space
from sluice.ops.array.moving import batch_to_space_nd as batch_to_space_nd
from sluice.ops.math.special import bessel_i0 as bessel_i0
from sluice.ops.math.special import bessel_i0e as bessel_i0e
from sluice.ops.math.special import bessel_i1 as bessel_i1
from sluice.ops.math.special import bessel_i1e as bessel_i1e
from sluice.ops.math.special import betainc as betainc
bfloat16: _DType
from sluice.ops.math.counting import bincount as bincount
from sluice.ops.array.casting import bitcast as bitcast
from sluice import bitwise as bitwise
bool: _DType
from sluice.ops.array.selecting import boolean_mask as boolean_mask
from sluice.ops.array.shapes import broadcast_dynamic_shape as broadcast_dynamic_shape
from sluice.ops.array.shapes import broadcast_static_shape as broadcast_static_shape
from sluice.ops.array.shaping import broadcast_to as broadcast_to
from sluice.ops.functions.loops import case as case
from sluice.ops.array.casting import cast as cast
from sluice.ops.math.rounding import ceil as ceil
from sluice.ops.debug.checks import check_numerics as check_numerics
from sluice.ops.linalg.decompositions import cholesky as cholesky
from sluice.ops.linalg.solving import cholesky_solve as cholesky_solve
from sluice.ops.math.clipping import clip_by_average_norm as clip_by_average_norm
from sluice.ops.math.clipping import clip_by_global_norm as clip_by_global_norm
from sluice.ops.math.clipping import clip_by_norm as clip_by_norm
from sluice.ops.math.rounding import clip_by_value as clip_by_value
from sluice.graph.default_graph import colocate_with as colocate_with
from sluice import compat as compat
from sluice.ops.math.complex_numbers import complex as complex
complex128: _DType
complex64: _DType
from sluice.ops.array.joining import concat as concat
from sluice.ops.functions.cond_and_while import cond as cond
from sluice import config as config
from sluice.ops.nn.confusion import confusion_matrix as confusion_matrix
from sluice.ops.math.complex_numbers import conj as conj
from sluice.graph.convert import constant as constant
from sluice.ops.state.initializers import constant as _ops_state_initializers_constant
constant_initializer = _ops_state_initializers_constant
from sluice.graph.default_graph import container as container
from sluice import contrib as contrib
from sluice.graph.default_graph import control_dependencies as control_dependencies
from sluice.older_names import control_flow_v2_enabled as control_flow_v2_enabled
from sluice.ops.differentiate import convert_to_dense as convert_to_dense
from sluice.graph.convert import convert_to_tensor as convert_to_tensor
from sluice.older_names import convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices
from sluice.older_names import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from sluice.ops.math.elementary import cos as cos
from sluice.ops.math.elementary import cosh as cosh
from sluice.ops.math.reductions import count_nonzero as count_nonzero
from sluice.ops.state.updates import count_up_to as count_up_to
from sluice.older_names import create_partitioned_variables as create_partitioned_variables
from sluice.ops.math.products import cross as cross
from sluice.ops.math.scans import cumprod as cumprod
from sluice.ops.math.scans import cumsum as cumsum
from sluice.ops.math.scans import cumulative_logsumexp as cumulative_logsumexp
from sluice.ops.state.custom_gradients import custom_gradient as custom_gradient
from sluice import data as data
from sluice import debugging as debugging
from sluice.ops.strings.binary import decode_base64 as decode_base64
from sluice.ops.parsing.records import decode_compressed as decode_compressed
from sluice.ops.parsing.records import decode_csv as decode_csv
from sluice.ops.parsing.records import decode_json_example as decode_json_example
from sluice.ops.strings.binary import decode_raw as decode_raw
from sluice.session.handles import delete_session_tensor as delete_session_tensor
from sluice.ops.array.blocks import depth_to_space as depth_to_space
from sluice.ops.quantized.quantization import dequantize as dequantize
from sluice.ops.sparse.serialization import deserialize_many_sparse as deserialize_many_sparse
from sluice.graph.default_graph import device as device
from sluice.ops.array.diagonals import tensor_diag as _ops_array_diagonals_tensor_diag
diag = _ops_array_diagonals_tensor_diag
from sluice.ops.array.diagonals import tensor_diag_part as _ops_array_diagonals_tensor_diag_part
diag_part = _ops_array_diagonals_tensor_diag_part
from sluice.ops.math.special import digamma as digamma
from sluice.graph.tensor_shape import dimension_at_index as dimension_at_index
from sluice.graph.tensor_shape import dimension_value as dimension_value
from sluice.older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_control_flow_v2 = _older_names_enable_control_flow_v2
from sluice.older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_eager_execution = _older_names_enable_control_flow_v2
from sluice.ops.state.kinds import disable_resource_variables as disable_resource_variables
from sluice.older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_tensor_equality = _older_names_enable_control_flow_v2
from sluice.older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_v2_behavior = _older_names_enable_control_flow_v2
from sluice.older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_v2_tensorshape = _older_names_enable_control_flow_v2
from sluice import distribute as distribute
from sluice import distributions as distributions
from sluice.ops.math.arithmetic import div as div
from sluice.ops.math.arithmetic import divide_no_nan as _ops_math_arithmetic_divide_no_nan
div_no_nan = _ops_math_arithmetic_divide_no_nan
from sluice.ops.math.arithmetic import divide as divide
from sluice.ops.math.arithmetic import divide_no_nan as divide_no_nan
double: _DType
from sluice import dtypes as dtypes
from sluice.ops.array.cutting import dynamic_partition as dynamic_partition
from sluice.ops.array.joining import dynamic_stitch as dynamic_stitch
from sluice.ops.sparse.arithmetic import edit_distance as edit_distance
from sluice.ops.linalg.products import einsum as einsum
from sluice.older_names import enable_control_flow_v2 as enable_control_flow_v2
from sluice.ops.state.kinds import enable_resource_variables as enable_resource_variables
from sluice.ops.strings.binary import encode_base64 as encode_base64
from sluice.ops.array.shapes import ensure_shape as ensure_shape
from sluice.ops.math.comparison import equal as equal
from sluice.ops.math.special import erf as erf
from sluice.ops.math.special import erfc as erfc
from sluice import errors as errors
from sluice import estimator as estimator
from sluice.older_names import executing_eagerly as executing_eagerly
from sluice.ops.math.elementary import exp as exp
from sluice.ops.array.shaping import expand_dims as expand_dims
from sluice.ops.math.elementary import expm1 as expm1
from sluice.ops.image.patches import extract_image_patches as extract_image_patches
from sluice.ops.image.patches import extract_volume_patches as extract_volume_patches
from sluice.ops.array.diagonals import eye as eye
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from sluice import feature_column as feature_column
from sluice.ops.signal.signal import fft as fft
from sluice.ops.signal.signal import fft2d as fft2d
from sluice.ops.signal.signal import fft3d as fft3d
from sluice.ops.array.filling import fill as fill
from sluice.ops.strings.strings import fingerprint as fingerprint
from sluice.ops.state.partitioned import fixed_size_partitioner as fixed_size_partitioner
from sluice import flags as flags
float16: _DType
float32: _DType
float64: _DType
from sluice.ops.math.rounding import floor as floor
from sluice.ops.math.arithmetic import floordiv as _ops_math_arithmetic_floordiv
floor_div = _ops_math_arithmetic_floordiv
from sluice.ops.math.arithmetic import floordiv as floordiv
from sluice.ops.math.arithmetic import mod as _ops_math_arithmetic_mod
floormod = _ops_math_arithmetic_mod
from sluice.ops.functions.loops import foldl as foldl
from sluice.ops.functions.loops import foldr as foldr
from sluice.ops.functions.functions import function as function
from sluice.ops.array.indexing import gather as gather
from sluice.ops.array.indexing import gather_nd as gather_nd
from sluice.graph.default_graph import get_collection as get_collection
from sluice.graph.default_graph import get_collection_ref as get_collection_ref
from sluice.graph.default_graph import get_default_graph as get_default_graph
from sluice.graph.defaults import get_default_session as get_default_session
from sluice.ops.state.variable_scope import get_local_variable as get_local_variable
from sluice.logging import get_logger as get_logger
from sluice.graph.seeds import get_seed as get_seed
from sluice.session.handles import get_session_handle as get_session_handle
from sluice.session.handles import get_session_tensor as get_session_tensor
from sluice.older_names import get_static_value as get_static_value
from sluice.ops.state.variable_scope import get_variable as get_variable
from sluice.ops.state.variable_scope import get_variable_scope as get_variable_scope
from sluice import gfile as gfile
from sluice.ops.math.clipping import global_norm as global_norm
from sluice.ops.state.listing import global_variables as global_variables
from sluice.ops.state.initializing import global_variables_initializer as global_variables_initializer
from sluice.ops.state.initializers import glorot_normal as _ops_state_initializers_glorot_normal
glorot_normal_initializer = _ops_state_initializers_glorot_normal
from sluice.ops.state.initializers import glorot_uniform as _ops_state_initializers_glorot_uniform
glorot_uniform_initializer = _ops_state_initializers_glorot_uniform
from sluice.ops.state.custom_gradients import grad_pass_through as grad_pass_through
from sluice.ops.differentiate import gradients as gradients
from sluice import graph_util as graph_util
from sluice.ops.math.comparison import greater as greater
from sluice.ops.math.comparison import greater_equal as greater_equal
from sluice.ops.control_flow.grouping import group as group
from sluice.ops.array.passing import guarantee_const as guarantee_const
half: _DType
from sluice.ops.state.initializers import he_normal as _ops_state_initializers_he_normal
he_normal_initializer = _ops_state_initializers_he_normal
from sluice.ops.differentiate import hessians as hessians
from sluice.ops.math.counting import histogram_fixed_width as histogram_fixed_width
from sluice.ops.math.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from sluice import hvd as hvd
from sluice.ops.array.passing import identity as identity
from sluice.ops.array.passing import identity_n as identity_n
from sluice.ops.signal.signal import ifft as ifft
from sluice.ops.signal.signal import ifft2d as ifft2d
from sluice.ops.signal.signal import ifft3d as ifft3d
from sluice.ops.math.special import igamma as igamma
from sluice.ops.math.special import igammac as igammac
from sluice.ops.math.complex_numbers import imag as imag
from sluice import image as image
from sluice.files.graph_io import import_graph_def as import_graph_def
from sluice.ops.nn.ranking import in_top_k as in_top_k
from sluice.ops.functions.lifting import init_scope as init_scope
from sluice.older_names import initialize_all_tables as initialize_all_tables
from sluice.ops.state.initializing import initialize_all_variables as initialize_all_variables
from sluice.older_names import initialize_local_variables as initialize_local_variables
from sluice.older_names import initialize_variables as initialize_variables
from sluice import initializers as initializers
int16: _DType
int32: _DType
int64: _DType
int8: _DType
from sluice.ops.array.moving import invert_permutation as invert_permutation
from sluice import io as io
from sluice.ops.math.comparison import is_finite as is_finite
from sluice.ops.math.comparison import is_inf as is_inf
from sluice.ops.math.comparison import is_nan as is_nan
from sluice.ops.math.ranking import is_non_decreasing as is_non_decreasing
from sluice.ops.debug.assertions import is_numeric_tensor as is_numeric_tensor
from sluice.ops.math.ranking import is_strictly_increasing as is_strictly_increasing
from sluice.older_names import is_tensor as is_tensor
from sluice.ops.state.initializing import is_variable_initialized as is_variable_initialized
from sluice import keras as keras
from sluice import layers as layers
from sluice.ops.math.special import lbeta as lbeta
from sluice.ops.math.comparison import less as less
from sluice.ops.math.comparison import less_equal as less_equal
from sluice.ops.math.special import lgamma as lgamma
from sluice.ops.array.ranges import linspace as _ops_array_ranges_linspace
lin_space = _ops_array_ranges_linspace
from sluice import linalg as linalg
from sluice.ops.array.ranges import linspace as linspace
from sluice.ops.state.listing import local_variables as local_variables
from sluice.ops.state.initializing import local_variables_initializer as local_variables_initializer
from sluice.ops.math.elementary import log as log
from sluice.ops.math.elementary import log1p as log1p
from sluice.ops.math.elementary import log_sigmoid as log_sigmoid
from sluice.ops.linalg.functions import logdet as logdet
from sluice import logging as logging
from sluice.ops.math.comparison import logical_and as logical_and
from sluice.ops.math.comparison import logical_not as logical_not
from sluice.ops.math.comparison import logical_or as logical_or
from sluice.ops.math.comparison import logical_xor as logical_xor
from sluice import lookup as lookup
from sluice import losses as losses
from sluice.ops.linalg.decompositions import lu as lu
from sluice.files.tensors import make_ndarray as make_ndarray
from sluice.ops.state.templates import make_template as make_template
from sluice.files.tensors import make_tensor_proto as make_tensor_proto
from sluice import manip as manip
from sluice.ops.functions.loops import map_fn as map_fn
from sluice.ops.io.io import matching_files as matching_files
from sluice import math as math
from sluice.ops.math.products import matmul as matmul
from sluice.ops.array.diagonals import band_part as _ops_array_diagonals_band_part
matrix_band_part = _ops_array_diagonals_band_part
from sluice.ops.linalg.functions import det as _ops_linalg_functions_det
matrix_determinant = _ops_linalg_functions_det
from sluice.ops.array.diagonals import diag as _ops_array_diagonals_diag
matrix_diag = _ops_array_diagonals_diag
from sluice.ops.array.diagonals import diag_part as _ops_array_diagonals_diag_part
matrix_diag_part = _ops_array_diagonals_diag_part
from sluice.ops.linalg.solving import inv as _ops_linalg_solving_inv
matrix_inverse = _ops_linalg_solving_inv
from sluice.ops.array.diagonals import set_diag as _ops_array_diagonals_set_diag
matrix_set_diag = _ops_array_diagonals_set_diag
from sluice.ops.linalg.solving import solve as _ops_linalg_solving_solve
matrix_solve = _ops_linalg_solving_solve
from sluice.ops.linalg.solving import lstsq as _ops_linalg_solving_lstsq
matrix_solve_ls = _ops_linalg_solving_lstsq
from sluice.ops.linalg.functions import sqrtm as _ops_linalg_functions_sqrtm
matrix_square_root = _ops_linalg_functions_sqrtm
from sluice.ops.linalg.transposing import transpose as _ops_linalg_transposing_transpose
matrix_transpose = _ops_linalg_transposing_transpose
from sluice.ops.linalg.solving import triangular_solve as _ops_linalg_solving_triangular_solve
matrix_triangular_solve = _ops_linalg_solving_triangular_solve
from sluice.ops.math.arithmetic import maximum as maximum
from sluice.ops.array.filling import meshgrid as meshgrid
from sluice import metrics as metrics
from sluice.ops.state.partitioned import min_max_variable_partitioner as min_max_variable_partitioner
from sluice.ops.math.arithmetic import minimum as minimum
from sluice.ops.math.arithmetic import mod as mod
from sluice.ops.state.listing import model_variables as model_variables
from sluice.ops.state.listing import moving_average_variables as moving_average_variables
from sluice.ops.math.arithmetic import multiply as _ops_math_arithmetic_multiply
mul = _ops_math_arithmetic_multiply
from sluice.ops.random.random import multinomial as multinomial
from sluice.ops.math.arithmetic import multiply as multiply
from sluice.ops.math.arithmetic import multiply_no_nan as multiply_no_nan
from sluice.graph.default_graph import name_scope as name_scope
from sluice.ops.math.arithmetic import negative as _ops_math_arithmetic_negative
neg = _ops_math_arithmetic_negative
from sluice.ops.math.arithmetic import negative as negative
from sluice import nest as nest
newaxis: _Any
from sluice.ops.math.arithmetic import nextafter as nextafter
from sluice import nn as nn
from sluice.ops.gradient_overrides import NotDifferentiable as _ops_gradient_overrides_NotDifferentiable
no_gradient = _ops_gradient_overrides_NotDifferentiable
from sluice.ops.control_flow.grouping import no_op as no_op
from sluice.ops.state.variable_scope import no_regularizer as no_regularizer
from sluice.ops.linalg.norms import norm as norm
from sluice.ops.math.comparison import not_equal as not_equal
from sluice.ops.functions.py_func import numpy_function as numpy_function
from sluice.ops.array.selecting import one_hot as one_hot
from sluice.ops.array.filling import ones as ones
from sluice.ops.state.initializers import ones as _ops_state_initializers_ones
ones_initializer = _ops_state_initializers_ones
from sluice.ops.array.filling import ones_like as ones_like
from sluice.graph.default_graph import op_scope as op_scope
from sluice.ops.state.initializers import orthogonal as _ops_state_initializers_orthogonal
orthogonal_initializer = _ops_state_initializers_orthogonal
from sluice.ops.array.shaping import pad as pad
from sluice.ops.array.joining import parallel_stack as parallel_stack
from sluice.ops.parsing.examples import parse_example as parse_example
from sluice.ops.parsing.examples import parse_single_example as parse_single_example
from sluice.ops.parsing.sequences import parse_single_sequence_example as parse_single_sequence_example
from sluice.ops.parsing.records import parse_tensor as parse_tensor
from sluice.graph.convert import placeholder as placeholder
from sluice.ops.array.passing import placeholder_with_default as placeholder_with_default
from sluice.ops.math.special import polygamma as polygamma
from sluice.ops.math.elementary import polyval as polyval
from sluice.ops.math.arithmetic import pow as pow
from sluice.ops.strings.strings import print_v2 as _ops_strings_strings_print_v2
print = _ops_strings_strings_print_v2
from sluice.ops.functions.py_func import py_func as py_func
from sluice.session.py_function import py_function as py_function
from sluice import python_io as python_io
qint16: _DType
qint32: _DType
qint8: _DType
from sluice.ops.linalg.decompositions import qr as qr
from sluice import quantization as quantization
from sluice.ops.quantized.quantization import quantize as quantize
from sluice.ops.quantized.quantization import quantize_v2 as quantize_v2
from sluice.ops.quantized.quantization import quantized_concat as quantized_concat
from sluice import queue as queue
quint16: _DType
quint8: _DType
from sluice import ragged as ragged
from sluice import random as random
from sluice.ops.random.random import random_crop as random_crop
from sluice.ops.random.random import gamma as _ops_random_random_gamma
random_gamma = _ops_random_random_gamma
from sluice.ops.random.random import normal as _ops_random_random_normal
random_normal = _ops_random_random_normal
from sluice.ops.state.initializers import random_normal as _ops_state_initializers_random_normal
random_normal_initializer = _ops_state_initializers_random_normal
from sluice.ops.random.random import poisson as _ops_random_random_poisson
random_poisson = _ops_random_random_poisson
from sluice.ops.random.random import shuffle as _ops_random_random_shuffle
random_shuffle = _ops_random_random_shuffle
from sluice.ops.random.random import uniform as _ops_random_random_uniform
random_uniform = _ops_random_random_uniform
from sluice.ops.state.initializers import random_uniform as _ops_state_initializers_random_uniform
random_uniform_initializer = _ops_state_initializers_random_uniform
from sluice.ops.array.ranges import range as range
from sluice.ops.array.shapes import rank as rank
from sluice import raw_ops as raw_ops
from sluice.ops.io.io import read_file as read_file
from sluice.ops.math.complex_numbers import real as real
from sluice.ops.math.arithmetic import realdiv as realdiv
from sluice.ops.math.arithmetic import reciprocal as reciprocal
from sluice.ops.math.arithmetic import reciprocal_no_nan as reciprocal_no_nan
from sluice.ops.state.custom_gradients import recompute_grad as recompute_grad
from sluice.ops.math.reductions import reduce_all as reduce_all
from sluice.ops.math.reductions import reduce_any as reduce_any
from sluice.ops.math.reductions import reduce_euclidean_norm as reduce_euclidean_norm
from sluice.ops.strings.strings import reduce_join as reduce_join
from sluice.ops.math.reductions import reduce_logsumexp as reduce_logsumexp
from sluice.ops.math.reductions import reduce_max as reduce_max
from sluice.ops.math.reductions import reduce_mean as reduce_mean
from sluice.ops.math.reductions import reduce_min as reduce_min
from sluice.ops.math.reductions import reduce_prod as reduce_prod
from sluice.ops.math.reductions import reduce_std as reduce_std
from sluice.ops.math.reductions import reduce_sum as reduce_sum
from sluice.ops.math.reductions import reduce_variance as reduce_variance
from sluice.ops.strings.strings import regex_replace as regex_replace
from sluice.graph.convert import register_tensor_conversion_function as register_tensor_conversion_function
from sluice.older_names import repeat as repeat
from sluice.ops.state.initializing import report_uninitialized_variables as report_uninitialized_variables
from sluice.ops.nn.dilation import required_space_to_batch_paddings as required_space_to_batch_paddings
from sluice.graph.default_graph import reset_default_graph as reset_default_graph
from sluice.ops.array.shaping import reshape as reshape
resource: _DType
from sluice import resource_loader as resource_loader
from sluice.ops.state.kinds import resource_variables_enabled as resource_variables_enabled
from sluice.ops.array.moving import reverse as reverse
from sluice.ops.array.moving import reverse_sequence as reverse_sequence
from sluice.ops.array.moving import reverse as _ops_array_moving_reverse
reverse_v2 = _ops_array_moving_reverse
from sluice.ops.math.rounding import rint as rint
from sluice.ops.array.moving import roll as roll
from sluice.ops.math.rounding import round as round
from sluice.ops.math.arithmetic import rsqrt as rsqrt
from sluice.ops.array.casting import saturate_cast as saturate_cast
from sluice import saved_model as saved_model
from sluice.ops.math.arithmetic import scalar_mul as scalar_mul
from sluice.ops.functions.loops import scan as scan
from sluice.ops.state.scatter import scatter_add as scatter_add
from sluice.ops.state.scatter import scatter_div as scatter_div
from sluice.ops.state.scatter import scatter_max as scatter_max
from sluice.ops.state.scatter import scatter_min as scatter_min
from sluice.ops.state.scatter import scatter_mul as scatter_mul
from sluice.ops.array.indexing import scatter_nd as scatter_nd
from sluice.ops.state.scatter import scatter_nd_add as scatter_nd_add
from sluice.ops.state.scatter import scatter_nd_sub as scatter_nd_sub
from sluice.ops.state.scatter import scatter_nd_update as scatter_nd_update
from sluice.ops.state.scatter import scatter_sub as scatter_sub
from sluice.ops.state.scatter import scatter_update as scatter_update
from sluice.ops.array.searching import searchsorted as searchsorted
from sluice.ops.array.searching import searchsorted_left as searchsorted_left
from sluice.ops.array.searching import searchsorted_right as searchsorted_right
from sluice.ops.math.segments import segment_max as segment_max
from sluice.ops.math.segments import segment_mean as segment_mean
from sluice.ops.math.segments import segment_min as segment_min
from sluice.ops.math.segments import segment_prod as segment_prod
from sluice.ops.math.segments import segment_sum as segment_sum
from sluice.ops.linalg.decompositions import eigh as _ops_linalg_decompositions_eigh
self_adjoint_eig = _ops_linalg_decompositions_eigh
from sluice.ops.linalg.decompositions import eigvalsh as _ops_linalg_decompositions_eigvalsh
self_adjoint_eigvals = _ops_linalg_decompositions_eigvalsh
from sluice.ops.array.selecting import sequence_mask as sequence_mask
from sluice.ops.sparse.serialization import serialize_many_sparse as serialize_many_sparse
from sluice.ops.sparse.serialization import serialize_sparse as serialize_sparse
from sluice.ops.parsing.records import serialize_tensor as serialize_tensor
from sluice.graph.seeds import set_random_seed as set_random_seed
from sluice.ops.array.searching import setdiff1d as setdiff1d
from sluice import sets as sets
from sluice.ops.array.shapes import shape as shape
from sluice.ops.array.shapes import shape_n as shape_n
from sluice.ops.math.elementary import sigmoid as sigmoid
from sluice.ops.math.arithmetic import sign as sign
from sluice import signal as signal
from sluice.ops.math.elementary import sin as sin
from sluice.ops.math.elementary import sinh as sinh
from sluice.ops.array.shapes import size as size
from sluice.ops.array.cutting import slice as slice
from sluice.ops.math.elementary import softplus as softplus
from sluice.ops.math.elementary import softsign as softsign
from sluice.older_names import sort as sort
from sluice.ops.array.blocks import space_to_batch as space_to_batch
from sluice.ops.array.moving import space_to_batch_nd as space_to_batch_nd
from sluice.ops.array.blocks import space_to_depth as space_to_depth
from sluice import sparse as sparse
from sluice.ops.sparse.sparse_tensor import add as _ops_sparse_sparse_tensor_add
sparse_add = _ops_sparse_sparse_tensor_add
from sluice.ops.sparse.rearranging import concat as _ops_sparse_rearranging_concat
sparse_concat = _ops_sparse_rearranging_concat
from sluice.ops.sparse.rearranging import expand_dims as _ops_sparse_rearranging_expand_dims
sparse_expand_dims = _ops_sparse_rearranging_expand_dims
from sluice.ops.sparse.rearranging import fill_empty_rows as _ops_sparse_rearranging_fill_empty_rows
sparse_fill_empty_rows = _ops_sparse_rearranging_fill_empty_rows
from sluice.ops.sparse.rearranging import mask as _ops_sparse_rearranging_mask
sparse_mask = _ops_sparse_rearranging_mask
from sluice.ops.math.products import sparse_matmul as sparse_matmul
from sluice.ops.sparse.arithmetic import maximum as _ops_sparse_arithmetic_maximum
sparse_maximum = _ops_sparse_arithmetic_maximum
from sluice.ops.sparse.rearranging import merge as _ops_sparse_rearranging_merge
sparse_merge = _ops_sparse_rearranging_merge
from sluice.ops.sparse.arithmetic import minimum as _ops_sparse_arithmetic_minimum
sparse_minimum = _ops_sparse_arithmetic_minimum
from sluice.ops.sparse.sparse_tensor import placeholder as _ops_sparse_sparse_tensor_placeholder
sparse_placeholder = _ops_sparse_sparse_tensor_placeholder
from sluice.ops.sparse.arithmetic import reduce_max as _ops_sparse_arithmetic_reduce_max
sparse_reduce_max = _ops_sparse_arithmetic_reduce_max
from sluice.ops.sparse.arithmetic import reduce_max_sparse as _ops_sparse_arithmetic_reduce_max_sparse
sparse_reduce_max_sparse = _ops_sparse_arithmetic_reduce_max_sparse
from sluice.ops.sparse.arithmetic import reduce_sum as _ops_sparse_arithmetic_reduce_sum
sparse_reduce_sum = _ops_sparse_arithmetic_reduce_sum
from sluice.ops.sparse.arithmetic import reduce_sum_sparse as _ops_sparse_arithmetic_reduce_sum_sparse
sparse_reduce_sum_sparse = _ops_sparse_arithmetic_reduce_sum_sparse
from sluice.ops.sparse.rearranging import reorder as _ops_sparse_rearranging_reorder
sparse_reorder = _ops_sparse_rearranging_reorder
from sluice.ops.sparse.rearranging import reset_shape as _ops_sparse_rearranging_reset_shape
sparse_reset_shape = _ops_sparse_rearranging_reset_shape
from sluice.ops.sparse.rearranging import reshape as _ops_sparse_rearranging_reshape
sparse_reshape = _ops_sparse_rearranging_reshape
from sluice.ops.sparse.rearranging import retain as _ops_sparse_rearranging_retain
sparse_retain = _ops_sparse_rearranging_retain
from sluice.ops.sparse.segments import segment_mean as _ops_sparse_segments_segment_mean
sparse_segment_mean = _ops_sparse_segments_segment_mean
from sluice.ops.sparse.segments import segment_sqrt_n as _ops_sparse_segments_segment_sqrt_n
sparse_segment_sqrt_n = _ops_sparse_segments_segment_sqrt_n
from sluice.ops.sparse.segments import segment_sum as _ops_sparse_segments_segment_sum
sparse_segment_sum = _ops_sparse_segments_segment_sum
from sluice.ops.sparse.rearranging import slice as _ops_sparse_rearranging_slice
sparse_slice = _ops_sparse_rearranging_slice
from sluice.ops.sparse.arithmetic import softmax as _ops_sparse_arithmetic_softmax
sparse_softmax = _ops_sparse_arithmetic_softmax
from sluice.ops.sparse.rearranging import split as _ops_sparse_rearranging_split
sparse_split = _ops_sparse_rearranging_split
from sluice.ops.sparse.arithmetic import sparse_dense_matmul as _ops_sparse_arithmetic_sparse_dense_matmul
sparse_tensor_dense_matmul = _ops_sparse_arithmetic_sparse_dense_matmul
from sluice.ops.sparse.sparse_tensor import to_dense as _ops_sparse_sparse_tensor_to_dense
sparse_tensor_to_dense = _ops_sparse_sparse_tensor_to_dense
from sluice.older_names import sparse_to_dense as sparse_to_dense
from sluice.ops.sparse.sparse_tensor import to_indicator as _ops_sparse_sparse_tensor_to_indicator
sparse_to_indicator = _ops_sparse_sparse_tensor_to_indicator
from sluice.ops.sparse.rearranging import transpose as _ops_sparse_rearranging_transpose
sparse_transpose = _ops_sparse_rearranging_transpose
from sluice import spectral as spectral
from sluice.ops.array.cutting import split as split
from sluice.ops.math.arithmetic import sqrt as sqrt
from sluice.ops.math.arithmetic import square as square
from sluice.ops.math.arithmetic import squared_difference as squared_difference
from sluice.ops.array.shaping import squeeze as squeeze
from sluice.ops.array.joining import stack as stack
from sluice.ops.array.passing import stop_gradient as stop_gradient
from sluice.ops.array.cutting import strided_slice as strided_slice
string: _DType
from sluice.ops.strings.strings import join as _ops_strings_strings_join
string_join = _ops_strings_strings_join
from sluice.ops.strings.strings import length as _ops_strings_strings_length
string_length = _ops_strings_strings_length
from sluice.ops.strings.strings import string_split as string_split
from sluice.ops.strings.strings import strip as _ops_strings_strings_strip
string_strip = _ops_strings_strings_strip
from sluice.ops.strings.strings import to_hash_bucket as _ops_strings_strings_to_hash_bucket
string_to_hash_bucket = _ops_strings_strings_to_hash_bucket
from sluice.ops.strings.strings import to_hash_bucket_fast as _ops_strings_strings_to_hash_bucket_fast
string_to_hash_bucket_fast = _ops_strings_strings_to_hash_bucket_fast
from sluice.ops.strings.strings import to_hash_bucket_strong as _ops_strings_strings_to_hash_bucket_strong
string_to_hash_bucket_strong = _ops_strings_strings_to_hash_bucket_strong
from sluice.ops.strings.strings import to_number as _ops_strings_strings_to_number
string_to_number = _ops_strings_strings_to_number
from sluice import strings as strings
from sluice.ops.math.arithmetic import subtract as _ops_math_arithmetic_subtract
sub = _ops_math_arithmetic_subtract
from sluice.ops.strings.strings import substr as substr
from sluice.ops.math.arithmetic import subtract as subtract
from sluice import summary as summary
from sluice.ops.linalg.decompositions import svd as svd
from sluice.ops.functions.loops import switch_case as switch_case
from sluice.training.scaffold import tables_initializer as tables_initializer
from sluice.ops.math.elementary import tan as tan
from sluice.ops.math.elementary import tanh as tanh
from sluice.ops.array.indexing import tensor_scatter_add as tensor_scatter_add
from sluice.ops.array.indexing import tensor_scatter_add as _ops_array_indexing_tensor_scatter_add
tensor_scatter_nd_add = _ops_array_indexing_tensor_scatter_add
from sluice.ops.array.indexing import tensor_scatter_sub as _ops_array_indexing_tensor_scatter_sub
tensor_scatter_nd_sub = _ops_array_indexing_tensor_scatter_sub
from sluice.ops.array.indexing import tensor_scatter_update as _ops_array_indexing_tensor_scatter_update
tensor_scatter_nd_update = _ops_array_indexing_tensor_scatter_update
from sluice.ops.array.indexing import tensor_scatter_sub as tensor_scatter_sub
from sluice.ops.array.indexing import tensor_scatter_update as tensor_scatter_update
from sluice.ops.linalg.contraction import tensordot as tensordot
from sluice import test as test
from sluice.ops.array.shaping import tile as tile
from sluice.older_names import timestamp as timestamp
from sluice.older_names import to_bfloat16 as to_bfloat16
from sluice.older_names import to_complex128 as to_complex128
from sluice.older_names import to_complex64 as to_complex64
from sluice.older_names import to_double as to_double
from sluice.older_names import to_float as to_float
from sluice.older_names import to_int32 as to_int32
from sluice.older_names import to_int64 as to_int64
from sluice.ops.nn.ranking import top_k as top_k
from sluice.ops.linalg.functions import trace as trace
from sluice import train as train
from sluice.ops.state.listing import trainable_variables as trainable_variables
from sluice.ops.array.shaping import transpose as transpose
from sluice.ops.math.arithmetic import truediv as truediv
from sluice.ops.random.random import truncated_normal as truncated_normal
from sluice.ops.state.initializers import truncated_normal as _ops_state_initializers_truncated_normal
truncated_normal_initializer = _ops_state_initializers_truncated_normal
from sluice.ops.math.arithmetic import truncatediv as truncatediv
from sluice.ops.math.arithmetic import truncatemod as truncatemod
from sluice.ops.control_flow.grouping import tuple as tuple
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
from sluice.ops.state.initializers import uniform_unit_scaling as _ops_state_initializers_uniform_unit_scaling
uniform_unit_scaling_initializer = _ops_state_initializers_uniform_unit_scaling
from sluice.ops.array.searching import unique as unique
from sluice.ops.array.searching import unique_with_counts as unique_with_counts
from sluice.ops.array.indexing import unravel_index as unravel_index
from sluice.ops.math.segments import unsorted_segment_max as unsorted_segment_max
from sluice.ops.math.segments import unsorted_segment_mean as unsorted_segment_mean
from sluice.ops.math.segments import unsorted_segment_min as unsorted_segment_min
from sluice.ops.math.segments import unsorted_segment_prod as unsorted_segment_prod
from sluice.ops.math.segments import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from sluice.ops.math.segments import unsorted_segment_sum as unsorted_segment_sum
from sluice.ops.array.cutting import unstack as unstack
from sluice.ops.state.partitioned import variable_axis_size_partitioner as variable_axis_size_partitioner
from sluice.ops.state.variables import variable_creator_scope as variable_creator_scope
from sluice.ops.state.variable_scope import variable_op_scope as variable_op_scope
from sluice.ops.state.variable_scope import variable_scope as variable_scope
from sluice.ops.state.initializing import variables_initializer as variables_initializer
from sluice.ops.state.initializers import variance_scaling as _ops_state_initializers_variance_scaling
variance_scaling_initializer = _ops_state_initializers_variance_scaling
variant: _DType
from sluice.ops.functions.loops import vectorized_map as vectorized_map
from sluice.ops.debug.assertions import verify_tensor_all_finite as verify_tensor_all_finite
from sluice import version as version
from sluice.ops.array.selecting import where as where
from sluice.ops.array.selecting import where_v2 as where_v2
from sluice.ops.functions.cond_and_while import while_loop as while_loop
from sluice.ops.state.custom_gradients import with_gradient as with_gradient
from sluice.ops.io.io import write_file as write_file
from sluice.ops.math.elementary import xdivy as xdivy
from sluice.ops.math.elementary import xlogy as xlogy
from sluice.ops.array.filling import zeros as zeros
from sluice.ops.state.initializers import zeros as _ops_state_initializers_zeros
zeros_initializer = _ops_state_initializers_zeros
from sluice.ops.array.filling import zeros_like as zeros_like
from sluice.ops.math.special import zeta as zeta
__version__: _b.str
