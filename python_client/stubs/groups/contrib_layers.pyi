# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

OPTIMIZER_CLS_NAMES: _Any
OPTIMIZER_SUMMARIES: _Any
from sluice.layers.contrib.regularizers import apply_regularization as apply_regularization
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
from sluice.layers.contrib.functions import convolution as convolution
from sluice.contrib_parts.layers.volumes import convolution1d as convolution1d
from sluice.layers.contrib.functions import convolution2d as convolution2d
from sluice.layers.contrib.functions import convolution2d_transpose as convolution2d_transpose
from sluice.contrib_parts.layers.volumes import convolution3d as convolution3d
from sluice.layers.contrib.functions import dropout as dropout
from sluice.contrib_parts.layers.volumes import elu as elu
from sluice.layers.contrib.functions import embed_sequence as embed_sequence
from sluice.layers.contrib.functions import flatten as flatten
from sluice.layers.contrib.functions import fully_connected as fully_connected
from sluice.contrib_parts.layers.normalization import group_norm as group_norm
from sluice.contrib_parts.layers.normalization import instance_norm as instance_norm
from sluice.layers.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from sluice.layers.contrib.regularizers import l1_regularizer as l1_regularizer
from sluice.layers.contrib.regularizers import l2_regularizer as l2_regularizer
from sluice.layers.contrib.normalization import layer_norm as layer_norm
from sluice.layers.contrib.functions import linear as linear
from sluice.layers.contrib.functions import max_pool2d as max_pool2d
from sluice.contrib_parts.layers.volumes import max_pool3d as max_pool3d
from sluice.layers.contrib.functions import one_hot_encoding as one_hot_encoding
from sluice.contrib_parts.layers.training import optimize_loss as optimize_loss
from sluice.layers.contrib.functions import fully_connected as _layers_contrib_functions_fully_connected
relu = _layers_contrib_functions_fully_connected
from sluice.contrib_parts.layers.volumes import relu6 as relu6
from sluice.layers.contrib.functions import repeat as repeat
from sluice.layers.contrib.functions import separable_convolution2d as _layers_contrib_functions_separable_convolution2d
separable_conv2d = _layers_contrib_functions_separable_convolution2d
from sluice.layers.contrib.functions import separable_convolution2d as separable_convolution2d
from sluice.layers.contrib.functions import softmax as softmax
from sluice.layers.contrib.functions import stack as stack
from sluice.layers.contrib.regularizers import sum_regularizer as sum_regularizer
from sluice.contrib_parts.layers.summaries import summarize_activation as summarize_activation
from sluice.contrib_parts.layers.summaries import summarize_activations as summarize_activations
from sluice.contrib_parts.layers.summaries import summarize_collection as summarize_collection
from sluice.contrib_parts.layers.summaries import summarize_tensor as summarize_tensor
from sluice.contrib_parts.layers.summaries import summarize_tensors as summarize_tensors
from sluice.contrib_parts.layers.normalization import unit_norm as unit_norm
from sluice.layers.contrib.initializers import variance_scaling_initializer as variance_scaling_initializer
from sluice.layers.contrib.initializers import xavier_initializer as xavier_initializer
from sluice.layers.contrib.initializers import xavier_initializer as _layers_contrib_initializers_xavier_initializer
xavier_initializer_conv2d = _layers_contrib_initializers_xavier_initializer
