# SPDX-License-Identifier: Apache-2.0
"""tf.compat: texts, horizons, and the functions of compat.v2."""

import importlib
import pathlib

import numpy as np

ONLY_1X = True


def _module(tf, path):
    return importlib.import_module(f"{tf.__name__.partition('.')[0]}.{path}")


def _value(function, argument):
    try:
        return function(argument)
    except (TypeError, ValueError) as error:
        return [type(error).__name__, str(error)]


def texts(tf):
    compat = tf.compat
    values = ("a", b"a", "\u00e9", 3, None, b"\xff", 1.5)
    functions = (compat.as_bytes, compat.as_text, compat.as_str, compat.as_str_any)
    found = [[_value(f, value) for value in values] for f in functions]
    paths = [compat.path_to_str(p) for p in (pathlib.Path("/a/b"), "x", 3)]
    return [found, paths, compat.as_bytes("\u00e9", "latin-1"), compat.as_text(b"\xe9", "latin-1")]


def classes_of_numbers(tf):
    values = (1, 1.5, 1j, np.int8(1), np.float16(1), np.complex64(1), "a", b"a", True, None)
    kinds = ("integral_types", "real_types", "complex_types", "bytes_or_text_types")
    return [[isinstance(v, getattr(tf.compat, kind)) for v in values] for kind in kinds]


def horizon(tf):
    found = [tf.compat.forward_compatible(2019, 8, day) for day in (20, 21)]
    with tf.compat.forward_compatibility_horizon(2019, 12, 1):
        found.append(tf.compat.forward_compatible(2019, 11, 30))
    return [*found, tf.compat.forward_compatible(2019, 11, 30)]


def imported_by_their_names(tf):
    first, layers = _module(tf, "compat.v1"), _module(tf, "compat.v1.keras.layers")
    return [first.Session is tf.Session, layers.Dense is tf.keras.layers.Dense]


def messages_by_their_files(tf):
    types, config = _module(tf, "core.framework.types_pb2"), _module(tf, "core.protobuf.config_pb2")
    summary = _module(tf, "core.framework.summary_pb2").Summary
    summary = summary(value=[summary.Value(tag="loss", simple_value=0.5)])
    return [
        types.DT_FLOAT, types.DT_STRING_REF, config.ConfigProto is tf.ConfigProto,
        config.RunOptions.FULL_TRACE, summary.SerializeToString(),
        _module(tf, "core.framework.graph_pb2").GraphDef is tf.GraphDef,
        _module(tf, "core.example.feature_pb2").Int64List(value=[1, 2]).SerializeToString(),
    ]  # fmt: skip


def later_functions(tf):
    tf2, x = _module(tf, "compat.v2"), tf.constant([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0]])
    indices = tf.constant([[0, 2], [1, 0]])
    results = [
        tf2.shape(x, tf.int64), tf2.size(x, tf.int64), tf2.argmax(x, 1, tf.int32),
        tf2.zeros_like(input=x, dtype=tf.int32), tf2.where([[True], [False]], x, 0.0),
        tf2.boolean_mask(x, [True, False, True], 1), tf2.gather(x, indices, None, 1, 1),
        tf2.gather_nd(x, indices, 0), tf2.pad(x, [[1, 0], [0, 1]], "CONSTANT", 7.0),
        tf2.transpose(x, [1, 0], True), tf2.nn.moments(x, [0], None, True)[1],
        tf2.nn.max_pool(input=x[None, :, :, None], ksize=2, strides=1, padding="VALID"),
        tf2.math.in_top_k([1, 0], x, 1), tf2.nn.dropout(x, 0.0),
        tf2.nn.softmax_cross_entropy_with_logits(x, x), tf2.strings.length(["abc", ""], "BYTE"),
        tf2.math.reduce_sum(x, 1, True), tf2.debugging.assert_rank(x, 2, "text") is None,
        tf2.while_loop(lambda i: i < 5, lambda i: (i + 2,), [tf.constant(0)])[0],
    ]  # fmt: skip
    v = tf2.Variable([1.0])
    kinds = [isinstance(v, tf2.Variable), isinstance(tf.Variable(1.0), tf2.Variable)]
    with tf.Session() as session:
        return [session.run(r) if hasattr(r, "op") else r for r in results] + kinds
