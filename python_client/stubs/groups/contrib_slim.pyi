# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.layers.contrib.scopes import add_arg_scope as add_arg_scope
from sluice.layers.contrib.regularizers import apply_regularization as apply_regularization
from sluice.layers.contrib.scopes import arg_scope as arg_scope
from sluice.layers.contrib.functions import avg_pool2d as avg_pool2d
from sluice.layers.contrib.normalization import batch_norm as batch_norm
from sluice.layers.contrib.functions import bias_add as bias_add
from sluice.layers.contrib.functions import convolution2d as _layers_contrib_functions_convolution2d
conv2d = _layers_contrib_functions_convolution2d
from sluice.layers.contrib.functions import convolution2d_transpose as _layers_contrib_functions_convolution2d_transpose
conv2d_transpose = _layers_contrib_functions_convolution2d_transpose
from sluice.layers.contrib.functions import convolution as convolution
from sluice.layers.contrib.functions import convolution2d as convolution2d
from sluice.layers.contrib.functions import convolution2d_transpose as convolution2d_transpose
from sluice.layers.contrib.functions import dropout as dropout
from sluice.layers.contrib.functions import embed_sequence as embed_sequence
from sluice.layers.contrib.functions import flatten as flatten
from sluice.layers.contrib.functions import fully_connected as fully_connected
from sluice.layers.contrib.variables import get_model_variables as get_model_variables
from sluice.layers.contrib.variables import get_variables as get_variables
from sluice.layers.contrib.scopes import has_arg_scope as has_arg_scope
from sluice.layers.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from sluice.layers.contrib.regularizers import l1_regularizer as l1_regularizer
from sluice.layers.contrib.regularizers import l2_regularizer as l2_regularizer
from sluice.layers.contrib.normalization import layer_norm as layer_norm
from sluice.layers.contrib.functions import linear as linear
from sluice.layers.contrib.functions import max_pool2d as max_pool2d
from sluice.layers.contrib.variables import model_variable as model_variable
from sluice.layers.contrib.functions import one_hot_encoding as one_hot_encoding
from sluice.layers.contrib.functions import fully_connected as _layers_contrib_functions_fully_connected
relu = _layers_contrib_functions_fully_connected
from sluice.layers.contrib.functions import repeat as repeat
from sluice.layers.contrib.functions import separable_convolution2d as _layers_contrib_functions_separable_convolution2d
separable_conv2d = _layers_contrib_functions_separable_convolution2d
from sluice.layers.contrib.functions import separable_convolution2d as separable_convolution2d
from sluice.layers.contrib.functions import softmax as softmax
from sluice.layers.contrib.functions import stack as stack
from sluice.layers.contrib.regularizers import sum_regularizer as sum_regularizer
from sluice.layers.contrib.initializers import variance_scaling_initializer as variance_scaling_initializer
from sluice.layers.contrib.initializers import xavier_initializer as xavier_initializer
from sluice.layers.contrib.initializers import xavier_initializer as _layers_contrib_initializers_xavier_initializer
xavier_initializer_conv2d = _layers_contrib_initializers_xavier_initializer
