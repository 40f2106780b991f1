# SPDX-License-Identifier: Apache-2.0
"""A processor without the build's instruction sets is refused before they are used."""

import subprocess
import sys

import harness
from sluice import processor

# Fails if the C++ module is loaded before the processor is checked.
IMPORT = """
import ctypes
from importlib.machinery import ExtensionFileLoader

checked = []
opened, created = ctypes.CDLL, ExtensionFileLoader.create_module

def create_module(loader, spec):
    assert spec.name != "sluice._sluice" or checked, "the module is loaded unchecked"
    return created(loader, spec)

ctypes.CDLL = lambda path: checked.append(path) or opened(path)
ExtensionFileLoader.create_module = create_module
import sluice

print(len(checked))
"""


def test_the_message_names_the_instruction_set():
    error = harness.raises(ImportError, lambda: processor.check(lambda: "AVX2"), "needs AVX2")
    assert "SLUICE_MARCH" in str(error)


def test_this_processor_is_supported():
    assert processor.missing_feature() is None
    processor.check()


def test_the_processor_is_checked_before_the_module_is_loaded():
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
