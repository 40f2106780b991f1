# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.saving.signatures import build_signature_def as build_signature_def
from sluice.saving.signatures import classification_signature_def as classification_signature_def
from sluice.saving.signatures import is_valid_signature as is_valid_signature
from sluice.saving.signatures import predict_signature_def as predict_signature_def
from sluice.saving.signatures import regression_signature_def as regression_signature_def
