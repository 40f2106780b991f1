# SPDX-License-Identifier: Apache-2.0
"""The same programs through our Python client and through TensorFlow give the same.

The programs are in programs/client/: tools/client_programs.py says what they are. Those of models
and gradients are in client_models_test.py.
"""

import interop.programs.client as package
from interop.tools import client_programs
from interop.tools.batch import Batch

MODELS = ("backend", "estimators", "gradients", "keras")


def names():
    return client_programs.names(package, lambda folder: folder not in MODELS)


def run(chosen, results):
    client_programs.run(__file__, package, chosen, results)


PROGRAMS = Batch(names, run)

if __name__ == "__main__":
    client_programs.answer_for(package)
