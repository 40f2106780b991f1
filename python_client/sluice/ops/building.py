# SPDX-License-Identifier: Apache-2.0
"""How functions that add one node are made: a row of a table each."""

import ast
import functools
import inspect

import numpy as np

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from . import docstrings, raw_ops


def thin(op, signature, doc, **fixed):
    """Makes a function that adds one node of `op`.

    Args:
        op: The op, a str.
        signature: The function's parameters in order, divided by spaces. "axis=0" has a default;
            "images:input" is the op's argument `input` under another name; "axis|dim" may be given
            by two names, the second of which comes after all others. The node's `name` comes last,
            or where "name" stands.
        doc: A summary, then sections of a docstring for what only this function knows: the rest
            of its docstring follows from the op.
        fixed: Arguments of the op that no caller sees.

    Returns:
        The function.
    """
    return _make(op, signature, doc, fixed)


def _make(op, signature, doc, fixed, words=(), returns=None):
    """thin(), with words for arguments and the result that the row's own come before."""
    names, targets, defaults, others = [], {}, {"name": None}, {}
    for part in signature.split():
        part, _, default = part.partition("=")
        part, _, target = part.partition(":")
        own, _, other = part.partition("|")
        names.append(own)
        targets[own] = target or own
        if default:
            defaults[own] = _literal(default)
        if other:
            others[other] = own
    if "name" not in names:
        names.append("name")
    needed = [n for n in names if n not in defaults]
    names += others
    defaults.update({n: None for own in others.items() for n in own if n not in defaults})

    def function(*args, **kwargs):
        if len(args) > len(names):
            raise TypeError(
                f"{function.__name__}() takes {len(names)} arguments, {len(args)} were given"
            )
        given = {**defaults, **dict(zip(names, args))}
        for key, value in kwargs.items():
            if key not in targets_of:
                raise TypeError(
                    f'{function.__name__}() has no argument "{key}": '
                    f"its arguments are {', '.join(names)}"
                )
            if key in names[: len(args)]:
                raise TypeError(f'{function.__name__}() got two values for the argument "{key}"')
            given[key] = value
        for other, own in others.items():
            value = given.pop(other, None)
            given[own] = value if value is not None else given.get(own)
        for key in needed:
            if key not in given or given[key] is None and key in others.values():
                raise TypeError(f'{function.__name__}() lacks the argument "{key}"')
        name = given.pop("name")
        return raw_ops.add_op(op, name, {**{targets[k]: v for k, v in given.items()}, **fixed})

    targets_of = {n: targets.get(n, n) for n in names}
    describe(function, op, doc, targets_of, defaults, words, returns)
    return function


def describe(function, op, doc, targets, defaults, words, returns):
    """Gives a function of a table its signature and docstring.

    Args:
        function: The function.
        op: The op, a str.
        doc: As of thin().
        targets: A dict: parameter -> the op's argument, or None.
        defaults: A dict: parameter -> its default.
        words: A dict: parameter -> its description.
        returns: The description of the result, a str. None: it follows from the op.
    """
    function.__module__ = __name__  # with_names() finds it by that
    parameters = [_parameter(n, defaults.get(n, inspect.Parameter.empty)) for n in targets]
    function.__signature__ = inspect.Signature(parameters, __validate_parameters__=False)
    definition = raw_ops.definition(op)
    function.__doc__ = docstrings.of_op(definition, doc, targets, defaults, words, returns)
    raw_ops.shown_by.setdefault(op, function)


_literals = {}  # text -> value: few texts occur often


def _literal(text):
    if text not in _literals:
        try:
            _literals[text] = ast.literal_eval(text)
        except ValueError:
            _literals[text] = dtypes.as_dtype(text)
    return _literals[text]


_parameters = {}  # (name, default as text) -> inspect.Parameter, which takes its time to make


def _parameter(name, default):
    key = name, repr(default)
    if key not in _parameters:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        _parameters[key] = inspect.Parameter(name, kind, default=default)
    return _parameters[key]


def unary(op, doc):
    """Makes a function of one tensor, element by element.

    Args:
        op: The op, a str.
        doc: As of thin().

    Returns:
        The function.
    """
    definition = raw_ops.definition(op)
    (given,), (output,) = definition["inputs"], definition["outputs"]
    kind = docstrings.kind_of_result(definition, given, output)
    returns = f"A tensor of {kind} and of the shape of `{given['name']}`."
    function = _make(op, given["name"], doc, {}, {}, returns)
    if op not in _OF_STORED:
        return function
    stored = of_stored(function)
    if raw_ops.shown_by[op] is function:
        raw_ops.shown_by[op] = stored
    return stored


# What takes sparse tensors too.
_OF_STORED = frozenset(
    "Asin Asinh Atan Atanh BesselI0e BesselI1e Erf Neg Sign Sin Sqrt Square Tan Tanh".split()
)


def of_stored(function):
    """Lets a function of one tensor, element by element, take a SparseTensor as well.

    Args:
        function: The function. Its first parameter is the tensor x.

    Returns:
        A function that applies it to the stored values of a SparseTensor.
    """

    @functools.wraps(function)
    def applied(*args, **kwargs):
        x = args[0] if args else kwargs.get("x")
        if not hasattr(x, "with_values"):
            return function(*args, **kwargs)
        more = {key: value for key, value in kwargs.items() if key != "x"}
        return x.with_values(function(x.values, *args[1:], **more))

    return applied


def binary(op, doc):
    """Makes a function of x and y, which have one dtype and are broadcast against each other.

    Args:
        op: The op, a str.
        doc: As of thin().

    Returns:
        The function.
    """
    definition = raw_ops.definition(op)
    (first, second), (output,) = definition["inputs"], definition["outputs"]
    kind = docstrings.kind_of_result(definition, first, output)
    returns = f"A tensor of {kind} and of the broadcast shape."
    signature = f"x:{first['name']} y:{second['name']}"
    return _make(op, signature, doc, {}, _SECOND, returns)


_SECOND = {"y": "A tensor of the dtype of `x`. The shapes of the two are broadcast."}


def given(value, older):
    """An argument that has an older name too: what was given under either. ValueError: both."""
    if value is not None and older is not None:
        raise ValueError("an argument is given twice, by its name and by its older one")
    return older if value is None else value


def with_names(namespace):
    """Gives the functions of a module their names; its __all__."""
    public = [n for n, v in namespace.items() if not n.startswith("_") and _is_ours(v, namespace)]
    for name in public:
        namespace[name].__name__ = namespace[name].__qualname__ = name
        namespace[name].__module__ = namespace["__name__"]
    return public


def _is_ours(value, namespace):
    made_here = getattr(value, "__module__", None) in (namespace["__name__"], __name__)
    return made_here and callable(value) and value not in _BUILDERS


def shape_tensor(shape):
    """A shape as an int32 vector; sizes may be tensors."""
    if hasattr(shape, "graph"):
        return shape
    if shape is None:
        raise ValueError("a shape must be given, None is not one")
    dims = [shape] if isinstance(shape, int) else list(shape)
    if isinstance(shape, np.ndarray):
        kept = shape if shape.dtype == np.int64 else shape.astype(np.int32)
        return constant(kept, name="shape")
    return convert_to_tensor(dims, dtypes.int32, "shape")


_BUILDERS = (thin, unary, binary, describe, given, of_stored, with_names, shape_tensor)
