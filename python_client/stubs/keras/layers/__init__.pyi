# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.engine.input_layer import Input as Input
from sluice.keras.engine.input_layer import InputLayer as InputLayer
from sluice.keras.engine.layer import Layer as Layer
from sluice.keras.engine.registry import deserialize as deserialize
from sluice.keras.engine.registry import serialize as serialize
from sluice.keras.layers.adopted import AveragePooling1D as AveragePooling1D
from sluice.keras.layers.adopted import AveragePooling1D as _keras_layers_adopted_AveragePooling1D
AvgPool1D = _keras_layers_adopted_AveragePooling1D
from sluice.keras.layers.adopted import AveragePooling2D as AveragePooling2D
from sluice.keras.layers.adopted import AveragePooling2D as _keras_layers_adopted_AveragePooling2D
AvgPool2D = _keras_layers_adopted_AveragePooling2D
from sluice.keras.layers.adopted import AveragePooling3D as AveragePooling3D
from sluice.keras.layers.adopted import AveragePooling3D as _keras_layers_adopted_AveragePooling3D
AvgPool3D = _keras_layers_adopted_AveragePooling3D
from sluice.keras.layers.adopted import BatchNormalization as BatchNormalization
from sluice.keras.layers.adopted import Conv1D as Conv1D
from sluice.keras.layers.adopted import Conv1D as _keras_layers_adopted_Conv1D
Convolution1D = _keras_layers_adopted_Conv1D
from sluice.keras.layers.adopted import Conv2D as Conv2D
from sluice.keras.layers.adopted import Conv2D as _keras_layers_adopted_Conv2D
Convolution2D = _keras_layers_adopted_Conv2D
from sluice.keras.layers.adopted import Conv2DTranspose as Conv2DTranspose
from sluice.keras.layers.adopted import Conv2DTranspose as _keras_layers_adopted_Conv2DTranspose
Convolution2DTranspose = _keras_layers_adopted_Conv2DTranspose
from sluice.keras.layers.adopted import Conv3D as Conv3D
from sluice.keras.layers.adopted import Conv3D as _keras_layers_adopted_Conv3D
Convolution3D = _keras_layers_adopted_Conv3D
from sluice.keras.layers.adopted import Conv3DTranspose as Conv3DTranspose
from sluice.keras.layers.adopted import Conv3DTranspose as _keras_layers_adopted_Conv3DTranspose
Convolution3DTranspose = _keras_layers_adopted_Conv3DTranspose
from sluice.keras.layers.adopted import Dense as Dense
from sluice.keras.layers.adopted import Dropout as Dropout
from sluice.keras.layers.adopted import Flatten as Flatten
from sluice.keras.layers.adopted import MaxPooling1D as MaxPooling1D
from sluice.keras.layers.adopted import MaxPooling1D as _keras_layers_adopted_MaxPooling1D
MaxPool1D = _keras_layers_adopted_MaxPooling1D
from sluice.keras.layers.adopted import MaxPooling2D as MaxPooling2D
from sluice.keras.layers.adopted import MaxPooling2D as _keras_layers_adopted_MaxPooling2D
MaxPool2D = _keras_layers_adopted_MaxPooling2D
from sluice.keras.layers.adopted import MaxPooling3D as MaxPooling3D
from sluice.keras.layers.adopted import MaxPooling3D as _keras_layers_adopted_MaxPooling3D
MaxPool3D = _keras_layers_adopted_MaxPooling3D
from sluice.keras.layers.adopted import SeparableConv1D as SeparableConv1D
from sluice.keras.layers.adopted import SeparableConv1D as _keras_layers_adopted_SeparableConv1D
SeparableConvolution1D = _keras_layers_adopted_SeparableConv1D
from sluice.keras.layers.adopted import SeparableConv2D as SeparableConv2D
from sluice.keras.layers.adopted import SeparableConv2D as _keras_layers_adopted_SeparableConv2D
SeparableConvolution2D = _keras_layers_adopted_SeparableConv2D
from sluice.keras.layers.attention import AdditiveAttention as AdditiveAttention
from sluice.keras.layers.attention import Attention as Attention
from sluice.keras.layers.cells import GRUCell as GRUCell
from sluice.keras.layers.cells import LSTMCell as LSTMCell
from sluice.keras.layers.cells import SimpleRNNCell as SimpleRNNCell
from sluice.keras.layers.cells import StackedRNNCells as StackedRNNCells
from sluice.keras.layers.convolutional_recurrent import AbstractRNNCell as AbstractRNNCell
from sluice.keras.layers.convolutional_recurrent import ConvLSTM2D as ConvLSTM2D
from sluice.keras.layers.core import Activation as Activation
from sluice.keras.layers.core import ActivityRegularization as ActivityRegularization
from sluice.keras.layers.core import Embedding as Embedding
from sluice.keras.layers.core import Lambda as Lambda
from sluice.keras.layers.core import Masking as Masking
from sluice.keras.layers.core import Permute as Permute
from sluice.keras.layers.core import RepeatVector as RepeatVector
from sluice.keras.layers.core import Reshape as Reshape
from sluice.keras.layers.cudnn import CuDNNGRU as CuDNNGRU
from sluice.keras.layers.cudnn import CuDNNLSTM as CuDNNLSTM
from sluice.keras.layers.elements import AlphaDropout as AlphaDropout
from sluice.keras.layers.elements import ELU as ELU
from sluice.keras.layers.elements import GaussianDropout as GaussianDropout
from sluice.keras.layers.elements import GaussianNoise as GaussianNoise
from sluice.keras.layers.elements import LayerNormalization as LayerNormalization
from sluice.keras.layers.elements import LeakyReLU as LeakyReLU
from sluice.keras.layers.elements import PReLU as PReLU
from sluice.keras.layers.elements import ReLU as ReLU
from sluice.keras.layers.elements import Softmax as Softmax
from sluice.keras.layers.elements import SpatialDropout1D as SpatialDropout1D
from sluice.keras.layers.elements import SpatialDropout2D as SpatialDropout2D
from sluice.keras.layers.elements import SpatialDropout3D as SpatialDropout3D
from sluice.keras.layers.elements import ThresholdedReLU as ThresholdedReLU
from sluice.keras.layers.features import DenseFeatures as DenseFeatures
from sluice.keras.layers.local import LocallyConnected1D as LocallyConnected1D
from sluice.keras.layers.local import LocallyConnected2D as LocallyConnected2D
from sluice.keras.layers.merging import Add as Add
from sluice.keras.layers.merging import Average as Average
from sluice.keras.layers.merging import Concatenate as Concatenate
from sluice.keras.layers.merging import Dot as Dot
from sluice.keras.layers.merging import Maximum as Maximum
from sluice.keras.layers.merging import Minimum as Minimum
from sluice.keras.layers.merging import Multiply as Multiply
from sluice.keras.layers.merging import Subtract as Subtract
from sluice.keras.layers.merging import add as add
from sluice.keras.layers.merging import average as average
from sluice.keras.layers.merging import concatenate as concatenate
from sluice.keras.layers.merging import dot as dot
from sluice.keras.layers.merging import maximum as maximum
from sluice.keras.layers.merging import minimum as minimum
from sluice.keras.layers.merging import multiply as multiply
from sluice.keras.layers.merging import subtract as subtract
from sluice.keras.layers.recurrent import Bidirectional as Bidirectional
from sluice.keras.layers.recurrent import GRU as GRU
from sluice.keras.layers.recurrent import LSTM as LSTM
from sluice.keras.layers.recurrent import RNN as RNN
from sluice.keras.layers.recurrent import SimpleRNN as SimpleRNN
from sluice.keras.layers.recurrent import TimeDistributed as TimeDistributed
from sluice.keras.layers.recurrent import Wrapper as Wrapper
from sluice.keras.layers.windows import Cropping1D as Cropping1D
from sluice.keras.layers.windows import Cropping2D as Cropping2D
from sluice.keras.layers.windows import Cropping3D as Cropping3D
from sluice.keras.layers.windows import DepthwiseConv2D as DepthwiseConv2D
from sluice.keras.layers.windows import GlobalAveragePooling1D as GlobalAveragePooling1D
from sluice.keras.layers.windows import GlobalAveragePooling1D as _keras_layers_windows_GlobalAveragePooling1D
GlobalAvgPool1D = _keras_layers_windows_GlobalAveragePooling1D
from sluice.keras.layers.windows import GlobalAveragePooling2D as GlobalAveragePooling2D
from sluice.keras.layers.windows import GlobalAveragePooling2D as _keras_layers_windows_GlobalAveragePooling2D
GlobalAvgPool2D = _keras_layers_windows_GlobalAveragePooling2D
from sluice.keras.layers.windows import GlobalAveragePooling3D as GlobalAveragePooling3D
from sluice.keras.layers.windows import GlobalAveragePooling3D as _keras_layers_windows_GlobalAveragePooling3D
GlobalAvgPool3D = _keras_layers_windows_GlobalAveragePooling3D
from sluice.keras.layers.windows import GlobalMaxPooling1D as GlobalMaxPooling1D
from sluice.keras.layers.windows import GlobalMaxPooling1D as _keras_layers_windows_GlobalMaxPooling1D
GlobalMaxPool1D = _keras_layers_windows_GlobalMaxPooling1D
from sluice.keras.layers.windows import GlobalMaxPooling2D as GlobalMaxPooling2D
from sluice.keras.layers.windows import GlobalMaxPooling2D as _keras_layers_windows_GlobalMaxPooling2D
GlobalMaxPool2D = _keras_layers_windows_GlobalMaxPooling2D
from sluice.keras.layers.windows import GlobalMaxPooling3D as GlobalMaxPooling3D
from sluice.keras.layers.windows import GlobalMaxPooling3D as _keras_layers_windows_GlobalMaxPooling3D
GlobalMaxPool3D = _keras_layers_windows_GlobalMaxPooling3D
from sluice.keras.layers.windows import UpSampling1D as UpSampling1D
from sluice.keras.layers.windows import UpSampling2D as UpSampling2D
from sluice.keras.layers.windows import UpSampling3D as UpSampling3D
from sluice.keras.layers.windows import ZeroPadding1D as ZeroPadding1D
from sluice.keras.layers.windows import ZeroPadding2D as ZeroPadding2D
from sluice.keras.layers.windows import ZeroPadding3D as ZeroPadding3D
from sluice.layers.input_spec import InputSpec as InputSpec


