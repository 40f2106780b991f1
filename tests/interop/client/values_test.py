# SPDX-License-Identifier: Apache-2.0
"""Every dtype made of every kind of Python value, by every way into a graph, in both clients.

Value, shape and dtype agree; what TensorFlow refuses is refused with the same class of exception.
RULES names the differences that are meant.

values_test.py [WAY...]   WAY: only these ways
"""

import sys
import warnings

import numpy as np

from interop.tools.batch import Batch
from interop.tools.two_clients import answer, both

DTYPES = """
    float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool string
    complex64 complex128 qint8 quint8 qint16 quint16 qint32
""".split()

# As text: what a client is given is also what a failure prints.
VALUES = """
    0 | 1 | -1 | 3 | 300 | 70000 | 2049 | 257 | 2**31 | 2**40 | -2**40 | 2**63 | 2**64 | 0.5 | -2.7
    1e10 | 1e300 | 1.00390625 | float("nan") | float("inf") | True | False | 1j | 2+0j | "a" | b"a"
    "a\\0" | "1.5" | "3" | None | [] | [[]] | [1, 2] | (1, 2) | [1, 2.5] | [0.5, 1.5]
    [True, False]
    [True, 1] | [1j, 2] | ["a", b"b"] | ["a", 1] | [1, "a"] | [None, 1.0] | [None] | [None, "a"]
    [[1, 2], [3, 4]] | [[1, 2], [3]] | [[1], 2] | [300, 1] | [-1, 2] | [2**40, 1] | [2**63, 1]
    [1e10, 2] | [(1,), (2,)] | (1,) | [1.00390625, 1.01171875, 3.4e38, -0.0, 1e-40] | {"a": 1}
    np.float16(0.5) | np.float32(1.5) | np.float64(0.1) | np.int8(-3) | np.int32(7)
    np.int64(2**40)
    np.uint8(200) | np.uint64(2**63) | np.bool_(True) | np.complex64(1 + 2j) | np.str_("a")
    np.bytes_(b"a") | [np.float32(1.5), 2] | [np.int64(3)] | [np.bool_(True)] | np.array(5)
    np.array(0.5) | np.array([1.5, -2.5]) | np.array([1, 2, 300]) | np.array([1, 2], np.uint8)
    np.array([0.1, 0.7], np.float16) | np.array([True, False]) | np.array([1 + 2j, 3])
    np.array([1, 2], np.complex64) | np.array(["a", "bc"]) | np.array([b"a", b"b\\0c"])
    np.array("3") | np.array(["1.5", "2"]) | np.array([1, 2], object)
    np.array(["a", b"b"], object)
    np.array([1, "a"], object) | np.array([1.0, None], object) | np.array([None], object)
    np.zeros((2, 0)) | np.arange(6).reshape(2, 3).T | np.arange(10.0)[::3] | np.arange(4)[::-1]
    np.array([2.5, 1], ">f4") | np.array(7, ">i2") | np.array([2**40, -1]) | np.array([1e10, -1e10])
    np.array([float("nan"), 1]) | np.datetime64("2000-01-01") | np.array([], np.int64)
    bytearray(b"ab") | memoryview(b"ab") | range(3) | [range(2)] | [np.array([1, 2])]
    [np.array(1), np.array(2)] | [np.array([1.0, 2.0]), np.array([3.0, 4.0])] | {1, 2} | object
""".replace("\n    ", " | ")
VALUES = [v.strip() for v in VALUES.split(" | ") if v.strip()]


def variable(tf, value, dtype):
    return tf.Variable(value, dtype=dtype, use_resource=True).initial_value


def assigned(tf, value, dtype):
    start = [True] if dtype == tf.bool else ["a"] if dtype == tf.string else np.ones(1)
    ref = tf.Variable(tf.constant(start, dtype), validate_shape=False)
    return tf.assign(ref, value, validate_shape=False)


def added(tf, value, dtype):
    start = "x" if dtype == tf.string else np.array(1)
    return tf.constant(start, dtype) + value


def added_to(tf, value, dtype):
    start = "x" if dtype == tf.string else np.array(1)
    return value + tf.constant(start, dtype)


def multiplied(tf, value, dtype):
    return tf.multiply(value, tf.constant(np.array(2), dtype))


NUMBERS = [d for d in DTYPES if d != "string" and d != "bool" and d[0] != "q" and d[:3] != "qui"]
WAYS = {
    "constant": (lambda tf, value, dtype: tf.constant(value, dtype), DTYPES),
    "convert": (lambda tf, value, dtype: tf.convert_to_tensor(value, dtype), DTYPES),
    "plain": (lambda tf, value, dtype: tf.convert_to_tensor(value), [None]),
    "hint": (lambda tf, v, dtype: tf.convert_to_tensor(v, preferred_dtype=dtype), DTYPES),
    "shape": (lambda tf, value, dtype: tf.constant(value, dtype, shape=[3]), DTYPES),
    "variable": (variable, DTYPES),
    "assign": (assigned, ["float32", "int32", "bool", "string", "complex64", "float64", "int64"]),
    "fill": (lambda tf, value, dtype: tf.fill([2], value), [None]),
    "add": (added, [*NUMBERS, "string"]),
    "radd": (added_to, [*NUMBERS, "string"]),
    "multiply": (multiplied, NUMBERS),
    "feed": (None, [d for d in DTYPES]),
}


def run_all(tf, chosen):
    """(way, dtype, value) -> "dtype shape elements", or the name of an exception's class."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    found = {}
    for way, (function, dtypes) in WAYS.items():
        for dtype in dtypes:
            if name_of(way, dtype) not in chosen:
                continue
            with tf.Graph().as_default(), tf.Session() as sess:
                if way == "feed":
                    part = run_feeds(tf, sess, dtype)
                else:
                    part = run_builds(tf, sess, function, dtype)
            found.update({(way, dtype or "-", text): result for text, result in part.items()})
    return found


def run_builds(tf, sess, function, dtype):
    made, found = {}, {}
    for text in VALUES:
        try:
            made[text] = function(tf, value_of(text), dtype and tf.as_dtype(dtype))
            if not hasattr(made[text], "graph"):  # NumPy's operators have taken the tensor apart
                found[text] = "not a tensor"
                del made[text]
        except Exception as e:
            found[text] = type(e).__name__
    try:
        sess.run([v.initializer for v in tf.global_variables()])
        results = dict(zip(made, sess.run(list(made.values()))))
        found.update({text: described(tf, v, made[text].dtype) for text, v in results.items()})
    except Exception:  # one op without a kernel: each in a graph of its own
        found.update({text: run_alone(tf, function, text, dtype) for text in made})
    return found


def run_alone(tf, function, text, dtype):
    with tf.Graph().as_default(), tf.Session() as sess:
        tensor = function(tf, value_of(text), dtype and tf.as_dtype(dtype))
        try:
            sess.run([v.initializer for v in tf.global_variables()])
            return described(tf, sess.run(tensor), tensor.dtype)
        except Exception as e:
            return "runs to " + type(e).__name__


def run_feeds(tf, sess, dtype):
    holder = tf.placeholder(tf.as_dtype(dtype))
    through = tf.identity(holder)
    return {
        text: outcome(tf, lambda: sess.run(through, {holder: value_of(text)}), holder.dtype)  # noqa: B023
        for text in VALUES
    }


def value_of(text):
    return eval(text, {"np": np, "float": float})


def outcome(tf, call, dtype):
    try:
        return described(tf, call(), dtype)
    except Exception as e:
        return type(e).__name__


def described(tf, value, dtype):
    array = np.asarray(value)
    if dtype.name == "bfloat16":
        array = array.astype(np.float32)
    items = [repr(x) for x in array.ravel().tolist()]
    return f"{tf.as_dtype(dtype).name.replace('_ref', '')} {list(array.shape)} {' '.join(items)}"


# ---- differences that are meant: (why, a test of way, dtype, value, our result, TensorFlow's)

ERRORS = "TypeError ValueError OverflowError NotImplementedError InternalError".split()
NONE = 'None | [None, 1.0] | [None] | [None, "a"]'.split(" | ")


def refused(result):
    return result in ERRORS


def computed(result):
    return " " in result and not result.startswith("runs to")


RULES = [
    (
        "None is refused as a feed, where TensorFlow makes it nan",
        lambda way, dtype, text, ours, theirs: way == "feed"
        and (text in NONE or "None" in text)
        and refused(ours),
    ),
    (
        "integers that a dtype cannot hold are refused in lists that are fed, as with NumPy 2",
        lambda way, dtype, text, ours, theirs: way == "feed"
        and ours == "OverflowError"
        and computed(theirs),
    ),
    (
        "what is no text is refused as a feed for a string before it is sent",
        lambda way, dtype, text, ours, theirs: way == "feed"
        and dtype == "string"
        and ours == "TypeError"
        and theirs == "InternalError",
    ),
    (
        "the numbers of 1.15 decide whether an int fits a float dtype or bool",
        lambda way, dtype, text, ours, theirs: MAJOR == 2
        and way == "feed"
        and ours == "TypeError"
        and (computed(theirs) or theirs == "OverflowError")
        and value_of(text) in (2**31, 2**40, -(2**40), 2**63, 2**64, 300, 70000, 2049, 257, 3, -1),
    ),
    (
        "bfloat16 is rounded from float32, where the type of TensorFlow's NumPy lacks a conversion",
        lambda way, dtype, text, ours, theirs: dtype == "bfloat16",
    ),
    (
        "an array that is not in this machine's byte order has the right value",
        lambda way, dtype, text, ours, theirs: '">' in text,
    ),
    (
        "ranges, and arrays and NumPy's bools in lists, are taken for what they are",
        lambda way, dtype, text, ours, theirs: (
            "range(" in text or text.startswith(("[np.array", "[np.bool_"))
        ),
    ),
    (
        "lists of unequal lengths are a ValueError, of whatever dtype",
        lambda way, dtype, text, ours, theirs: text in ("[[1, 2], [3]]", "[[1], 2]")
        and ours in ("TypeError", "ValueError"),
    ),
    (
        "dtypes that 1.15 has no such op or no proper NumPy type for",
        lambda way, dtype, text, ours, theirs: MAJOR == 1
        and dtype in LATER
        and (refused(theirs) or way == "hint")
        and (computed(ours) or ours == "ValueError"),
    ),
    (
        "quantised numbers may be fed as plain ints",
        lambda way, dtype, text, ours, theirs: way == "feed"
        and dtype in QUANTISED
        and (theirs in ERRORS or "1e10" in text),
    ),
    (
        "what NumPy says of strings and objects for complex numbers changed between its versions",
        lambda way, dtype, text, ours, theirs: MAJOR == 1
        and dtype.startswith("complex")
        and theirs == "TypeError"
        and (ours == "ValueError" or computed(ours)),
    ),
    (
        "floats beyond the integers become what the processor makes of them",
        lambda way, dtype, text, ours, theirs: "int" in dtype
        and computed(ours)
        and any(t in text for t in ("1e10", "1e300", "3.4e38", "inf", "nan")),
    ),
    (
        "integers above 64 bits are refused with OverflowError, as by 1.15",
        lambda way, dtype, text, ours, theirs: MAJOR == 2
        and "2**63" in text
        and ours == "OverflowError",
    ),
    (
        "complex numbers, and NaN for integers, are refused as feeds, as by 1.15",
        lambda way, dtype, text, ours, theirs: MAJOR == 2
        and way == "feed"
        and any(t in text for t in ("1j", "0j", "nan"))
        and refused(ours)
        and computed(theirs),
    ),
    (
        "NumPy 2 takes every string for a bool",
        lambda way, dtype, text, ours, theirs: MAJOR == 2
        and dtype == "bool"
        and (refused(ours) or ours.startswith("string"))
        and computed(theirs),
    ),
    (
        "where no op of the dtype exists, 2.21's operators raise NotImplementedError",
        lambda way, dtype, text, ours, theirs: theirs == "NotImplementedError"
        and ours == "TypeError",
    ),
]
LATER = ("uint16", "uint32", "uint64", "qint16", "quint16")
QUANTISED = ("qint8", "quint8", "qint16", "quint16", "qint32")
MAJOR = 0  # of the TensorFlow that judges


def reason(way, dtype, text, ours, theirs):
    """Why a difference is meant; None: it is not."""
    for why, allows in RULES:
        if allows(way, dtype, text, ours, theirs):
            return why
    return None


def cannot_run(ours, theirs):
    """TensorFlow made it, but has no kernel that reads it."""
    return theirs.startswith("runs to") and not refused(ours)


def names():
    return [name_of(way, dtype) for way, (_, dtypes) in WAYS.items() for dtype in dtypes]


def name_of(way, dtype):
    return f"{way}-{dtype or 'any'}"


def run(chosen, results):
    ours, theirs = both(__file__, lambda tf: run_all(tf, chosen), *chosen)
    globals()["MAJOR"] = int(sys.modules["tensorflow"].__version__[0])
    meant = {}
    for case, expected in theirs.items():
        good = ours[case] == expected or cannot_run(ours[case], expected)
        if not good:
            why = reason(*case, ours[case], expected)
            meant[why or "failed"] = meant.get(why or "failed", 0) + 1
            good = why is not None
        detail = f"\n    ours: {ours[case]}\n    TensorFlow: {expected}"
        results[name_of(case[0], case[1].replace("-", ""))].check(" ".join(case), good, detail)
    for why, count in meant.items():
        print(f"{count} cases: {why}")


WAYS_AND_DTYPES = Batch(names, run)

if __name__ == "__main__":
    answer(lambda sluice: run_all(sluice, sys.argv[1:]))
