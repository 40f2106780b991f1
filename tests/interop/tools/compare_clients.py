# SPDX-License-Identifier: Apache-2.0
"""Compares texts of programs by our client and by TensorFlow's: graphs, then values.

compare_clients.py [NAME...]: the programs of graph_programs.py whose names begin so.
"""

import sys

import tensorflow

from interop.programs import graph_programs
from interop.tools import client_texts
from interop.tools.graph_difference import differences, value_differences

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)


def compare(texts):
    """name -> lines of differences, of all texts."""
    ours = client_texts.ours(texts)
    found = {}
    for name, text in texts.items():
        theirs, mine = client_texts.happened(tf, text, name), ours[name]
        lines = []
        if mine["graph"] and theirs["graph"]:
            lines += differences(mine["graph"], theirs["graph"])
        found[name] = lines + list(value_differences(mine, theirs))
    return found


def main():
    prefixes = tuple(sys.argv[1:])
    texts = graph_programs.texts()
    if prefixes:
        texts = {n: t for n, t in texts.items() if n.startswith(prefixes)}
    failed = 0
    for name, lines in compare(texts).items():
        failed += bool(lines)
        for line in lines:
            print(f"{name}: {line}")
    print(f"{len(texts) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
