# SPDX-License-Identifier: Apache-2.0
"""A line of data about an op: its inputs and attributes, or the error expected.

ops_test.py asks TensorFlow for the answers.

    Case("AddV2", normal(2, 3), normal(3), types=NUMBERS)        once for each dtype
    Case("Gather", of([1, 2]), of([5], "int32"), error=INVALID)  both must fail with this code

An input without a dtype of its own takes the case's. A list is an input of several tensors.
Attributes go by name.
"""

import numpy as np

INVALID = "INVALID_ARGUMENT"

FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED
REALS = FLOATS + INTS
NUMBERS = REALS + COMPLEX
ANY = NUMBERS + ("bool", "string")
F32 = ("float32",)
F64 = ("float32", "float64")
INDEX = ("int32", "int64")


class Value:
    """An input whose elements are drawn for a dtype."""

    def __init__(self, draw, dtype=None, static=False):
        self.draw, self.dtype, self.static = draw, dtype, static


def _words(rng, shape):
    words = np.array(
        [b"", b"a", b"b", b"cd", b"\x00\xff", b"long enough not to be stored inline in a string"],
        dtype=object,
    )
    return words[rng.randint(0, len(words), size=shape)]


def _numbers(rng, shape, dtype, low, high):
    if dtype == "string":
        return _words(rng, shape)
    if dtype == "bool":
        return rng.rand(*shape) < 0.5
    if "int" in dtype:
        return rng.randint(
            0 if dtype.startswith("u") else int(np.floor(low)), int(np.ceil(high)) + 1, size=shape
        )
    values = rng.uniform(low, high, size=shape)
    return values + 1j * rng.uniform(low, high, size=shape) if "complex" in dtype else values


def between(low, high, *shape, **kw):
    return Value(lambda rng, dtype: _numbers(rng, shape, dtype, low, high), kw.get("dtype"))


def normal(*shape, **kw):
    return between(-4, 4, *shape, **kw)


def positive(*shape, **kw):
    return between(0.25, 5, *shape, **kw)


def nonzero(*shape, **kw):
    def draw(rng, dtype):
        values = _numbers(rng, shape, dtype, -4, 4)
        return np.where(np.asarray(values) == 0, np.asarray(3), values)

    return Value(draw, kw.get("dtype"))


def of(values, dtype=None):
    return Value(lambda rng, dtype: values, dtype)


def i32(values):
    return of(values, "int32")


def i64(values):
    return of(values, "int64")


def known(value):
    """The same, of a shape that the client knows: where its inference of shapes insists."""
    return Value(value.draw, value.dtype, True)


def arange(*shape):
    count = int(np.prod(shape))

    def draw(rng, dtype):
        if dtype == "string":
            return np.array([b"s%d" % i for i in range(count)], dtype=object).reshape(shape)
        return np.arange(count).reshape(shape) % (2 if dtype == "bool" else 100)

    return Value(draw)


class Case:
    """One line. `ours`: TensorFlow is not asked (it dies, or answers otherwise for a reason given).
    `like`: only TensorFlow of this major version is. `atol`: what sums of large terms lose.
    `gradient`: False where TensorFlow's is no measure."""

    def __init__(self, op, *inputs, **kw):
        self.op, self.inputs = op, inputs
        self.types = kw.pop("types", F32)
        self.error = kw.pop("error", None)
        self.text = kw.pop("text", None)
        self.ours = kw.pop("ours", None)
        self.like = kw.pop("like", None)
        self.rtol = kw.pop("rtol", None)
        self.atol = kw.pop("atol", None)
        self.gradient = kw.pop("gradient", True)
        self.attrs = kw


NAN, INF = float("nan"), float("inf")
TINY = of([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 1e-3, 50.0, -50.0, 1e4])
ODD = of(
    [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 2.5, 1e-3, -1e-3, 50.0, -50.0, 1e4, -1e4]
)
INT_EDGES = of([-128, -127, -1, 0, 1, 2, 127])
BIG = of([-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1], "int32")
BIG64 = of([-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 1], "int64")
