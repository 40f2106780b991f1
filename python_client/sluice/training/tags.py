# SPDX-License-Identifier: Apache-2.0
"""The tags of summaries, which are the names of their scopes."""

import contextlib
import re

from ..graph.default_graph import name_scope

_NOT_IN_TAGS = re.compile(r"[^-/\w.]")


def as_tag(name):
    """The name without what a scope must not have: "w:0" is the tag w_0."""
    return _NOT_IN_TAGS.sub("_", name).lstrip("/")


@contextlib.contextmanager
def tag_scope(name, family):
    """The scope of a summary's operations: the value is (tag, scope)."""
    if name is None:
        raise ValueError("a summary must have a name")
    name, family = as_tag(name), None if family is None else as_tag(family)
    with name_scope(name if family is None else f"{family}/{name}") as scope:
        tag = scope.rstrip("/")
        yield tag if family is None else f"{family}/{tag}", scope
