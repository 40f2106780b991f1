# SPDX-License-Identifier: Apache-2.0
"""Programs with the ops of boosted trees, in TensorFlow 1.15 and on our server.

TensorFlow 2 has the ops but no kernels. There, the results on our server are compared with digests
of what TensorFlow 1.15 answers.
"""

import zlib

import numpy as np

from interop.tools.tables import LATER, any_shape, results_of, said, tf


def numbers(values, dtype):
    return any_shape(tf.constant(np.asarray(values), dtype))


def floats(values):
    return numbers(values, tf.float32)


def ints(values):
    return numbers(values, tf.int32)


def longs(value):
    return numbers(value, tf.int64)


def uniform(rng, *shape):
    return rng.uniform(-1, 1, shape)


def run(program, op, **inputs):
    found = op(**inputs)
    program.run(list(found) if isinstance(found, tuple) else found)


def digest(results):
    crc = 0
    for result in results:
        value = type(result).__name__ if isinstance(result, Exception) else np.asarray(result)
        text = value if isinstance(value, str) else repr((value.shape, value.dtype.kind))
        crc = zlib.crc32(text.encode(), crc)
        if not isinstance(value, str):
            value = value + 0.0 if value.dtype.kind == "f" else value  # -0 becomes 0
            plain = value.tobytes() if value.dtype.kind != "O" else repr(value.tolist()).encode()
            crc = zlib.crc32(plain, crc)
    return crc


def compare(actual, expected, rtol):
    for i, (a, e) in enumerate(zip(actual, expected)):
        if isinstance(e, Exception) or isinstance(a, Exception):
            assert type(a) is type(e), "result %d is %s, TensorFlow's %s" % (i, said(a), said(e))
        else:
            a, e = np.asarray(a), np.asarray(e)
            assert (a.dtype.kind, a.shape) == (e.dtype.kind, e.shape), "result %d" % i
            if rtol and e.dtype.kind == "f":
                np.testing.assert_allclose(a, e, rtol, err_msg="result %d" % i)
            else:
                np.testing.assert_array_equal(a, e, "result %d" % i)
    assert len(actual) == len(expected)


def check(case, ours, theirs, digests, rtol=0):
    """`theirs` gives TensorFlow's server, if it has the kernels."""
    actual = results_of(case, ours.target())
    if not LATER:
        compare(actual, results_of(case, theirs().target()), rtol)
    assert digest(actual) == digests[case.__name__]
