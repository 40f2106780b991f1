# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from .dtypes import DType as _DType
AUTO_REUSE: _Any
from .differentiate import AggregationMethod as AggregationMethod
from .arrays import Assert as Assert
from .messages import AttrValue as AttrValue
from .staging import Barrier as Barrier
from .accumulators import ConditionalAccumulator as ConditionalAccumulator
from .messages import ConfigProto as ConfigProto
from .cluster import Credentials as Credentials
from .dtypes import DType as DType
from .functions import Defun as Defun
from .device_spec import DeviceSpec as DeviceSpec
from .tensor_shape import Dimension as Dimension
from .messages import Event as Event
from .queues import FIFOQueue as FIFOQueue
from .readers import FixedLengthRecordReader as FixedLengthRecordReader
from .messages import GPUOptions as GPUOptions
from .graph import Graph as Graph
from .messages import GraphDef as GraphDef
from .graph import GraphKeys as GraphKeys
from .messages import GraphOptions as GraphOptions
from .messages import HistogramProto as HistogramProto
from .readers import IdentityReader as IdentityReader
from .elements import IndexedSlices as IndexedSlices
from .elements import IndexedSlicesValue as IndexedSlicesValue
from .session import InteractiveSession as InteractiveSession
from .readers import LMDBReader as LMDBReader
from .messages import LogMessage as LogMessage
from .messages import MetaGraphDef as MetaGraphDef
from .messages import NameAttrList as NameAttrList
from .messages import NodeDef as NodeDef
from .errors import OpError as OpError
from .elements import Operation as Operation
from .messages import OptimizerOptions as OptimizerOptions
from .queues import PaddingFIFOQueue as PaddingFIFOQueue
from .partitioned import PartitionedVariable as PartitionedVariable
from .arrays import Print as Print
from .queues import PriorityQueue as PriorityQueue
from .queues import Queue as Queue
from .queues import Queue as _queues_Queue
QueueBase = _queues_Queue
from .queues import RandomShuffleQueue as RandomShuffleQueue
from .readers import Reader as _readers_Reader
ReaderBase = _readers_Reader
from .messages import RunMetadata as RunMetadata
from .messages import RunOptions as RunOptions
from .session import Session as Session
from .messages import SessionLog as SessionLog
from .accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from .sparse import SparseTensor as SparseTensor
from .sparse import SparseTensorValue as SparseTensorValue
from .messages import Summary as Summary
from .messages import SummaryMetadata as SummaryMetadata
from .readers import TFRecordReader as TFRecordReader
from .elements import Tensor as Tensor
from .tensor_array import TensorArray as TensorArray
from .tensor_shape import TensorShape as TensorShape
from .functions import TensorSpec as TensorSpec
from .readers import TextLineReader as TextLineReader
from .differentiate import UnconnectedGradients as UnconnectedGradients
from .variables import Variable as Variable
from .variables import VariableAggregation as VariableAggregation
from .variable_scope import VariableScope as VariableScope
from .variables import VariableSynchronization as VariableSynchronization
from .readers import WholeFileReader as WholeFileReader
from .math import abs as abs
from .math import accumulate_n as accumulate_n
from .math import acos as acos
from .math import acosh as acosh
from .math import add as add
from .assertions import add_check_numerics_ops as add_check_numerics_ops
from .math import add_n as add_n
from .graph import add_to_collection as add_to_collection
from .graph import add_to_collections as add_to_collections
from .variables import all_variables as all_variables
from .math import angle as angle
from .math import arg_max as arg_max
from .math import arg_min as arg_min
from .math import argmax as argmax
from .math import argmin as argmin
from .older_names import argsort as argsort
from .dtypes import as_dtype as as_dtype
from .strings import as_string as as_string
from .math import asin as asin
from .math import asinh as asinh
from .assertions import assert_equal as assert_equal
from .assertions import assert_greater as assert_greater
from .assertions import assert_greater_equal as assert_greater_equal
from .assertions import assert_integer as assert_integer
from .assertions import assert_less as assert_less
from .assertions import assert_less_equal as assert_less_equal
from .assertions import assert_near as assert_near
from .assertions import assert_negative as assert_negative
from .assertions import assert_non_negative as assert_non_negative
from .assertions import assert_non_positive as assert_non_positive
from .assertions import assert_none_equal as assert_none_equal
from .assertions import assert_positive as assert_positive
from .assertions import assert_proper_iterable as assert_proper_iterable
from .assertions import assert_rank as assert_rank
from .assertions import assert_rank_at_least as assert_rank_at_least
from .assertions import assert_rank_in as assert_rank_in
from .assertions import assert_same_float_dtype as assert_same_float_dtype
from .assertions import assert_scalar as assert_scalar
from .assertions import assert_shapes as assert_shapes
from .assertions import assert_type as assert_type
from .variables import assert_variables_initialized as assert_variables_initialized
from .variables import assign as assign
from .variables import assign_add as assign_add
from .variables import assign_sub as assign_sub
from .math import atan as atan
from .math import atan2 as atan2
from .math import atanh as atanh
from .older_names import batch_gather as batch_gather
from .variables import batch_scatter_update as batch_scatter_update
from .convolution import batch_to_space as batch_to_space
from .arrays import batch_to_space_nd as batch_to_space_nd
from .math import bessel_i0 as bessel_i0
from .math import bessel_i0e as bessel_i0e
from .math import bessel_i1 as bessel_i1
from .math import bessel_i1e as bessel_i1e
from .math import betainc as betainc
bfloat16: _DType
from .math import bincount as bincount
from .arrays import bitcast as bitcast
from . import bitwise as bitwise
bool: _DType
from .arrays import boolean_mask as boolean_mask
from .arrays import broadcast_dynamic_shape as broadcast_dynamic_shape
from .arrays import broadcast_static_shape as broadcast_static_shape
from .arrays import broadcast_to as broadcast_to
from .loops import case as case
from .arrays import cast as cast
from .math import ceil as ceil
from .arrays import check_numerics as check_numerics
from .linalg import cholesky as cholesky
from .linalg import cholesky_solve as cholesky_solve
from .clipping import clip_by_average_norm as clip_by_average_norm
from .clipping import clip_by_global_norm as clip_by_global_norm
from .clipping import clip_by_norm as clip_by_norm
from .math import clip_by_value as clip_by_value
from .graph import colocate_with as colocate_with
from . import compat as compat
from .math import complex as complex
complex128: _DType
complex64: _DType
from .arrays import concat as concat
from .control_flow import cond as cond
from .math import confusion_matrix as confusion_matrix
from .math import conj as conj
from .convert import constant as constant
from .initializers import constant as _initializers_constant
constant_initializer = _initializers_constant
from .graph import container as container
from . import contrib as contrib
from .graph import control_dependencies as control_dependencies
from .older_names import control_flow_v2_enabled as control_flow_v2_enabled
from .differentiate import convert_to_dense as convert_to_dense
from .convert import convert_to_tensor as convert_to_tensor
from .older_names import convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices
from .older_names import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from .math import cos as cos
from .math import cosh as cosh
from .math import count_nonzero as count_nonzero
from .variables import count_up_to as count_up_to
from .older_names import create_partitioned_variables as create_partitioned_variables
from .linalg import cross as cross
from .math import cumprod as cumprod
from .math import cumsum as cumsum
from .math import cumulative_logsumexp as cumulative_logsumexp
from . import debugging as debugging
from .io import decode_base64 as decode_base64
from .io import decode_raw as decode_raw
from .session_handles import delete_session_tensor as delete_session_tensor
from .convolution import depth_to_space as depth_to_space
from .quantization import dequantize as dequantize
from .io import deserialize_many_sparse as deserialize_many_sparse
from .graph import device as device
from .linalg import tensor_diag as _linalg_tensor_diag
diag = _linalg_tensor_diag
from .linalg import tensor_diag_part as _linalg_tensor_diag_part
diag_part = _linalg_tensor_diag_part
from .math import digamma as digamma
from .tensor_shape import dimension_at_index as dimension_at_index
from .tensor_shape import dimension_value as dimension_value
from .older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_control_flow_v2 = _older_names_enable_control_flow_v2
from .older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_eager_execution = _older_names_enable_control_flow_v2
from .variables import disable_resource_variables as disable_resource_variables
from .older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_tensor_equality = _older_names_enable_control_flow_v2
from .older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_v2_behavior = _older_names_enable_control_flow_v2
from .older_names import enable_control_flow_v2 as _older_names_enable_control_flow_v2
disable_v2_tensorshape = _older_names_enable_control_flow_v2
from . import distribute as distribute
from .math import divide as _math_divide
div = _math_divide
from .math import divide_no_nan as _math_divide_no_nan
div_no_nan = _math_divide_no_nan
from .math import divide as divide
from .math import divide_no_nan as divide_no_nan
double: _DType
from . import dtypes as dtypes
from .arrays import dynamic_partition as dynamic_partition
from .arrays import dynamic_stitch as dynamic_stitch
from .sparse import edit_distance as edit_distance
from .linalg import einsum as einsum
from .older_names import enable_control_flow_v2 as enable_control_flow_v2
from .variables import enable_resource_variables as enable_resource_variables
from .io import encode_base64 as encode_base64
from .arrays import ensure_shape as ensure_shape
from .math import equal as equal
from .math import erf as erf
from .math import erfc as erfc
from . import errors as errors
from .older_names import executing_eagerly as executing_eagerly
from .math import exp as exp
from .arrays import expand_dims as expand_dims
from .math import expm1 as expm1
from .image import extract_image_patches as extract_image_patches
from .image import extract_volume_patches as extract_volume_patches
from .linalg import eye as eye
from .quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from .quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from .quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from .quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from .quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from .quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from .signal import fft as fft
from .signal import fft2d as fft2d
from .signal import fft3d as fft3d
from .arrays import fill as fill
from .strings import fingerprint as fingerprint
from .partitioned import fixed_size_partitioner as fixed_size_partitioner
float16: _DType
float32: _DType
float64: _DType
from .math import floor as floor
from .math import floordiv as _math_floordiv
floor_div = _math_floordiv
from .math import floordiv as floordiv
from .math import mod as _math_mod
floormod = _math_mod
from .loops import foldl as foldl
from .loops import foldr as foldr
from .functions import function as function
from .arrays import gather as gather
from .arrays import gather_nd as gather_nd
from .graph import get_collection as get_collection
from .graph import get_collection_ref as get_collection_ref
from .graph import get_default_graph as get_default_graph
from .defaults import get_default_session as get_default_session
from .variable_scope import get_local_variable as get_local_variable
from .logging import get_logger as get_logger
from .graph import get_seed as get_seed
from .session_handles import get_session_handle as get_session_handle
from .session_handles import get_session_tensor as get_session_tensor
from .older_names import get_static_value as get_static_value
from .variable_scope import get_variable as get_variable
from .variable_scope import get_variable_scope as get_variable_scope
from . import gfile as gfile
from .clipping import global_norm as global_norm
from .variables import global_variables as global_variables
from .variables import global_variables_initializer as global_variables_initializer
from .initializers import glorot_normal as _initializers_glorot_normal
glorot_normal_initializer = _initializers_glorot_normal
from .initializers import glorot_uniform as _initializers_glorot_uniform
glorot_uniform_initializer = _initializers_glorot_uniform
from .differentiate import gradients as gradients
from .math import greater as greater
from .math import greater_equal as greater_equal
from .arrays import group as group
from .arrays import guarantee_const as guarantee_const
half: _DType
from .initializers import he_normal as _initializers_he_normal
he_normal_initializer = _initializers_he_normal
from .differentiate import hessians as hessians
from .math import histogram_fixed_width as histogram_fixed_width
from .math import histogram_fixed_width_bins as histogram_fixed_width_bins
from .arrays import identity as identity
from .arrays import identity_n as identity_n
from .signal import ifft as ifft
from .signal import ifft2d as ifft2d
from .signal import ifft3d as ifft3d
from .math import igamma as igamma
from .math import igammac as igammac
from .math import imag as imag
from . import image as image
from .graph_io import import_graph_def as import_graph_def
from .math import in_top_k as in_top_k
from .older_names import initialize_all_tables as initialize_all_tables
from .variables import initialize_all_variables as initialize_all_variables
from .older_names import initialize_local_variables as initialize_local_variables
from .older_names import initialize_variables as initialize_variables
from . import initializers as initializers
int16: _DType
int32: _DType
int64: _DType
int8: _DType
from .math import invert_permutation as invert_permutation
from . import io as io
from .math import is_finite as is_finite
from .math import is_inf as is_inf
from .math import is_nan as is_nan
from .math import is_non_decreasing as is_non_decreasing
from .assertions import is_numeric_tensor as is_numeric_tensor
from .math import is_strictly_increasing as is_strictly_increasing
from .older_names import is_tensor as is_tensor
from .variables import is_variable_initialized as is_variable_initialized
from .math import lbeta as lbeta
from .math import less as less
from .math import less_equal as less_equal
from .math import lgamma as lgamma
from .arrays import linspace as _arrays_linspace
lin_space = _arrays_linspace
from . import linalg as linalg
from .arrays import linspace as linspace
from .variables import local_variables as local_variables
from .variables import local_variables_initializer as local_variables_initializer
from .math import log as log
from .math import log1p as log1p
from .math import log_sigmoid as log_sigmoid
from .linalg import logdet as logdet
from . import logging as logging
from .math import logical_and as logical_and
from .math import logical_not as logical_not
from .math import logical_or as logical_or
from .math import logical_xor as logical_xor
from . import losses as losses
from .linalg import lu as lu
from .variable_scope import make_template as make_template
from . import manip as manip
from .loops import map_fn as map_fn
from .io import matching_files as matching_files
from . import math as math
from .linalg import matmul as matmul
from .linalg import band_part as _linalg_band_part
matrix_band_part = _linalg_band_part
from .linalg import det as _linalg_det
matrix_determinant = _linalg_det
from .linalg import diag as _linalg_diag
matrix_diag = _linalg_diag
from .linalg import diag_part as _linalg_diag_part
matrix_diag_part = _linalg_diag_part
from .linalg import inv as _linalg_inv
matrix_inverse = _linalg_inv
from .linalg import set_diag as _linalg_set_diag
matrix_set_diag = _linalg_set_diag
from .linalg import solve as _linalg_solve
matrix_solve = _linalg_solve
from .linalg import lstsq as _linalg_lstsq
matrix_solve_ls = _linalg_lstsq
from .linalg import sqrtm as _linalg_sqrtm
matrix_square_root = _linalg_sqrtm
from .linalg import transpose as _linalg_transpose
matrix_transpose = _linalg_transpose
from .linalg import triangular_solve as _linalg_triangular_solve
matrix_triangular_solve = _linalg_triangular_solve
from .math import maximum as maximum
from .arrays import meshgrid as meshgrid
from . import metrics as metrics
from .partitioned import min_max_variable_partitioner as min_max_variable_partitioner
from .math import minimum as minimum
from .math import mod as mod
from .variables import model_variables as model_variables
from .variables import moving_average_variables as moving_average_variables
from .math import multiply as _math_multiply
mul = _math_multiply
from .random import multinomial as multinomial
from .math import multiply as multiply
from .math import multiply_no_nan as multiply_no_nan
from .graph import name_scope as name_scope
from .math import negative as _math_negative
neg = _math_negative
from .math import negative as negative
from . import nest as nest
newaxis: _Any
from .math import nextafter as nextafter
from . import nn as nn
from .arrays import no_op as no_op
from .variable_scope import no_regularizer as no_regularizer
from .linalg import norm as norm
from .math import not_equal as not_equal
from .arrays import one_hot as one_hot
from .arrays import ones as ones
from .initializers import ones as _initializers_ones
ones_initializer = _initializers_ones
from .arrays import ones_like as ones_like
from .graph import op_scope as op_scope
from .initializers import orthogonal as _initializers_orthogonal
orthogonal_initializer = _initializers_orthogonal
from .arrays import pad as pad
from .arrays import parallel_stack as parallel_stack
from .convert import placeholder as placeholder
from .arrays import placeholder_with_default as placeholder_with_default
from .math import polygamma as polygamma
from .math import polyval as polyval
from .math import pow as pow
from .strings import print_v2 as _strings_print_v2
print = _strings_print_v2
qint16: _DType
qint32: _DType
qint8: _DType
from .linalg import qr as qr
from . import quantization as quantization
from .quantization import quantize as quantize
from .quantization import quantize_v2 as quantize_v2
from . import queue as queue
quint16: _DType
quint8: _DType
from . import random as random
from .random import random_crop as random_crop
from .random import gamma as _random_gamma
random_gamma = _random_gamma
from .random import normal as _random_normal
random_normal = _random_normal
from .initializers import random_normal as _initializers_random_normal
random_normal_initializer = _initializers_random_normal
from .random import poisson as _random_poisson
random_poisson = _random_poisson
from .random import shuffle as _random_shuffle
random_shuffle = _random_shuffle
from .random import uniform as _random_uniform
random_uniform = _random_uniform
from .initializers import random_uniform as _initializers_random_uniform
random_uniform_initializer = _initializers_random_uniform
from .arrays import range as range
from .arrays import rank as rank
from . import raw_ops as raw_ops
from .io import read_file as read_file
from .math import real as real
from .math import truediv as _math_truediv
realdiv = _math_truediv
from .math import reciprocal as reciprocal
from .math import reciprocal_no_nan as reciprocal_no_nan
from .math import reduce_all as reduce_all
from .math import reduce_any as reduce_any
from .math import reduce_euclidean_norm as reduce_euclidean_norm
from .strings import reduce_join as reduce_join
from .math import reduce_logsumexp as reduce_logsumexp
from .math import reduce_max as reduce_max
from .math import reduce_mean as reduce_mean
from .math import reduce_min as reduce_min
from .math import reduce_prod as reduce_prod
from .math import reduce_std as reduce_std
from .math import reduce_sum as reduce_sum
from .math import reduce_variance as reduce_variance
from .strings import regex_replace as regex_replace
from .older_names import repeat as repeat
from .variables import report_uninitialized_variables as report_uninitialized_variables
from .graph import reset_default_graph as reset_default_graph
from .arrays import reshape as reshape
resource: _DType
from .variables import resource_variables_enabled as resource_variables_enabled
from .arrays import reverse as reverse
from .arrays import reverse_sequence as reverse_sequence
from .arrays import reverse as _arrays_reverse
reverse_v2 = _arrays_reverse
from .math import rint as rint
from .arrays import roll as roll
from .math import round as round
from .math import rsqrt as rsqrt
from .arrays import saturate_cast as saturate_cast
from .math import scalar_mul as scalar_mul
from .loops import scan as scan
from .variables import scatter_add as scatter_add
from .variables import scatter_div as scatter_div
from .variables import scatter_max as scatter_max
from .variables import scatter_min as scatter_min
from .variables import scatter_mul as scatter_mul
from .arrays import scatter_nd as scatter_nd
from .variables import scatter_nd_add as scatter_nd_add
from .variables import scatter_nd_sub as scatter_nd_sub
from .variables import scatter_nd_update as scatter_nd_update
from .variables import scatter_sub as scatter_sub
from .variables import scatter_update as scatter_update
from .arrays import searchsorted as searchsorted
from .arrays import searchsorted_left as searchsorted_left
from .arrays import searchsorted_right as searchsorted_right
from .math import segment_max as segment_max
from .math import segment_mean as segment_mean
from .math import segment_min as segment_min
from .math import segment_prod as segment_prod
from .math import segment_sum as segment_sum
from .linalg import eigh as _linalg_eigh
self_adjoint_eig = _linalg_eigh
from .linalg import eigvalsh as _linalg_eigvalsh
self_adjoint_eigvals = _linalg_eigvalsh
from .arrays import sequence_mask as sequence_mask
from .io import serialize_many_sparse as serialize_many_sparse
from .io import serialize_sparse as serialize_sparse
from .graph import set_random_seed as set_random_seed
from .arrays import setdiff1d as setdiff1d
from . import sets as sets
from .arrays import shape as shape
from .arrays import shape_n as shape_n
from .math import sigmoid as sigmoid
from .math import sign as sign
from . import signal as signal
from .math import sin as sin
from .math import sinh as sinh
from .arrays import size as size
from .arrays import slice as slice
from .math import softplus as softplus
from .math import softsign as softsign
from .older_names import sort as sort
from .convolution import space_to_batch as space_to_batch
from .arrays import space_to_batch_nd as space_to_batch_nd
from .convolution import space_to_depth as space_to_depth
from . import sparse as sparse
from .sparse import add as _sparse_add
sparse_add = _sparse_add
from .sparse import concat as _sparse_concat
sparse_concat = _sparse_concat
from .sparse import expand_dims as _sparse_expand_dims
sparse_expand_dims = _sparse_expand_dims
from .sparse import fill_empty_rows as _sparse_fill_empty_rows
sparse_fill_empty_rows = _sparse_fill_empty_rows
from .sparse import mask as _sparse_mask
sparse_mask = _sparse_mask
from .linalg import sparse_matmul as sparse_matmul
from .sparse import maximum as _sparse_maximum
sparse_maximum = _sparse_maximum
from .sparse import merge as _sparse_merge
sparse_merge = _sparse_merge
from .sparse import minimum as _sparse_minimum
sparse_minimum = _sparse_minimum
from .sparse import placeholder as _sparse_placeholder
sparse_placeholder = _sparse_placeholder
from .sparse import reduce_max as _sparse_reduce_max
sparse_reduce_max = _sparse_reduce_max
from .sparse import reduce_max_sparse as _sparse_reduce_max_sparse
sparse_reduce_max_sparse = _sparse_reduce_max_sparse
from .sparse import reduce_sum as _sparse_reduce_sum
sparse_reduce_sum = _sparse_reduce_sum
from .sparse import reduce_sum_sparse as _sparse_reduce_sum_sparse
sparse_reduce_sum_sparse = _sparse_reduce_sum_sparse
from .sparse import reorder as _sparse_reorder
sparse_reorder = _sparse_reorder
from .sparse import reset_shape as _sparse_reset_shape
sparse_reset_shape = _sparse_reset_shape
from .sparse import reshape as _sparse_reshape
sparse_reshape = _sparse_reshape
from .sparse import retain as _sparse_retain
sparse_retain = _sparse_retain
from .sparse import segment_mean as _sparse_segment_mean
sparse_segment_mean = _sparse_segment_mean
from .sparse import segment_sqrt_n as _sparse_segment_sqrt_n
sparse_segment_sqrt_n = _sparse_segment_sqrt_n
from .sparse import segment_sum as _sparse_segment_sum
sparse_segment_sum = _sparse_segment_sum
from .sparse import slice as _sparse_slice
sparse_slice = _sparse_slice
from .sparse import softmax as _sparse_softmax
sparse_softmax = _sparse_softmax
from .sparse import split as _sparse_split
sparse_split = _sparse_split
from .sparse import sparse_dense_matmul as _sparse_sparse_dense_matmul
sparse_tensor_dense_matmul = _sparse_sparse_dense_matmul
from .sparse import to_dense as _sparse_to_dense
sparse_tensor_to_dense = _sparse_to_dense
from .older_names import sparse_to_dense as sparse_to_dense
from .sparse import to_indicator as _sparse_to_indicator
sparse_to_indicator = _sparse_to_indicator
from .sparse import transpose as _sparse_transpose
sparse_transpose = _sparse_transpose
from . import spectral as spectral
from .arrays import split as split
from .math import sqrt as sqrt
from .math import square as square
from .math import squared_difference as squared_difference
from .arrays import squeeze as squeeze
from .arrays import stack as stack
from .arrays import stop_gradient as stop_gradient
from .arrays import strided_slice as strided_slice
string: _DType
from .strings import join as _strings_join
string_join = _strings_join
from .strings import length as _strings_length
string_length = _strings_length
from .strings import string_split as string_split
from .strings import strip as _strings_strip
string_strip = _strings_strip
from .strings import to_hash_bucket as _strings_to_hash_bucket
string_to_hash_bucket = _strings_to_hash_bucket
from .strings import to_hash_bucket_fast as _strings_to_hash_bucket_fast
string_to_hash_bucket_fast = _strings_to_hash_bucket_fast
from .strings import to_hash_bucket_strong as _strings_to_hash_bucket_strong
string_to_hash_bucket_strong = _strings_to_hash_bucket_strong
from .strings import to_number as _strings_to_number
string_to_number = _strings_to_number
from . import strings as strings
from .math import subtract as _math_subtract
sub = _math_subtract
from .strings import substr as substr
from .math import subtract as subtract
from . import summary as summary
from .linalg import svd as svd
from .loops import switch_case as switch_case
from .scaffold import tables_initializer as tables_initializer
from .math import tan as tan
from .math import tanh as tanh
from .arrays import tensor_scatter_add as tensor_scatter_add
from .arrays import tensor_scatter_add as _arrays_tensor_scatter_add
tensor_scatter_nd_add = _arrays_tensor_scatter_add
from .arrays import tensor_scatter_sub as _arrays_tensor_scatter_sub
tensor_scatter_nd_sub = _arrays_tensor_scatter_sub
from .arrays import tensor_scatter_update as _arrays_tensor_scatter_update
tensor_scatter_nd_update = _arrays_tensor_scatter_update
from .arrays import tensor_scatter_sub as tensor_scatter_sub
from .arrays import tensor_scatter_update as tensor_scatter_update
from .linalg import tensordot as tensordot
from .arrays import tile as tile
from .older_names import timestamp as timestamp
from .older_names import to_bfloat16 as to_bfloat16
from .older_names import to_complex128 as to_complex128
from .older_names import to_complex64 as to_complex64
from .older_names import to_double as to_double
from .older_names import to_float as to_float
from .older_names import to_int32 as to_int32
from .older_names import to_int64 as to_int64
from .math import top_k as top_k
from .linalg import trace as trace
from . import train as train
from .variables import trainable_variables as trainable_variables
from .arrays import transpose as transpose
from .math import truediv as truediv
from .random import truncated_normal as truncated_normal
from .initializers import truncated_normal as _initializers_truncated_normal
truncated_normal_initializer = _initializers_truncated_normal
from .math import truncatediv as truncatediv
from .math import truncatemod as truncatemod
from .arrays import tuple as tuple
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
from .initializers import uniform_unit_scaling as _initializers_uniform_unit_scaling
uniform_unit_scaling_initializer = _initializers_uniform_unit_scaling
from .arrays import unique as unique
from .arrays import unique_with_counts as unique_with_counts
from .arrays import unravel_index as unravel_index
from .math import unsorted_segment_max as unsorted_segment_max
from .math import unsorted_segment_mean as unsorted_segment_mean
from .math import unsorted_segment_min as unsorted_segment_min
from .math import unsorted_segment_prod as unsorted_segment_prod
from .math import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from .math import unsorted_segment_sum as unsorted_segment_sum
from .arrays import unstack as unstack
from .partitioned import variable_axis_size_partitioner as variable_axis_size_partitioner
from .variable_scope import variable_op_scope as variable_op_scope
from .variable_scope import variable_scope as variable_scope
from .variables import variables_initializer as variables_initializer
from .initializers import variance_scaling as _initializers_variance_scaling
variance_scaling_initializer = _initializers_variance_scaling
variant: _DType
from .assertions import verify_tensor_all_finite as verify_tensor_all_finite
from .arrays import where as where
from .arrays import where_v2 as where_v2
from .control_flow import while_loop as while_loop
from .io import write_file as write_file
from .math import xdivy as xdivy
from .math import xlogy as xlogy
from .math import zero_fraction as zero_fraction
from .arrays import zeros as zeros
from .initializers import zeros as _initializers_zeros
zeros_initializer = _initializers_zeros
from .arrays import zeros_like as zeros_like
from .math import zeta as zeta
__version__: _b.str
