# SPDX-License-Identifier: Apache-2.0
"""One program run by both clients: here by TensorFlow's, in another Python by ours."""

import faulthandler
import os
import pickle
import subprocess
import sys
import tempfile

from interop.tools.cluster import BUILD, TESTS

SLUICE_PYTHON = os.environ.get("SLUICE_PYTHON", "/usr/bin/python3")


def our_command(file, *args):
    """(command, environment) that runs a module of the package `interop` with our client."""
    path = os.pathsep.join([os.path.abspath(os.path.join(BUILD, "python")), TESTS])
    return [SLUICE_PYTHON, "-m", _module(file), *args], {**os.environ, "PYTHONPATH": path}


def _module(file):
    return os.path.relpath(os.path.abspath(file), TESTS)[: -len(".py")].replace(os.sep, ".")


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


def found_by_theirs(script, *args, timeout):
    """What TensorFlow's client finds, in a process of its own. TensorFlow 1.15 sometimes stands
    still; then its stacks are printed, and it runs once more."""
    env = {**os.environ, "PYTHONPATH": TESTS, "STACKS_AFTER": str(0.9 * timeout)}
    with tempfile.NamedTemporaryFile(suffix=".pickle") as file:
        command = [sys.executable, "-m", _module(script), "--theirs", file.name, *args]
        try:
            subprocess.run(command, env=env, check=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            print(f"TensorFlow did not end within {timeout} s, and runs again", file=sys.stderr)
            subprocess.run(command, env=env, check=True, timeout=timeout)
        return pickle.load(file)


def answer(run, run_theirs=None):
    """In the process that found_by_ours() starts: writes what run(sluice) finds, and ends. In that
    of found_by_theirs(): what run_theirs(tf) finds. Else nothing."""
    if sys.argv[1:2] == ["--ours"]:
        import sluice as tf
    elif sys.argv[1:2] == ["--theirs"]:
        import tensorflow.compat.v1 as tf

        run = run_theirs
        tf.disable_v2_behavior()
        tf.logging.set_verbosity(tf.logging.ERROR)
        faulthandler.dump_traceback_later(float(os.environ["STACKS_AFTER"]))
    else:
        return
    path = sys.argv[2]
    del sys.argv[1:3]
    with open(path, "wb") as file:
        pickle.dump(run(tf), file, protocol=4)
    sys.exit(0)
