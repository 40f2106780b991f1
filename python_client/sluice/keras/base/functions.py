# SPDX-License-Identifier: Apache-2.0
"""Functions of the program in configurations: those written in Python by their code."""

import base64
import marshal
import sys
import types

from .serializing import deserialize_keras_object


def described_function(function):
    """What a configuration says of a function.

    Args:
        function: A function; or a callable object that has a name; or another value, which is
            described by itself.

    Returns:
        (its code, default arguments and the values of its closure, or its name; "lambda",
        "function" or "raw"; the name of its module, or None). As in TensorFlow 1.15 each function
        written in Python is a "lambda", also one that has a name.
    """
    if isinstance(function, types.FunctionType):
        code = base64.encodebytes(marshal.dumps(function.__code__)).decode()
        closure = function.__closure__
        cells = tuple(c.cell_contents for c in closure) if closure else None
        return (code, function.__defaults__, cells), "lambda", function.__module__
    if callable(function):
        return function.__name__, "function", function.__module__
    return function, "raw", None


def function_of_code(code, kind, custom_objects=None, module=None):
    """The function, or the value, that described_function() described.

    Args:
        code: What it returned.
        kind: "lambda", "function" or "raw".
        custom_objects: A dict: name -> function, of the program.
        module: Name of the module that a lambda was made in, a str. It finds the names that the
            module has now, and custom_objects.

    Raises:
        ValueError: The name is not known.
        TypeError: The kind is not known.
    """
    if kind == "raw":
        return code
    if kind == "function":
        return deserialize_keras_object(code, {}, custom_objects, "function in Lambda layer")
    if kind != "lambda":
        raise TypeError("Unknown function type:", kind)
    text, defaults, cells = code
    made = marshal.loads(base64.b64decode(text))
    of_module = vars(sys.modules[module]) if module in sys.modules else {}
    names = {**globals(), **of_module, **(custom_objects or {})}
    closure = None if cells is None else tuple(types.CellType(c) for c in cells)
    defaults = None if defaults is None else tuple(defaults)
    return types.FunctionType(made, names, made.co_name, defaults, closure)
