# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.applications.residual_inception import InceptionResNetV2 as InceptionResNetV2
from sluice.keras.applications.imagenet import decode_predictions as decode_predictions
from sluice.keras.applications.imagenet import scaled_for_tf as _keras_applications_imagenet_scaled_for_tf
preprocess_input = _keras_applications_imagenet_scaled_for_tf
