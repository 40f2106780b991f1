# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.applications.residual import ResNet50 as ResNet50
from sluice.keras.applications.imagenet import decode_predictions as decode_predictions
from sluice.keras.applications.imagenet import scaled_for_caffe as _keras_applications_imagenet_scaled_for_caffe
preprocess_input = _keras_applications_imagenet_scaled_for_caffe
