# SPDX-License-Identifier: Apache-2.0
"""Classes that are made of functions by tables."""

import inspect


def wrapper_class(base, module, name, function, arguments, doc):
    """A class whose constructor calls that of `base` with a function, and with its arguments by
    name.

    Args:
        base: The class, whose constructor takes a function first.
        module: Name of the module that has the new class, a str.
        name: Name of the class, a str.
        function: The function.
        arguments: The arguments of the constructor with their defaults, a dict in order.
        doc: The docstring.
    """
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(n, kind, default=d) for n, d in arguments.items()]
    signature = inspect.Signature(parameters)

    def initial(self, *args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        base.__init__(self, function, **given.arguments)

    own = inspect.Parameter("self", kind)
    initial.__name__, initial.__qualname__ = "__init__", f"{name}.__init__"
    initial.__signature__ = inspect.Signature([own, *parameters])
    members = {"__init__": initial, "__doc__": doc, "__module__": module, "__qualname__": name}
    return type(name, (base,), members)


def document(summary, words):
    """A docstring of a summary and of arguments with their meaning, a dict."""
    return "\n".join([summary, "", "Args:", *(f"    {n}: {text}" for n, text in words.items())])
