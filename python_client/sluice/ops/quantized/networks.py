# SPDX-License-Identifier: Apache-2.0
"""Layers of networks on numbers of few bits. Each takes and gives the ranges of the numbers."""

from ..building import thin, with_names

_POOLED = "input min_input max_input ksize strides padding"
quantized_avg_pool = thin(
    "QuantizedAvgPool", _POOLED, "Computes the mean of each window of an image."
)
quantized_max_pool = thin(
    "QuantizedMaxPool", _POOLED, "Computes the maximum of each window of an image."
)
quantized_conv2d = thin(
    "QuantizedConv2D",
    "input filter min_input max_input min_filter max_filter strides padding out_type='qint32'"
    " dilations=[1,1,1,1]",
    "Computes the convolution of images.",
)
quantized_relu_x = thin(
    "QuantizedReluX",
    "features max_value min_features max_features out_type='quint8'",
    "Computes min(max(features, 0), max_value).",
)
__all__ = with_names(globals())
