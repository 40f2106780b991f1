# SPDX-License-Identifier: Apache-2.0
"""Runs texts of programs by our client and by TensorFlow's, and keeps their graphs and values.

A text is Python that defines program(tf); program builds a graph and returns (init, steps): what
runs first, and a list of (fetches, feeds). What happened is a dictionary: "graph", a serialised
GraphDef as it was before the session; "values", a list for each step; "error", (class, text).
"""

import os
import pickle
import subprocess
import sys
import tempfile
import traceback

import numpy as np

from interop.tools.two_clients import our_command


def happened(tf, text, name="program"):
    """The effects of one text with the client `tf`."""
    space = {"np": np}
    found = {"graph": None, "values": [], "error": None}
    try:
        exec(compile(text, f"<{name}>", "exec"), space)  # noqa: S102
        with tf.Graph().as_default() as graph:
            init, steps = space["program"](tf)
            found["graph"] = graph.as_graph_def().SerializeToString()
            with tf.Session() as session:
                session.run(init)
                for fetches, feeds in steps:
                    found["values"].append([_array(v) for v in session.run(fetches, feeds)])
    except Exception as error:
        found["error"] = type(error).__name__, traceback.format_exc()[-1500:]
    return found


def _array(value):
    if value is None:
        return None
    if isinstance(value, tuple):
        return [_array(v) for v in value]
    return np.asarray(value)


def ours(texts, seconds=300):
    """name -> what happened, by our client in its own process. texts: name -> text."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, n) for n in ("texts", "found")]
        with open(paths[0], "wb") as file:
            pickle.dump(texts, file, protocol=4)
        command, env = our_command(__file__, *paths)
        subprocess.run(command, env=env, check=True, timeout=seconds)
        with open(paths[1], "rb") as file:
            return pickle.load(file)


def main():
    import sluice

    with open(sys.argv[1], "rb") as file:
        texts = pickle.load(file)
    found = {name: happened(sluice, text, name) for name, text in texts.items()}
    with open(sys.argv[2], "wb") as file:
        pickle.dump(found, file, protocol=4)


if __name__ == "__main__":
    main()
