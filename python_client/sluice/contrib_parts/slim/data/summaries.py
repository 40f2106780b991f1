# SPDX-License-Identifier: Apache-2.0
"""Summaries of tensors, which may be printed."""

from ....graph.default_graph import get_default_graph
from ....graph.keys import GraphKeys
from ....ops.debug.checks import Print
from ....ops.nn.sparsity import zero_fraction
from ....training import summary

_DOC = """Adds {} of a tensor.

    Args:
        tensor: The tensor.
        name: Name of the summary, a str. None: that of the tensor.
        prefix: What comes before the name and a slash, a str.{}

    Returns:
        A string scalar.
    """
_PRINTED = "\n        print_summary: Whether the value is printed at each run. A bool."


def _name(tensor, name, prefix, postfix=None):
    name = name or tensor.op.name
    return (f"{prefix}/" if prefix else "") + name + (f"/{postfix}" if postfix else "")


def _printed(made, value, name, print_summary):
    if print_summary:
        made = Print(made, [value], name)
    get_default_graph().add_to_collection(GraphKeys.SUMMARIES, made)
    return made


def add_histogram_summary(tensor, name=None, prefix=None):
    return summary.histogram(_name(tensor, name, prefix), tensor)


def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix)
    made = summary.image(name, tensor, collections=[])
    return _printed(made, tensor, name, print_summary)


def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix)
    made = summary.scalar(name, tensor, collections=[])
    return _printed(made, tensor, name, print_summary)


def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    name = _name(tensor, name, prefix, "Fraction of Zero Values")
    share = zero_fraction(tensor)
    made = summary.scalar(name, share, collections=[])
    return _printed(made, share, name, print_summary)


for _function, _what in (
    (add_histogram_summary, "a histogram"),
    (add_image_summary, "images"),
    (add_scalar_summary, "the value"),
    (add_zero_fraction_summary, "the share of zeros"),
):
    _function.__doc__ = _DOC.format(_what, "" if "histogram" in _what else _PRINTED)


def _of_each(function, printed=False):
    if printed:

        def of_all(tensors, prefix=None, print_summary=False):
            return [function(one, prefix=prefix, print_summary=print_summary) for one in tensors]
    else:

        def of_all(tensors, prefix=None):
            return [function(one, prefix=prefix) for one in tensors]

    of_all.__name__ = of_all.__qualname__ = function.__name__[: -len("y")] + "ies"
    of_all.__doc__ = f"""Calls {function.__name__}() for each of several tensors.

    Args:
        tensors: The tensors, a list.
        prefix: What comes before the names and a slash, a str.{_PRINTED if printed else ""}

    Returns:
        A list of string scalars.
    """
    return of_all


add_histogram_summaries = _of_each(add_histogram_summary)
add_image_summaries = _of_each(add_image_summary)
add_scalar_summaries = _of_each(add_scalar_summary, printed=True)
add_zero_fraction_summaries = _of_each(add_zero_fraction_summary)
