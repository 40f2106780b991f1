"""A processor without the build's instruction sets is refused before they are used."""

import subprocess
import sys

import harness
from sluice import processor

# Fails where the C++ module is looked for before the processor was checked.
IMPORT = """
import sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        assert name != "sluice._sluice" or checked, "the module is loaded unchecked"

checked = []
sys.meta_path.insert(0, Watch())
import ctypes
opened = ctypes.CDLL
ctypes.CDLL = lambda path: checked.append(path) or opened(path)
import sluice
print(len(checked))
"""


def check_the_message_names_the_instruction_set():
    error = harness.raises(ImportError, lambda: processor.check(lambda: "AVX2"), "needs AVX2")
    assert "SLUICE_MARCH" in str(error)


def check_this_processor_will_do():
    assert processor.missing_feature() is None
    processor.check()


def check_the_processor_is_checked_before_the_module_is_loaded():
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


harness.run(globals())
