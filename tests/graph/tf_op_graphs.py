# SPDX-License-Identifier: Apache-2.0
"""Writes a GraphDef for each op of tests/interop/cases/*.py, with the shapes TensorFlow infers.

Each case is a few nodes: its inputs are placeholders whose shapes are known, known in part, or not
even in rank; integers are constants, or placeholders too.

Usage: tf_op_graphs.py FOLDER. Runs with TensorFlow 1.15 and 2.x.
"""

import collections
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
from interop.tools.op_nodes import Node, chosen_cases, element_type, op_def, tf  # noqa: E402

tf.logging.set_verbosity(tf.logging.ERROR)

MOST = 2  # cases of one op


def whole(shape):
    return list(shape)


def some(shape):
    """Every other size is known, from the second on."""
    return [n if i % 2 else None for i, n in enumerate(shape)]


def others(shape):
    return [None if i % 2 else n for i, n in enumerate(shape)]


def rank_only(shape):
    return [None] * len(shape)


def nothing(shape):
    return None


# How much is known of a shape; whether integers are constants.
VARIANTS = {
    "whole": (whole, True),
    "some": (some, True),
    "others": (others, True),
    "nothing": (nothing, True),
    "fed": (whole, False),
    "fed_of_some_rank": (rank_only, False),
}


class Inferred(Node):
    """A case's node, whose inputs are as a variant says."""

    def __init__(self, case, dtype, variant):
        self.known, self.constants = VARIANTS[variant]
        Node.__init__(self, case, dtype, 0)

    def feed(self, value, dtype, rng):
        dtype = value.dtype or dtype
        with np.errstate(all="ignore"):
            array = np.array(value.draw(rng, dtype)).astype(element_type(dtype))
        if self.constants and dtype in ("int32", "int64") and array.size <= 100:
            return tf.constant(array, tf.as_dtype(dtype))
        return tf.placeholder(tf.as_dtype(dtype), self.known(array.shape))


def cases_by_op():
    found = collections.defaultdict(list)
    for case, dtype in chosen_cases([]):
        if case.error is None and len(found[case.op]) < MOST:
            if all(case is not other for other, _ in found[case.op]):
                found[case.op].append((case, dtype))
    return found


def main(folder):
    for op, cases in sorted(cases_by_op().items()):
        if op_def(op) is None:
            continue
        with tf.Graph().as_default() as graph:
            for case, dtype in cases:
                for variant in VARIANTS:
                    try:
                        with tf.name_scope(variant):
                            Inferred(case, dtype, variant)
                    except (TypeError, ValueError, NotImplementedError):
                        continue  # this TensorFlow has no such attribute or dtype, or says no
            with open(os.path.join(folder, op + ".pb"), "wb") as f:
                f.write(graph.as_graph_def(add_shapes=True).SerializeToString())


if __name__ == "__main__":
    main(sys.argv[1])
