# SPDX-License-Identifier: Apache-2.0
"""More programs through our Python client and through TensorFlow give the same.

The programs are in programs.more/: tools/client_programs.py says what they are.
"""

import interop.programs.more as package
from interop.tools import client_programs
from interop.tools.batch import Batch


def names():
    return client_programs.names(package)


def run(chosen, results):
    client_programs.run(__file__, package, chosen, results)


PROGRAMS = Batch(names, run)

if __name__ == "__main__":
    client_programs.answer_for(package)
