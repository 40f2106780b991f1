# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

OPTIMIZER_CLS_NAMES: _Any
OPTIMIZER_SUMMARIES: _Any
from sluice.ops.functions.specs import TensorSpec as TensorSpec
from sluice.contrib_parts.framework.variables import VariableDeviceChooser as VariableDeviceChooser
from sluice.layers.contrib.scopes import add_arg_scope as add_arg_scope
from sluice.contrib_parts.framework.variables import add_model_variable as add_model_variable
from sluice.layers.contrib.regularizers import apply_regularization as apply_regularization
from sluice.layers.contrib.scopes import arg_scope as arg_scope
from sluice.layers.contrib.scopes import arg_scoped_arguments as arg_scoped_arguments
from sluice.training.global_step import assert_global_step as assert_global_step
from sluice.contrib_parts.framework.tensors import assert_or_get_global_step as assert_or_get_global_step
from sluice.contrib_parts.framework.tensors import assert_scalar_int as assert_scalar_int
from sluice.contrib_parts.framework.restoring import assign_from_checkpoint as assign_from_checkpoint
from sluice.contrib_parts.framework.restoring import assign_from_checkpoint_fn as assign_from_checkpoint_fn
from sluice.contrib_parts.framework.restoring import assign_from_values as assign_from_values
from sluice.contrib_parts.framework.restoring import assign_from_values_fn as assign_from_values_fn
from sluice.layers.contrib.functions import avg_pool2d as avg_pool2d
from sluice.contrib_parts.layers.volumes import avg_pool3d as avg_pool3d
from sluice.layers.contrib.normalization import batch_norm as batch_norm
from sluice.layers.contrib.functions import bias_add as bias_add
from sluice.contrib_parts.layers.volumes import convolution1d as _contrib_parts_layers_volumes_convolution1d
conv1d = _contrib_parts_layers_volumes_convolution1d
from sluice.layers.contrib.functions import convolution2d as _layers_contrib_functions_convolution2d
conv2d = _layers_contrib_functions_convolution2d
from sluice.layers.contrib.functions import convolution2d_transpose as _layers_contrib_functions_convolution2d_transpose
conv2d_transpose = _layers_contrib_functions_convolution2d_transpose
from sluice.contrib_parts.layers.volumes import convolution3d as _contrib_parts_layers_volumes_convolution3d
conv3d = _contrib_parts_layers_volumes_convolution3d
from sluice.older_names import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from sluice.layers.contrib.functions import convolution as convolution
from sluice.contrib_parts.layers.volumes import convolution1d as convolution1d
from sluice.layers.contrib.functions import convolution2d as convolution2d
from sluice.layers.contrib.functions import convolution2d_transpose as convolution2d_transpose
from sluice.contrib_parts.layers.volumes import convolution3d as convolution3d
from sluice.training.global_step import create_global_step as create_global_step
from sluice.layers.contrib.scopes import current_arg_scope as current_arg_scope
from sluice.groups import contrib_slim_data_decoder as _contrib_slim_data_decoder
data_decoder = _contrib_slim_data_decoder
from sluice.groups import contrib_slim_data_provider as _contrib_slim_data_provider
data_provider = _contrib_slim_data_provider
from sluice.groups import contrib_slim_dataset as _contrib_slim_dataset
dataset = _contrib_slim_dataset
from sluice.groups import contrib_slim_dataset_data_provider as _contrib_slim_dataset_data_provider
dataset_data_provider = _contrib_slim_dataset_data_provider
from sluice.contrib_parts.framework.tensors import deprecated as deprecated
from sluice.contrib_parts.framework.tensors import deprecated_args as _contrib_parts_framework_tensors_deprecated_args
deprecated_arg_values = _contrib_parts_framework_tensors_deprecated_args
from sluice.contrib_parts.framework.tensors import deprecated_args as deprecated_args
from sluice.layers.contrib.functions import dropout as dropout
from sluice.contrib_parts.layers.volumes import elu as elu
from sluice.layers.contrib.functions import embed_sequence as embed_sequence
from sluice.groups import contrib_slim_evaluation as _contrib_slim_evaluation
evaluation = _contrib_slim_evaluation
from sluice.contrib_parts.slim.evaluation import evaluation_loop as evaluation_loop
from sluice.contrib_parts.framework.selecting import filter_variables as filter_variables
from sluice.layers.contrib.functions import flatten as flatten
from sluice.layers.contrib.functions import fully_connected as fully_connected
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
from sluice.contrib_parts.layers.normalization import group_norm as group_norm
from sluice.layers.contrib.scopes import has_arg_scope as has_arg_scope
from sluice.contrib_parts.layers.normalization import instance_norm as instance_norm
from sluice.layers.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from sluice.layers.contrib.regularizers import l1_regularizer as l1_regularizer
from sluice.layers.contrib.regularizers import l2_regularizer as l2_regularizer
from sluice.layers.contrib.normalization import layer_norm as layer_norm
from sluice.groups import contrib_layers as _contrib_layers
layers = _contrib_layers
from sluice.groups import contrib_slim_learning as _contrib_slim_learning
learning = _contrib_slim_learning
from sluice.layers.contrib.functions import linear as linear
from sluice.contrib_parts.framework.variables import local_variable as local_variable
from sluice.groups import contrib_slim_losses as _contrib_slim_losses
losses = _contrib_slim_losses
from sluice.layers.contrib.functions import max_pool2d as max_pool2d
from sluice.contrib_parts.layers.volumes import max_pool3d as max_pool3d
from sluice.groups import contrib_metrics as _contrib_metrics
metrics = _contrib_metrics
from sluice.groups import contrib_slim_model_analyzer as _contrib_slim_model_analyzer
model_analyzer = _contrib_slim_model_analyzer
from sluice.layers.contrib.variables import model_variable as model_variable
from sluice.groups import contrib_slim_nets as _contrib_slim_nets
nets = _contrib_slim_nets
from sluice.layers.contrib.functions import one_hot_encoding as one_hot_encoding
from sluice.contrib_parts.layers.training import optimize_loss as optimize_loss
from sluice.groups import contrib_slim_parallel_reader as _contrib_slim_parallel_reader
parallel_reader = _contrib_slim_parallel_reader
from sluice.groups import contrib_slim_prefetch_queue as _contrib_slim_prefetch_queue
prefetch_queue = _contrib_slim_prefetch_queue
from sluice.contrib_parts.framework.tensors import prepend_name_scope as prepend_name_scope
from sluice.groups import contrib_slim_queues as _contrib_slim_queues
queues = _contrib_slim_queues
from sluice.contrib_parts.framework.tensors import reduce_sum_n as reduce_sum_n
from sluice.layers.contrib.functions import fully_connected as _layers_contrib_functions_fully_connected
relu = _layers_contrib_functions_fully_connected
from sluice.contrib_parts.layers.volumes import relu6 as relu6
from sluice.contrib_parts.framework.tensors import remove_squeezable_dimensions as remove_squeezable_dimensions
from sluice.layers.contrib.functions import repeat as repeat
from sluice.layers.contrib.functions import separable_convolution2d as _layers_contrib_functions_separable_convolution2d
separable_conv2d = _layers_contrib_functions_separable_convolution2d
from sluice.layers.contrib.functions import separable_convolution2d as separable_convolution2d
from sluice.layers.choices import smart_case as smart_case
from sluice.layers.choices import smart_cond as smart_cond
from sluice.layers.choices import smart_constant_value as smart_constant_value
from sluice.layers.contrib.functions import softmax as softmax
from sluice.layers.contrib.functions import stack as stack
from sluice.contrib_parts.framework.tensors import strip_name_scope as strip_name_scope
from sluice.layers.contrib.regularizers import sum_regularizer as sum_regularizer
from sluice.groups import contrib_slim_summaries as _contrib_slim_summaries
summaries = _contrib_slim_summaries
from sluice.contrib_parts.layers.summaries import summarize_activation as summarize_activation
from sluice.contrib_parts.layers.summaries import summarize_activations as summarize_activations
from sluice.contrib_parts.layers.summaries import summarize_collection as summarize_collection
from sluice.contrib_parts.layers.summaries import summarize_tensor as summarize_tensor
from sluice.contrib_parts.layers.summaries import summarize_tensors as summarize_tensors
from sluice.groups import contrib_slim_tfexample_decoder as _contrib_slim_tfexample_decoder
tfexample_decoder = _contrib_slim_tfexample_decoder
from sluice.contrib_parts.layers.normalization import unit_norm as unit_norm
from sluice.contrib_parts.framework.variables import variable as variable
from sluice.layers.contrib.initializers import variance_scaling_initializer as variance_scaling_initializer
from sluice.contrib_parts.framework.tensors import with_same_shape as with_same_shape
from sluice.contrib_parts.framework.tensors import with_shape as with_shape
from sluice.layers.contrib.initializers import xavier_initializer as xavier_initializer
from sluice.layers.contrib.initializers import xavier_initializer as _layers_contrib_initializers_xavier_initializer
xavier_initializer_conv2d = _layers_contrib_initializers_xavier_initializer
