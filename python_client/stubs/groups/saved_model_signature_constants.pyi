# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

CLASSIFY_INPUTS: _Any
CLASSIFY_METHOD_NAME: _Any
CLASSIFY_OUTPUT_CLASSES: _Any
CLASSIFY_OUTPUT_SCORES: _Any
DEFAULT_SERVING_SIGNATURE_DEF_KEY: _Any
PREDICT_INPUTS: _Any
PREDICT_METHOD_NAME: _Any
PREDICT_OUTPUTS: _Any
REGRESS_INPUTS: _Any
REGRESS_METHOD_NAME: _Any
REGRESS_OUTPUTS: _Any
