# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import rnn_cell as rnn_cell
from sluice.ops.array.blocks import batch_to_space as batch_to_space
from sluice.ops.array.blocks import depth_to_space as depth_to_space
from sluice.ops.array.blocks import space_to_batch as space_to_batch
from sluice.ops.array.blocks import space_to_depth as space_to_depth
from sluice.ops.linalg.norms import l2_normalize as l2_normalize
from sluice.ops.math.elementary import log_sigmoid as log_sigmoid
from sluice.ops.math.elementary import sigmoid as sigmoid
from sluice.ops.math.elementary import softplus as softplus
from sluice.ops.math.elementary import softsign as softsign
from sluice.ops.math.elementary import tanh as tanh
from sluice.ops.nn.activations import crelu as crelu
from sluice.ops.nn.activations import elu as elu
from sluice.ops.nn.activations import leaky_relu as leaky_relu
from sluice.ops.nn.activations import log_softmax as log_softmax
from sluice.ops.nn.activations import relu as relu
from sluice.ops.nn.activations import relu6 as relu6
from sluice.ops.nn.activations import selu as selu
from sluice.ops.nn.activations import softmax as softmax
from sluice.ops.nn.activations import swish as swish
from sluice.ops.nn.backpropagation import conv2d_backprop_filter as conv2d_backprop_filter
from sluice.ops.nn.backpropagation import conv2d_backprop_input as conv2d_backprop_input
from sluice.ops.nn.backpropagation import conv3d_backprop_filter_v2 as _ops_nn_backpropagation_conv3d_backprop_filter_v2
conv3d_backprop_filter = _ops_nn_backpropagation_conv3d_backprop_filter_v2
from sluice.ops.nn.backpropagation import conv3d_backprop_filter_v2 as conv3d_backprop_filter_v2
from sluice.ops.nn.backpropagation import depthwise_conv2d_native_backprop_filter as _ops_nn_backpropagation_depthwise_conv2d_native_backprop_filter
depthwise_conv2d_backprop_filter = _ops_nn_backpropagation_depthwise_conv2d_native_backprop_filter
from sluice.ops.nn.backpropagation import depthwise_conv2d_native_backprop_filter as depthwise_conv2d_native_backprop_filter
from sluice.ops.nn.backpropagation import depthwise_conv2d_native_backprop_input as _ops_nn_backpropagation_depthwise_conv2d_native_backprop_input
depthwise_conv2d_backprop_input = _ops_nn_backpropagation_depthwise_conv2d_native_backprop_input
from sluice.ops.nn.backpropagation import depthwise_conv2d_native_backprop_input as depthwise_conv2d_native_backprop_input
from sluice.ops.nn.convolution import atrous_conv2d as atrous_conv2d
from sluice.ops.nn.convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from sluice.ops.nn.convolution import conv1d as conv1d
from sluice.ops.nn.convolution import conv1d_transpose as conv1d_transpose
from sluice.ops.nn.convolution import conv2d as conv2d
from sluice.ops.nn.convolution import conv2d_transpose as conv2d_transpose
from sluice.ops.nn.convolution import conv3d as conv3d
from sluice.ops.nn.convolution import conv3d_transpose as conv3d_transpose
from sluice.ops.nn.convolution import conv_transpose as conv_transpose
from sluice.ops.nn.convolution import convolution as convolution
from sluice.ops.nn.cross_entropy import l2_loss as l2_loss
from sluice.ops.nn.cross_entropy import log_poisson_loss as log_poisson_loss
from sluice.ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from sluice.ops.nn.cross_entropy import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from sluice.ops.nn.cross_entropy import softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2
from sluice.ops.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from sluice.ops.nn.cross_entropy import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from sluice.ops.nn.ctc import collapse_repeated as collapse_repeated
from sluice.ops.nn.ctc import ctc_beam_search_decoder as ctc_beam_search_decoder
from sluice.ops.nn.ctc import ctc_beam_search_decoder_v2 as ctc_beam_search_decoder_v2
from sluice.ops.nn.ctc import ctc_greedy_decoder as ctc_greedy_decoder
from sluice.ops.nn.ctc import ctc_loss as ctc_loss
from sluice.ops.nn.ctc import ctc_loss_v2 as ctc_loss_v2
from sluice.ops.nn.ctc import ctc_unique_labels as ctc_unique_labels
from sluice.ops.nn.depthwise import depthwise_conv2d as depthwise_conv2d
from sluice.ops.nn.depthwise import depthwise_conv2d_native as depthwise_conv2d_native
from sluice.ops.nn.depthwise import separable_conv2d as separable_conv2d
from sluice.ops.nn.dilation import with_space_to_batch as with_space_to_batch
from sluice.ops.nn.layers import bias_add as bias_add
from sluice.ops.nn.layers import dropout as dropout
from sluice.ops.nn.layers import relu_layer as relu_layer
from sluice.ops.nn.layers import xw_plus_b as xw_plus_b
from sluice.ops.nn.morphology import dilation2d as dilation2d
from sluice.ops.nn.morphology import erosion2d as erosion2d
from sluice.ops.nn.normalization import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from sluice.ops.nn.normalization import batch_normalization as batch_normalization
from sluice.ops.nn.normalization import fused_batch_norm as fused_batch_norm
from sluice.ops.nn.normalization import lrn as _ops_nn_normalization_lrn
local_response_normalization = _ops_nn_normalization_lrn
from sluice.ops.nn.normalization import lrn as lrn
from sluice.ops.nn.normalization import moments as moments
from sluice.ops.nn.normalization import normalize_moments as normalize_moments
from sluice.ops.nn.normalization import sufficient_statistics as sufficient_statistics
from sluice.ops.nn.normalization import weighted_moments as weighted_moments
from sluice.ops.nn.pooling import avg_pool1d as avg_pool1d
from sluice.ops.nn.pooling import avg_pool2d as _ops_nn_pooling_avg_pool2d
avg_pool = _ops_nn_pooling_avg_pool2d
from sluice.ops.nn.pooling import avg_pool2d as avg_pool2d
from sluice.ops.nn.pooling import avg_pool3d as avg_pool3d
from sluice.ops.nn.pooling import avg_pool_v2 as avg_pool_v2
from sluice.ops.nn.pooling import fractional_avg_pool as fractional_avg_pool
from sluice.ops.nn.pooling import fractional_max_pool as fractional_max_pool
from sluice.ops.nn.pooling import max_pool as max_pool
from sluice.ops.nn.pooling import max_pool1d as max_pool1d
from sluice.ops.nn.pooling import max_pool2d as max_pool2d
from sluice.ops.nn.pooling import max_pool3d as max_pool3d
from sluice.ops.nn.pooling import max_pool_v2 as max_pool_v2
from sluice.ops.nn.pooling import max_pool_with_argmax as max_pool_with_argmax
from sluice.ops.nn.pooling import pool as pool
from sluice.ops.nn.ranking import in_top_k as in_top_k
from sluice.ops.nn.ranking import top_k as top_k
from sluice.ops.nn.sampling import embedding_lookup as embedding_lookup
from sluice.ops.nn.sampling import embedding_lookup_sparse as embedding_lookup_sparse
from sluice.ops.nn.sampling import nce_loss as nce_loss
from sluice.ops.nn.sampling import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from sluice.ops.nn.sampling import sampled_softmax_loss as sampled_softmax_loss
from sluice.ops.nn.sparsity import zero_fraction as zero_fraction
from sluice.ops.quantized.networks import quantized_avg_pool as quantized_avg_pool
from sluice.ops.quantized.networks import quantized_conv2d as quantized_conv2d
from sluice.ops.quantized.networks import quantized_max_pool as quantized_max_pool
from sluice.ops.quantized.networks import quantized_relu_x as quantized_relu_x
from sluice.ops.random.candidates import all_candidate_sampler as all_candidate_sampler
from sluice.ops.random.candidates import compute_accidental_hits as compute_accidental_hits
from sluice.ops.random.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from sluice.ops.random.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from sluice.ops.random.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from sluice.ops.random.candidates import uniform_candidate_sampler as uniform_candidate_sampler
from sluice.ops.rnn.raw_rnn import raw_rnn as raw_rnn
from sluice.ops.rnn.raw_rnn import static_state_saving_rnn as static_state_saving_rnn
from sluice.ops.rnn.rnn import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from sluice.ops.rnn.rnn import dynamic_rnn as dynamic_rnn
from sluice.ops.rnn.rnn import static_bidirectional_rnn as static_bidirectional_rnn
from sluice.ops.rnn.rnn import static_rnn as static_rnn
from sluice.strategies.losses import compute_average_loss as compute_average_loss
from sluice.strategies.losses import scale_regularization_loss as scale_regularization_loss


