# SPDX-License-Identifier: Apache-2.0
"""Programs of models and gradients through our Python client and TensorFlow give the same."""

import interop.programs.client as package
from interop.client.client_programs_test import MODELS
from interop.tools import client_programs
from interop.tools.batch import Batch


def names():
    return client_programs.names(package, lambda folder: folder in MODELS)


def run(chosen, results):
    client_programs.run(__file__, package, chosen, results)


PROGRAMS = Batch(names, run)

if __name__ == "__main__":
    client_programs.answer_for(package)
