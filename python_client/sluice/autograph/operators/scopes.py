# SPDX-License-Identifier: Apache-2.0
"""Name scopes of functions."""

from ...graph.default_graph import name_scope


def function_scope(name):
    """The name scope of a function: a name cannot begin with an underscore."""
    return name_scope("fn" + name if name.startswith("_") else name)


__all__ = ["function_scope"]
