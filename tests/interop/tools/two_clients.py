# SPDX-License-Identifier: Apache-2.0
"""One program run by both clients: here by TensorFlow's, in another Python by ours."""

import os
import pickle
import subprocess
import sys
import tempfile

from interop.tools.cluster import BUILD, TESTS

SLUICE_PYTHON = os.environ.get("SLUICE_PYTHON", "/usr/bin/python3")


def our_command(file, *args):
    """(command, environment) that runs a module of the package `interop` with our client."""
    module = os.path.relpath(os.path.abspath(file), TESTS)[: -len(".py")].replace(os.sep, ".")
    path = os.pathsep.join([os.path.abspath(os.path.join(BUILD, "python")), TESTS])
    return [SLUICE_PYTHON, "-m", module, *args], {**os.environ, "PYTHONPATH": path}


def both(script, run, *args, timeout=240):
    """(what our client found, what TensorFlow's found).

    script: the program's file, whose main() begins with answer(). run(tf): what it finds, of values
    that can be pickled.
    """
    import tensorflow.compat.v1 as tf

    ours = found_by_ours(script, *args, timeout=timeout)
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return ours, run(tf)


def found_by_ours(script, *args, timeout=240):
    with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
        command, env = our_command(script, "--ours", file.name, *args)
        if "tensorflow" in sys.modules:  # what is compared may depend on it
            env["TENSORFLOW_VERSION"] = sys.modules["tensorflow"].__version__
        subprocess.run(command, env=env, check=True, timeout=timeout)
        return pickle.load(file)


def answer(run):
    """In the process that has our client: writes what run(sluice) finds, and ends. Else nothing."""
    if sys.argv[1:2] != ["--ours"]:
        return
    import sluice

    with open(sys.argv[2], "wb") as file:
        path = sys.argv[2]
        del sys.argv[1:3]
        assert path == file.name
        pickle.dump(run(sluice), file, protocol=4)
    sys.exit(0)
