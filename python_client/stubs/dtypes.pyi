# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.array.casting import cast as cast
from sluice.ops.array.casting import saturate_cast as saturate_cast
from sluice.ops.math.complex_numbers import complex as complex
from sluice.ops.strings.strings import as_string as as_string
from sluice.types import DTypeLike as DTypeLike

class DType:
    as_datatype_enum: _Any
    name: _b.str
    def __init__(self, number: _b.int, name: _b.str, numpy_type: _Any = ..., base: _Optional[DTypeLike] = ...) -> None: ...
    @property
    def as_numpy_dtype(self) -> _Any: ...
    @property
    def is_floating(self) -> _b.bool: ...
    @property
    def is_integer(self) -> _b.bool: ...
    @property
    def is_unsigned(self) -> _b.bool: ...
    @property
    def is_bool(self) -> _b.bool: ...
    @property
    def is_quantized(self) -> _b.bool: ...
    @property
    def is_complex(self) -> _b.bool: ...
    @property
    def min(self) -> _Any: ...
    @property
    def max(self) -> _Any: ...
    @property
    def limits(self) -> _Any: ...
    @property
    def base_dtype(self) -> _Any: ...
    @property
    def _as_ref(self) -> _Any: ...
    @property
    def _is_ref_dtype(self) -> _Any: ...
    @property
    def real_dtype(self) -> _Any: ...
    @property
    def size(self) -> _Any: ...
    @property
    def is_numpy_compatible(self) -> _b.bool: ...
    def is_compatible_with(self, other: DType) -> _b.bool: ...
    def __reduce__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __int__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
float32: DType
float64: DType
double: DType
int32: DType
uint8: DType
int16: DType
int8: DType
string: DType
complex64: DType
int64: DType
qint8: DType
quint8: DType
qint32: DType
bfloat16: DType
qint16: DType
quint16: DType
uint16: DType
complex128: DType
float16: DType
half: DType
resource: DType
variant: DType
uint32: DType
uint64: DType
def as_dtype(type_value: DType) -> DType: ...
def limits(dtype: _Any, within: _Any = ...) -> None: ...
def smallest_normal(dtype: _Any) -> None: ...
QUANTIZED_DTYPES: _Any
bool: DType
