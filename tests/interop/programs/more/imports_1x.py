# SPDX-License-Identifier: Apache-2.0
"""Imports that fail, which programs catch to find out what a TensorFlow has."""

import importlib

ONLY_1X = True  # later TensorFlows have other private names


def names_that_are_not_there(tf):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    found = []
    for text in (
        "from {}.python.ops.rnn_cell_impl import _Linear",
        "from {}.python.ops.math_ops import NothingOfTheKind",
        "from {}.python.keras.layers import Nothing",
        "from {}.python.ops.rnn_cell_impl import LayerRNNCell",
        "from {}.python.util.nest import is_sequence",
    ):
        try:
            exec(text.format(root), {})
            found.append("found")
        except ImportError:
            found.append("ImportError")
    try:
        importlib.import_module(f"{root}.python.ops._nothing")
    except ImportError:
        found.append("ImportError")
    return found
