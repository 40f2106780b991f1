# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import keras_preprocessing_image as _keras_preprocessing_image
image = _keras_preprocessing_image
from sluice.groups import keras_preprocessing_sequence as _keras_preprocessing_sequence
sequence = _keras_preprocessing_sequence
from sluice.groups import keras_preprocessing_text as _keras_preprocessing_text
text = _keras_preprocessing_text
