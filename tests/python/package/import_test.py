# SPDX-License-Identifier: Apache-2.0
"""The modules that an import of the package, or only of its part for TensorFlow, loads."""

import os
import subprocess
import sys
import tempfile

import sluice

PACKAGE = os.path.dirname(sluice.__file__)


def outcome(code, path=None):
    """The words that a new interpreter prints, or the last line of its error."""
    env = dict(os.environ, PYTHONPATH=path or os.path.dirname(PACKAGE))
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60
    )
    return done.stdout.split() if done.returncode == 0 else done.stderr.strip().split("\n")[-1]


LOADED = "import sys; print('sluice._sluice' in sys.modules, 'google.protobuf' in sys.modules)"


def test_the_package_loads_the_extension_module():
    assert outcome("import sluice;" + LOADED) == ["True", "True"]
    assert outcome("import sluice.nn;" + LOADED) == ["True", "True"]


def test_the_part_for_tensorflow_does_not():
    for code in (
        "import sluice.tensorflow;",
        "from sluice.tensorflow import install;",
        "import importlib; importlib.import_module('sluice.tensorflow');",
    ):
        assert outcome(code + LOADED) == ["False", "False"], code


def test_a_name_that_was_left_out_says_why():
    error = outcome("import sluice.tensorflow, sluice; sluice.constant")
    assert "this process imported sluice.tensorflow" in error, error


def test_an_interpreter_without_tensorflow_is_refused():
    error = outcome("import sys; sys.modules['wrapt'] = None\n"
                    "import sluice.tensorflow; sluice.tensorflow.install()")  # fmt: skip
    assert "has no TensorFlow" in error, error


def test_an_interpreter_without_the_extension_module_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "sluice")
        os.mkdir(copy)
        for name in os.listdir(PACKAGE):
            if not name.startswith("_sluice"):
                os.symlink(os.path.realpath(os.path.join(PACKAGE, name)), os.path.join(copy, name))
        error = outcome("import sluice", folder)
        assert "cannot be imported by Python" in error and "_sluice" in error, error
        assert "import sluice.tensorflow" in error, error
        assert outcome("import sluice.tensorflow;" + LOADED, folder) == ["False", "False"]
