# SPDX-License-Identifier: Apache-2.0
"""Cases that run together: one graph, one step, many answers."""

import inspect

from interop.tools.cluster import Checks


class Batch:
    """A table of cases of a test file.

    names: a function that gives the names. run: a function of the names that are selected and of a
    dictionary, name -> Checks, in which it records what it finds. What it raises fails every name
    for which nothing was recorded.
    """

    def __init__(self, names, run):
        self.names, self._run = names, run
        self.module = inspect.getmodule(run).__name__
        self.results, self.error = None, None

    def run(self, names):
        self.results = {name: Checks() for name in names}
        try:
            self._run(names, self.results)
        except Exception as error:  # pylint: disable=broad-except
            self.error = error
