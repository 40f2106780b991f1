# SPDX-License-Identifier: Apache-2.0
"""Gradients of convolutions."""

from ..building import thin, with_names

_CONV2D = "strides padding use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]"


_DEEP = "strides padding data_format='NHWC' dilations=[1,1,1,1]"


conv2d_backprop_filter = thin(
    "Conv2DBackpropFilter",
    f"input filter_sizes out_backprop {_CONV2D}",
    "Computes the gradient of conv2d() by its filter.",
)


conv2d_backprop_input = thin(
    "Conv2DBackpropInput",
    "input_sizes filter|filters out_backprop=None strides=None padding=None"
    " use_cudnn_on_gpu=True data_format='NHWC' dilations=[1,1,1,1]",
    "Computes the gradient of conv2d() by its input.",
)


conv3d_backprop_filter = conv3d_backprop_filter_v2 = thin(
    "Conv3DBackpropFilterV2",
    "input filter_sizes out_backprop strides padding" " data_format='NDHWC' dilations=[1,1,1,1,1]",
    "Computes the gradient of conv3d() by its filter.",
)


depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter = thin(
    "DepthwiseConv2dNativeBackpropFilter",
    f"input filter_sizes out_backprop {_DEEP}",
    "Computes the gradient of depthwise_conv2d() by its filter.",
)


depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input = thin(
    "DepthwiseConv2dNativeBackpropInput",
    f"input_sizes filter out_backprop {_DEEP}",
    "Computes the gradient of depthwise_conv2d() by its input.",
)


__all__ = with_names(globals())
