# SPDX-License-Identifier: Apache-2.0
"""Functions of the program in configurations: by name, lambdas by their code."""

import base64
import marshal
import sys
import types

from .serializing import deserialize_keras_object


def function_code(function):
    """What a configuration says of a function: its name, or of a lambda its code."""
    if function.__name__ != "<lambda>":
        return function.__name__
    code = base64.b64encode(marshal.dumps(function.__code__)).decode()
    closure = function.__closure__
    cells = tuple(c.cell_contents for c in closure) if closure else None
    return [code, function.__defaults__, cells]


def function_of_code(code, kind, custom_objects=None, module=None):
    """The function that function_code() described.

    Args:
        code: What it returned.
        kind: "lambda" or "function".
        custom_objects: A dict: name -> function, of the program.
        module: Name of the module that a lambda was made in, a str. It finds the names that the
            module has now, and custom_objects.

    Raises:
        ValueError: The name is not known.
    """
    if kind == "function":
        return deserialize_keras_object(code, {}, custom_objects, "function in Lambda layer")
    text, defaults, cells = code
    made = marshal.loads(base64.b64decode(text))
    of_module = vars(sys.modules[module]) if module in sys.modules else {}
    names = {**globals(), **of_module, **(custom_objects or {})}
    closure = None if cells is None else tuple(types.CellType(c) for c in cells)
    return types.FunctionType(made, names, "<lambda>", tuple(defaults or ()), closure)
