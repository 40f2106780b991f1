# SPDX-License-Identifier: Apache-2.0
"""AutoGraph: Python's control flow on tensors becomes operations of the graph.

A function is converted in steps, each a module:

1. `source` finds its syntax tree.
2. `exits` replaces break, continue and early returns by flags.
3. `liveness` finds the variables that are read after each `if` and loop.
4. `expressions` and `statements` replace calls, `and`, `if`, loops by calls of `operators`.
5. `converting` compiles the tree and binds it to the globals and the closure of the function.

The operators decide at run time: of a tensor they add operations, of any other value they do what
Python does. `calls` says which functions are converted.
"""

from .features import trace
from .public import experimental, set_verbosity, to_code, to_graph

__all__ = ["experimental", "set_verbosity", "to_code", "to_graph", "trace"]
