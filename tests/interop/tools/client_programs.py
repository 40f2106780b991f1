# SPDX-License-Identifier: Apache-2.0
"""Programs that run through our Python client and through TensorFlow, and what they give.

A program is a function that takes the module `tf` and returns what it found: numbers, arrays,
strings, lists and dictionaries of them. TensorFlow runs it here; another Python, which has our
client, runs it as `import sluice as tf`. What one raises, the other must raise. TensorFlow imports
the graphs that the program makes with our client.

A file with ONLY_1X = True has programs that later TensorFlows do not run.
"""

import glob
import importlib
import os
import sys
import traceback

import numpy as np

from interop.tools.two_clients import answer, found_by_ours, found_by_theirs

GRAPHS = "graphs of "


def programs(package):
    """name -> function, of all files of a package."""
    found, folder = {}, os.path.dirname(package.__file__)
    for path in sorted(glob.glob(os.path.join(folder, "**", "[a-z]*.py"), recursive=True)):
        name = os.path.relpath(path, folder)[:-3].replace(os.sep, ".")
        module = importlib.import_module(f"{package.__name__}.{name}")
        for key, value in vars(module).items():
            if callable(value) and getattr(value, "__module__", "") == module.__name__:
                if not key.startswith("_"):
                    found[name + "." + key] = value
    return found


class MadeGraphs:
    """The graphs that our client makes inside of a `with`."""

    def __init__(self, graph_class):
        self._class, self._made = graph_class, []

    def __enter__(self):
        self._init = init = self._class.__init__

        def also_kept(graph):
            init(graph)
            if type(graph) is self._class:
                self._made.append(graph)

        self._class.__init__ = also_kept
        return self

    def __exit__(self, *_):
        self._class.__init__ = self._init

    def exported(self):
        """The bytes of their GraphDefs."""
        return [graph.as_graph_def().SerializeToString() for graph in self._made]


def run_ours(tf, package, chosen):
    """The same as run_all(), and under GRAPHS + name the exported graphs."""
    results = {}
    for name in chosen:
        with MadeGraphs(tf.Graph) as graphs:
            results.update(run_all(tf, package, [name]))
        results[GRAPHS + name] = graphs.exported()
    return results


# Modules of 1.15 that register an op when a program imports them.
REGISTERED_BY = {
    b"GatherTree": "tensorflow.contrib.seq2seq",
    b"ImageProjectiveTransformV2": "tensorflow.contrib.image",
}


def import_error(exported):
    """Why TensorFlow does not import a graph; None if it does."""
    import tensorflow.compat.v1 as tf

    for op, module in REGISTERED_BY.items():
        if op in exported and tf.__version__.startswith("1."):
            importlib.import_module(module)
    graph_def = tf.GraphDef.FromString(exported)
    with tf.Graph().as_default():
        try:
            tf.import_graph_def(graph_def)
        except Exception as e:
            return f"TensorFlow cannot import a graph of our client: {e}"
    return None


def run_all(tf, package, chosen):
    """name -> (what it returned, None) or (None, the class and text of its error)."""
    results, known = {}, programs(package)
    for name in chosen:
        try:
            with tf.Graph().as_default():
                results[name] = plain(known[name](tf)), None
        except Exception as e:
            text = traceback.format_exc()
            results[name] = None, (type(e).__name__, text)
    return results


def plain(value):
    """Without the classes of a client."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if value is None or isinstance(value, (bool, float, str, bytes)):
        return value
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"a program must return plain values, not {value!r}")


def difference(ours, theirs, where="result"):
    """The difference, or None."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if sorted(ours) != sorted(theirs):
            return f"{where}: keys {sorted(ours)}, not {sorted(theirs)}"
        parts = [(ours[k], theirs[k], f"{where}[{k!r}]") for k in theirs]
    elif isinstance(theirs, list) and isinstance(ours, list):
        if len(ours) != len(theirs):
            return f"{where}: {ours}, not {theirs}"
        parts = [(o, t, "%s[%d]" % (where, i)) for i, (o, t) in enumerate(zip(ours, theirs))]
    else:
        return leaf_difference(ours, theirs, where)
    for part in parts:
        found = difference(*part)
        if found:
            return found
    return None


def leaf_difference(ours, theirs, where):
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            return f"{where}: {ours.dtype} {ours.shape}, not {theirs.dtype} {theirs.shape}"
        if ours.dtype.kind in "fc":
            same = np.allclose(ours, theirs, rtol=2e-4, atol=1e-5, equal_nan=True)
        else:
            same = np.array_equal(ours, theirs)
    elif isinstance(ours, float) and isinstance(theirs, float):
        same = np.allclose(ours, theirs, rtol=2e-4, atol=1e-5, equal_nan=True)
    else:
        same = type(ours) is type(theirs) and ours == theirs
    return None if same else f"{where}: {ours!r}, not {theirs!r}"


def names(package, wanted=lambda folder: True):
    """Of all programs of a package that this TensorFlow runs. wanted(folder): whether those in a
    folder of the package are taken; a file's own is its name."""
    return [
        name for name, program in programs(package).items()
        if wanted(name.split(".")[0]) and _runs_here(program)
    ]  # fmt: skip


def _runs_here(program):
    import tensorflow

    only_1x = getattr(sys.modules[program.__module__], "ONLY_1X", False)
    return tensorflow.__version__[0] == "1" or not only_1x


def run(script, package, chosen, results):
    """Runs programs by both clients. script: the test file, which calls answer_for()."""
    ours = found_by_ours(script, *chosen, timeout=90 + 2 * len(chosen))
    theirs = found_by_theirs(script, *chosen, timeout=90 + 3 * len(chosen))
    for name, (expected, error) in theirs.items():
        value, our_error = ours[name]
        if error or our_error:
            same = error and our_error and error[0] == our_error[0]
            wrong = None
            if not same or error[0] in ("AttributeError", "ImportError", "NameError"):
                wrong = f"ours: {our_error and our_error[1]}\nTensorFlow: {error and error[1]}"
        else:
            wrong = difference(value, expected)
        results[name].check(name, not wrong, wrong)
        for exported in ours[GRAPHS + name]:
            wrong = import_error(exported)
            results[name].check(name, not wrong, wrong)


def answer_for(package):
    """In the process of one client: writes what its programs find, and ends."""
    answer(
        lambda sluice: run_ours(sluice, package, sys.argv[1:]),
        lambda tf: run_all(tf, package, sys.argv[1:]),
    )
