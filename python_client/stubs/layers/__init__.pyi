# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.layers.convolution import Conv1D as Conv1D
from sluice.layers.convolution import Conv2D as Conv2D
from sluice.layers.convolution import Conv3D as Conv3D
from sluice.layers.convolution import conv1d as conv1d
from sluice.layers.convolution import conv2d as conv2d
from sluice.layers.convolution import conv3d as conv3d
from sluice.layers.dense import Dense as Dense
from sluice.layers.dense import dense as dense
from sluice.layers.input_spec import InputSpec as InputSpec
from sluice.layers.layer import Layer as Layer
from sluice.layers.normalization import BatchNormalization as BatchNormalization
from sluice.layers.normalization import batch_normalization as batch_normalization
from sluice.layers.pooling import AveragePooling1D as AveragePooling1D
from sluice.layers.pooling import AveragePooling2D as AveragePooling2D
from sluice.layers.pooling import AveragePooling3D as AveragePooling3D
from sluice.layers.pooling import MaxPooling1D as MaxPooling1D
from sluice.layers.pooling import MaxPooling2D as MaxPooling2D
from sluice.layers.pooling import MaxPooling3D as MaxPooling3D
from sluice.layers.pooling import average_pooling1d as average_pooling1d
from sluice.layers.pooling import average_pooling2d as average_pooling2d
from sluice.layers.pooling import average_pooling3d as average_pooling3d
from sluice.layers.pooling import max_pooling1d as max_pooling1d
from sluice.layers.pooling import max_pooling2d as max_pooling2d
from sluice.layers.pooling import max_pooling3d as max_pooling3d
from sluice.layers.separable import SeparableConv1D as SeparableConv1D
from sluice.layers.separable import SeparableConv2D as SeparableConv2D
from sluice.layers.separable import separable_conv1d as separable_conv1d
from sluice.layers.separable import separable_conv2d as separable_conv2d
from sluice.layers.shaping import Dropout as Dropout
from sluice.layers.shaping import Flatten as Flatten
from sluice.layers.shaping import dropout as dropout
from sluice.layers.shaping import flatten as flatten
from sluice.layers.transposed import Conv2DTranspose as Conv2DTranspose
from sluice.layers.transposed import Conv3DTranspose as Conv3DTranspose
from sluice.layers.transposed import conv2d_transpose as conv2d_transpose
from sluice.layers.transposed import conv3d_transpose as conv3d_transpose


