# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.applications.dense import DenseNet121 as DenseNet121
from sluice.keras.applications.dense import DenseNet169 as DenseNet169
from sluice.keras.applications.dense import DenseNet201 as DenseNet201
from sluice.keras.applications.imagenet import decode_predictions as decode_predictions
from sluice.keras.applications.imagenet import scaled_for_torch as _keras_applications_imagenet_scaled_for_torch
preprocess_input = _keras_applications_imagenet_scaled_for_torch
