# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.ops.linalg.linalg import l2_normalize as l2_normalize
from sluice.ops.math.math import in_top_k as in_top_k
from sluice.ops.math.math import log_sigmoid as log_sigmoid
from sluice.ops.math.math import sigmoid as sigmoid
from sluice.ops.math.math import softplus as softplus
from sluice.ops.math.math import softsign as softsign
from sluice.ops.math.math import tanh as tanh
from sluice.ops.math.math import top_k as top_k
from sluice.ops.math.math import zero_fraction as zero_fraction
from sluice.ops.nn.convolution import atrous_conv2d as atrous_conv2d
from sluice.ops.nn.convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from sluice.ops.nn.convolution import avg_pool1d as avg_pool1d
from sluice.ops.nn.convolution import avg_pool2d as _ops_nn_convolution_avg_pool2d
avg_pool = _ops_nn_convolution_avg_pool2d
from sluice.ops.nn.convolution import avg_pool2d as avg_pool2d
from sluice.ops.nn.convolution import avg_pool3d as avg_pool3d
from sluice.ops.nn.convolution import avg_pool_v2 as avg_pool_v2
from sluice.ops.nn.convolution import batch_to_space as batch_to_space
from sluice.ops.nn.convolution import conv1d as conv1d
from sluice.ops.nn.convolution import conv1d_transpose as conv1d_transpose
from sluice.ops.nn.convolution import conv2d as conv2d
from sluice.ops.nn.convolution import conv2d_backprop_filter as conv2d_backprop_filter
from sluice.ops.nn.convolution import conv2d_backprop_input as conv2d_backprop_input
from sluice.ops.nn.convolution import conv2d_transpose as conv2d_transpose
from sluice.ops.nn.convolution import conv3d as conv3d
from sluice.ops.nn.convolution import conv3d_backprop_filter_v2 as _ops_nn_convolution_conv3d_backprop_filter_v2
conv3d_backprop_filter = _ops_nn_convolution_conv3d_backprop_filter_v2
from sluice.ops.nn.convolution import conv3d_backprop_filter_v2 as conv3d_backprop_filter_v2
from sluice.ops.nn.convolution import conv3d_transpose as conv3d_transpose
from sluice.ops.nn.convolution import conv_transpose as conv_transpose
from sluice.ops.nn.convolution import convolution as convolution
from sluice.ops.nn.convolution import depth_to_space as depth_to_space
from sluice.ops.nn.convolution import depthwise_conv2d as depthwise_conv2d
from sluice.ops.nn.convolution import depthwise_conv2d_native as depthwise_conv2d_native
from sluice.ops.nn.convolution import depthwise_conv2d_native_backprop_filter as _ops_nn_convolution_depthwise_conv2d_native_backprop_filter
depthwise_conv2d_backprop_filter = _ops_nn_convolution_depthwise_conv2d_native_backprop_filter
from sluice.ops.nn.convolution import depthwise_conv2d_native_backprop_filter as depthwise_conv2d_native_backprop_filter
from sluice.ops.nn.convolution import depthwise_conv2d_native_backprop_input as _ops_nn_convolution_depthwise_conv2d_native_backprop_input
depthwise_conv2d_backprop_input = _ops_nn_convolution_depthwise_conv2d_native_backprop_input
from sluice.ops.nn.convolution import depthwise_conv2d_native_backprop_input as depthwise_conv2d_native_backprop_input
from sluice.ops.nn.convolution import dilation2d as dilation2d
from sluice.ops.nn.convolution import erosion2d as erosion2d
from sluice.ops.nn.convolution import fractional_avg_pool as fractional_avg_pool
from sluice.ops.nn.convolution import fractional_max_pool as fractional_max_pool
from sluice.ops.nn.convolution import max_pool as max_pool
from sluice.ops.nn.convolution import max_pool1d as max_pool1d
from sluice.ops.nn.convolution import max_pool2d as max_pool2d
from sluice.ops.nn.convolution import max_pool3d as max_pool3d
from sluice.ops.nn.convolution import max_pool_v2 as max_pool_v2
from sluice.ops.nn.convolution import max_pool_with_argmax as max_pool_with_argmax
from sluice.ops.nn.convolution import separable_conv2d as separable_conv2d
from sluice.ops.nn.convolution import space_to_batch as space_to_batch
from sluice.ops.nn.convolution import space_to_depth as space_to_depth
from sluice.ops.nn.sampling import all_candidate_sampler as all_candidate_sampler
from sluice.ops.nn.sampling import compute_accidental_hits as compute_accidental_hits
from sluice.ops.nn.sampling import embedding_lookup as embedding_lookup
from sluice.ops.nn.sampling import embedding_lookup_sparse as embedding_lookup_sparse
from sluice.ops.nn.sampling import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from sluice.ops.nn.sampling import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from sluice.ops.nn.sampling import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from sluice.ops.nn.sampling import nce_loss as nce_loss
from sluice.ops.nn.sampling import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from sluice.ops.nn.sampling import sampled_softmax_loss as sampled_softmax_loss
from sluice.ops.nn.sampling import uniform_candidate_sampler as uniform_candidate_sampler
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def relu(features: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def relu6(features: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def elu(features: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def selu(features: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def leaky_relu(features: TensorLike, alpha: _b.float = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def l2_loss(t: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def local_response_normalization(input: TensorLike, depth_radius: _b.int = ..., bias: _b.float = ..., alpha: _b.float = ..., beta: _b.float = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def lrn(input: TensorLike, depth_radius: _b.int = ..., bias: _b.float = ..., alpha: _b.float = ..., beta: _b.float = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def swish(features: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def crelu(features: TensorLike, name: _Optional[_b.str] = ..., axis: _b.int = ...) -> Tensor: ...
def softmax(logits: TensorLike, axis: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., dim: _Any = ...) -> Tensor: ...
def log_softmax(logits: TensorLike, axis: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., dim: _Any = ...) -> Tensor: ...
def bias_add(value: TensorLike, bias: TensorLike, data_format: _Any = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def xw_plus_b(x: TensorLike, weights: TensorLike, biases: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def relu_layer(x: TensorLike, weights: TensorLike, biases: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def dropout(x: TensorLike, keep_prob: _Any = ..., noise_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., seed: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., rate: _Optional[TensorLike] = ...) -> Tensor: ...
def moments(x: TensorLike, axes: _Sequence[_b.int], shift: _Any = ..., name: _Optional[_b.str] = ..., keep_dims: _Any = ..., keepdims: _Optional[_b.bool] = ...) -> _b.tuple[_Any, ...]: ...
def weighted_moments(x: TensorLike, axes: _Sequence[_b.int], frequency_weights: TensorLike, name: _Optional[_b.str] = ..., keep_dims: _Any = ..., keepdims: _Optional[_b.bool] = ...) -> _b.tuple[_Any, ...]: ...
def batch_normalization(x: TensorLike, mean: TensorLike, variance: TensorLike, offset: _Optional[TensorLike], scale: _Optional[TensorLike], variance_epsilon: _Any, name: _Optional[_b.str] = ...) -> Tensor: ...
def fused_batch_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: _Optional[TensorLike] = ..., variance: _Optional[TensorLike] = ..., epsilon: _Any = ..., data_format: _Any = ..., is_training: _b.bool = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def softmax_cross_entropy_with_logits(_sentinel: _Any = ..., labels: _Optional[TensorLike] = ..., logits: _Optional[TensorLike] = ..., dim: _Any = ..., name: _Optional[_b.str] = ..., axis: _Optional[_b.int] = ...) -> Tensor: ...
def softmax_cross_entropy_with_logits_v2(labels: TensorLike, logits: TensorLike, axis: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., dim: _Any = ...) -> Tensor: ...
def sparse_softmax_cross_entropy_with_logits(_sentinel: _Any = ..., labels: _Optional[TensorLike] = ..., logits: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def sigmoid_cross_entropy_with_logits(_sentinel: _Any = ..., labels: _Optional[TensorLike] = ..., logits: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def weighted_cross_entropy_with_logits(labels: _Optional[TensorLike] = ..., logits: _Optional[TensorLike] = ..., pos_weight: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ..., targets: _Any = ...) -> Tensor: ...
def log_poisson_loss(targets: TensorLike, log_input: TensorLike, compute_full_loss: _b.bool = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def sufficient_statistics(x: TensorLike, axes: _Sequence[_b.int], shift: _Optional[TensorLike] = ..., keep_dims: _Any = ..., name: _Optional[_b.str] = ..., keepdims: _Optional[_b.bool] = ...) -> _b.tuple[_Any, ...]: ...
def normalize_moments(counts: TensorLike, mean_ss: TensorLike, variance_ss: TensorLike, shift: _Any, name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def batch_norm_with_global_normalization(t: _Optional[TensorLike] = ..., m: _Optional[TensorLike] = ..., v: _Optional[TensorLike] = ..., beta: _Optional[TensorLike] = ..., gamma: _Optional[TensorLike] = ..., variance_epsilon: _Any = ..., scale_after_normalization: _Optional[_b.bool] = ..., name: _Optional[_b.str] = ..., input: _Any = ..., mean: _Any = ..., variance: _Any = ...) -> Tensor: ...
def pool(input: TensorLike, window_shape: _Sequence[_b.int], pooling_type: _b.str, padding: _b.str, dilation_rate: _Any = ..., strides: _Optional[_Sequence[_b.int]] = ..., name: _Optional[_b.str] = ..., data_format: _Any = ..., dilations: _Any = ...) -> Tensor: ...
