# SPDX-License-Identifier: Apache-2.0
"""Batches of sequence examples and sound: values and errors."""

import functools
import re

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _said(tf, call):
    """The class and the first line of the error of a call whose result is run, or what it gave."""
    try:
        fetches = call()
        with tf.Session() as session:
            return session.run(fetches)
    except Exception as error:
        text = getattr(error, "message", str(error))
        text = re.sub(r"\{\{[^}]*\}\}", "", text.split("\n")[0]).split(" [[")[0]
        return [type(error).__name__, text.strip()]


def _feature(tf, values):
    lists = {
        int: lambda: {"int64_list": tf.train.Int64List(value=values)},
        float: lambda: {"float_list": tf.train.FloatList(value=values)},
        bytes: lambda: {"bytes_list": tf.train.BytesList(value=values)},
    }
    return tf.train.Feature(**(lists[type(values[0])]() if values else {}))


def _sequence(tf, context, steps):
    lists = {
        key: tf.train.FeatureList(feature=[_feature(tf, values) for values in step])
        for key, step in steps.items()
    }
    context = {key: _feature(tf, values) for key, values in context.items()}
    return tf.train.SequenceExample(
        context=tf.train.Features(feature=context),
        feature_lists=tf.train.FeatureLists(feature_list=lists),
    ).SerializeToString()


def _good(tf):
    return [
        _sequence(tf, {"id": [3], "tag": [b"a"]}, {"x": [[1.0], [2.0]], "w": [[b"u", b"v"], []]}),
        _sequence(tf, {"id": [4], "tag": [b"b"]}, {"x": [[5.0]], "w": [[b"z"]]}),
    ]


def _parsed(tf, serialized, context=None, sequence=None, names=None):
    def call():
        found = tf.io.parse_sequence_example(serialized, context, sequence, example_names=names)
        flat = {}
        for part, values in zip(("context", "steps"), found[:2]):
            for key, value in values.items():
                flat[f"{part} {key}"] = (
                    [value.indices, value.values, value.dense_shape]
                    if isinstance(value, tf.SparseTensor)
                    else value
                )
        flat.update((f"length {key}", value) for key, value in found[2].items())
        return flat

    return _said(tf, call)


def batches_of_sequences(tf):
    io = tf.io
    context = {"id": io.FixedLenFeature([], tf.int64), "tag": io.VarLenFeature(tf.string)}
    steps = {"x": io.FixedLenSequenceFeature([], tf.float32), "w": io.VarLenFeature(tf.string)}
    return [
        _parsed(tf, _good(tf), context, steps),
        _parsed(tf, _good(tf), context), _parsed(tf, _good(tf), None, steps),
        _parsed(tf, [b"", b""], None, {"w": steps["w"]}),
        _parsed(tf, _good(tf), {"none": io.FixedLenFeature([2], tf.int64, [7, 8])},
                {"none": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}),
    ]  # fmt: skip


def errors_of_batches(tf):
    io = tf.io
    fixed, var, steps = io.FixedLenFeature, io.VarLenFeature, io.FixedLenSequenceFeature
    good = _good(tf)
    no_id = [good[0], _sequence(tf, {"tag": [b"a"]}, {"x": [[1.0]]})]
    two = [_sequence(tf, {"id": [1, 2]}, {"x": [[1.0, 2.0]]}), good[1]]
    of_text = [good[0], _sequence(tf, {"id": [b"t"]}, {"x": [[b"t"]]})]
    found = []
    for names in (None, ["first", "second"]):
        found += [
            _parsed(tf, [good[0], b"\x0a\x03junk"], {"id": fixed([], tf.int64)}, names=names),
            _parsed(tf, no_id, {"id": fixed([], tf.int64)}, names=names),
            _parsed(tf, two, {"id": fixed([], tf.int64)}, names=names),
            _parsed(tf, of_text, {"id": fixed([], tf.int64)}, names=names),
            _parsed(tf, of_text, {"id": var(tf.int64)}, names=names),
            _parsed(tf, good, None, {"none": steps([], tf.float32)}, names=names),
            _parsed(tf, two, None, {"x": steps([], tf.float32)}, names=names),
            _parsed(tf, good, None, {"x": steps([2], tf.float32)}, names=names),
            _parsed(tf, of_text, None, {"x": steps([], tf.float32)}, names=names),
            _parsed(tf, of_text, None, {"x": var(tf.float32)}, names=names),
            _parsed(tf, good, None, {"x": var(tf.int64)}, names=names),
        ]  # fmt: skip
    return [error for error, _ in found]  # our texts are those of later TensorFlows


def wrong_arguments_of_batches(tf):
    io, good = tf.io, _good(tf)
    calls = [
        lambda: io.parse_sequence_example(good),
        lambda: io.parse_sequence_example(None, {"id": io.VarLenFeature(tf.int64)}),
        lambda: io.parse_sequence_example(good, {"id": io.SparseFeature("a", "b", tf.int64, 3)}),
        lambda: io.parse_sequence_example(good, {"id": io.FixedLenFeature(None, tf.int64)}),
        lambda: io.parse_sequence_example(good, {"id": io.FixedLenSequenceFeature([], tf.int64)}),
        lambda: io.parse_sequence_example(good, None, {"x": io.FixedLenFeature([], tf.float32)}),
        lambda: io.parse_sequence_example(good, {"id": 3}),
        lambda: io.parse_sequence_example([good], {"id": io.VarLenFeature(tf.int64)}),
        lambda: io.parse_sequence_example(good, {"id": io.VarLenFeature(None)}),
    ]
    return [outcome(call) for call in calls]


def single_sequences(tf):
    io, good = tf.io, _good(tf)
    context = {"id": io.FixedLenFeature([], tf.int64)}
    wrong = [
        (b"\x0a\x03junk", context, None), (good[0], {"none": context["id"]}, None),
        (good[0], {"tag": io.FixedLenFeature([], tf.int64)}, None),
        (good[0], None, {"x": io.FixedLenSequenceFeature([2], tf.float32)}),
        (good[0], None, {"none": io.FixedLenSequenceFeature([], tf.float32)}),
        (good[0], None, {"x": io.VarLenFeature(tf.int64)}),
    ]  # fmt: skip

    def values(args, name):
        parts = io.parse_single_sequence_example(*args, example_name=name)
        tensors = [tensor for part in parts for tensor in part.values()]
        return [t.values if isinstance(t, tf.SparseTensor) else t for t in tensors]

    both = [(args, name) for name in (None, "mine") for args in wrong]
    return [_said(tf, functools.partial(values, *case)) for case in both]


def wrong_clips(tf):
    sound = np.linspace(-1.5, 1.5, 6).reshape(3, 2).astype(np.float32)
    calls = [
        lambda: tf.audio.encode_wav(sound, 8000), lambda: tf.audio.encode_wav(sound, 0),
        lambda: tf.audio.decode_wav(b""),
        lambda: tf.audio.decode_wav(b"RIFF1234WAVE"),
        lambda: list(tf.audio.decode_wav(tf.audio.encode_wav(sound, 8000), 1, 5)),
        lambda: list(tf.audio.decode_wav(tf.audio.encode_wav(sound, 8000), 3, 2)),
        lambda: list(tf.audio.decode_wav(tf.audio.encode_wav(sound, 8000), desired_samples=0)),
    ]  # fmt: skip
    return [_said(tf, call) for call in calls]
