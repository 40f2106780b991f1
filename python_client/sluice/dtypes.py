# SPDX-License-Identifier: Apache-2.0
"""Element types of tensors; the numbers are those of the wire schema."""

import builtins

import numpy as np


class DType:
    """The type of a tensor's elements.

    Args:
        number: Its number in protocol messages, an int.
        name: Its name as graphs have it, a str such as "float32".
        numpy_type: The NumPy type of arrays with such elements. None: there is none.
        base: The dtype that it is a reference to. None: it is not a reference.
    """

    def __init__(self, number, name, numpy_type=None, base=None):
        self.as_datatype_enum = number
        self.name = name
        self._numpy = numpy_type
        self._base = base

    @property
    def as_numpy_dtype(self):
        """The NumPy type of arrays with such elements."""
        return self._numpy

    @property
    def is_floating(self):
        """Whether it is a floating-point dtype."""
        return self.base_dtype.name in ("float16", "bfloat16", "float32", "float64")

    @property
    def is_integer(self):
        """Whether it is an integer dtype that is not quantised."""
        return self.name.startswith(("int", "uint"))

    @property
    def is_unsigned(self):
        """Whether it is an integer dtype without negative numbers."""
        return self.name.startswith("uint")

    @property
    def is_bool(self):
        """Whether it is the dtype of True and False."""
        return self.base_dtype.name == "bool"

    @property
    def is_quantized(self):
        """Whether it is a quantised dtype."""
        return self.name.startswith(("qint", "quint"))

    @property
    def is_complex(self):
        """Whether it is a complex dtype."""
        return self.name.startswith("complex")

    @property
    def min(self):
        """The smallest number. TypeError: the dtype has none."""
        return self._limits("minimum")[0]

    @property
    def max(self):
        """The largest number. TypeError: the dtype has none."""
        return self._limits("maximum")[1]

    @property
    def limits(self):
        """The range of images with such elements, a pair. ValueError: the dtype has none."""
        if not (self.is_floating or self.is_integer or self.is_bool):
            raise ValueError(f"{self} does not have defined limits.")
        return 0, 1 if self.is_floating else limits(self)[1]

    def _limits(self, which):
        if not (self.is_floating or self.is_integer):
            raise TypeError(f"Cannot find {which} value of {self}.")
        return limits(self)

    @property
    def base_dtype(self):
        """The dtype without reference: float32 of float32_ref. Of others it is itself."""
        return self._base or self

    @property
    def _as_ref(self):
        """The dtype of references to variables with such elements."""
        return self if self._base else as_dtype(self.as_datatype_enum + 100)

    @property
    def _is_ref_dtype(self):
        return self._base is not None

    @property
    def real_dtype(self):
        """The dtype of the real parts of its numbers, as float32 of complex64."""
        return {"complex64": float32, "complex128": float64}.get(self.base_dtype.name, self)

    @property
    def size(self):
        """The size of an element in bytes; 1 if arrays cannot have such elements."""
        if self._numpy is None:
            return 1
        return 2 if self.base_dtype.name == "bfloat16" else np.dtype(self._numpy).itemsize

    @property
    def is_numpy_compatible(self):
        """Whether arrays of NumPy can have such elements."""
        return self._numpy is not None

    def is_compatible_with(self, other):
        """Tests whether a tensor of one dtype can be used as the other: references stand for
        their values, but not values for references.

        Args:
            other: A DType, or what as_dtype() takes.

        Returns:
            A bool.
        """
        other = as_dtype(other)
        return self in (other, other.base_dtype)

    def __reduce__(self):
        return as_dtype, (self.as_datatype_enum,)

    def __int__(self):
        return self.as_datatype_enum

    def __eq__(self, other):
        if self is other or other is None:  # there is one of each; None is not float64's
            return self is other
        try:
            return self.as_datatype_enum == as_dtype(other).as_datatype_enum
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return self.as_datatype_enum

    def __repr__(self):
        return f"sluice.{self.name}"

    def __str__(self):
        return f"<dtype: {self.name!r}>"


float32 = DType(1, "float32", np.float32)
float64 = double = DType(2, "float64", np.float64)
int32 = DType(3, "int32", np.int32)
uint8 = DType(4, "uint8", np.uint8)
int16 = DType(5, "int16", np.int16)
int8 = DType(6, "int8", np.int8)
string = DType(7, "string", np.object_)
complex64 = DType(8, "complex64", np.complex64)
int64 = DType(9, "int64", np.int64)
bool_ = DType(10, "bool", np.bool_)
qint8 = DType(11, "qint8", np.int8)
quint8 = DType(12, "quint8", np.uint8)
qint32 = DType(13, "qint32", np.int32)
bfloat16 = DType(14, "bfloat16", np.float32)  # NumPy has none: arrays hold its values
qint16 = DType(15, "qint16", np.int16)
quint16 = DType(16, "quint16", np.uint16)
uint16 = DType(17, "uint16", np.uint16)
complex128 = DType(18, "complex128", np.complex128)
float16 = half = DType(19, "float16", np.float16)
resource = DType(20, "resource")
variant = DType(21, "variant")
uint32 = DType(22, "uint32", np.uint32)
uint64 = DType(23, "uint64", np.uint64)

_ALL = [
    float32, float64, int32, uint8, int16, int8, string, complex64, int64, bool_, qint8, quint8,
    qint32, bfloat16, qint16, quint16, uint16, complex128, float16, resource, variant, uint32,
    uint64,
]  # fmt: skip
_REFERENCES = [DType(t.as_datatype_enum + 100, f"{t.name}_ref", t._numpy, t) for t in _ALL]
BY_NUMBER = {t.as_datatype_enum: t for t in _ALL + _REFERENCES}
_BY_NAME = {t.name: t for t in _ALL + _REFERENCES}
_BY_NAME |= {"half_ref": _BY_NAME["float16_ref"], "double_ref": _BY_NAME["float64_ref"]}
_BY_NAME |= {"float_ref": _BY_NAME["float32_ref"]}
_BY_NUMPY = {t._numpy: t for t in _ALL if t._numpy and np.dtype(t._numpy).name == t.name}


def as_dtype(type_value):
    """Converts a value to a DType.

    Args:
        type_value: A DType, its number, its name, or a NumPy type.

    Returns:
        A DType.

    Raises:
        TypeError: The value is not an element type.

    Example:
        >>> sl.as_dtype("float32") is sl.float32, sl.as_dtype(np.int64)
        (True, sluice.int64)
    """
    if isinstance(type_value, DType):
        return type_value
    if (
        isinstance(type_value, int)
        and not isinstance(type_value, builtins.bool)
        and type_value in BY_NUMBER
    ):
        return BY_NUMBER[type_value]
    if isinstance(type_value, str) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    if type_value is builtins.float or isinstance(type_value, str) and type_value == "float":
        return float32
    try:
        numpy_type = np.dtype(type_value)
    except TypeError:
        raise TypeError(f"Cannot convert value {type_value!r} to a DType.") from None
    if isinstance(type_value, str) and numpy_type.kind in "SU":  # "a"
        raise TypeError(f"Cannot convert value {type_value!r} to a DType.")
    if numpy_type.type in _BY_NUMPY:
        return _BY_NUMPY[numpy_type.type]
    if numpy_type.kind in "OSU":
        return string
    if numpy_type.name in _BY_NAME:
        return _BY_NAME[numpy_type.name]
    raise TypeError(f"Cannot convert value {type_value!r} to a DType.")


def limits(dtype, within=None):
    """The smallest and the largest number of a dtype, moved to what `within` can hold without
    rounding them out of the first dtype's range."""
    dtype = dtype.base_dtype
    if dtype == bool_:
        return 0, 1
    if dtype == bfloat16:
        largest = float(np.uint32(0x7F7F0000).view(np.float32))
        return -largest, largest
    if dtype._numpy is None or not (dtype.is_integer or dtype.is_floating):
        raise NotImplementedError(f"limits of {dtype.name}")
    info = np.iinfo(dtype._numpy) if dtype.is_integer else np.finfo(dtype._numpy)
    low, high = info.min, info.max
    if within is not None and within != dtype:
        other_low, other_high = limits(within)
        low, high = max(low, other_low), min(high, other_high)
        if within.is_floating and dtype.is_integer and within._numpy(high) > high:
            high = np.nextafter(within._numpy(high), within._numpy(0))
    return low, high


def smallest_normal(dtype):
    """The smallest positive number that is not denormal."""
    return np.finfo(as_dtype(dtype)._numpy).tiny


# Those of 1.15's sources; they are not names of the package.
REFERENCES = {t.name: t for t in _REFERENCES}
QUANTIZED_DTYPES = frozenset(t for t in _ALL + _REFERENCES if t.is_quantized)
__all__ = [
    "QUANTIZED_DTYPES",
    *(n for n, v in list(globals().items()) if isinstance(v, DType) and n != "bool_"),
]
__all__ += ["DType", "as_dtype"]
