"""How functions that add one node are made: a row of a table each."""

import ast
import inspect

import numpy as np

from . import dtypes, raw_ops
from .convert import constant, convert_to_tensor


def thin(op, signature, doc, **fixed):
    """A function that adds one node of `op`.

    signature: its parameters in order, divided by spaces; "axis=0" has a default, "images:input"
    is the op's argument `input` under another name, "axis|dim" may be given by two names, the
    second of which comes after all others. The node's `name` comes last, or where "name" stands.
    fixed: arguments of the op that no caller sees.
    """
    names, targets, defaults, others = [], {}, {"name": None}, {}
    for part in signature.split():
        part, _, default = part.partition("=")
        part, _, target = part.partition(":")
        own, _, other = part.partition("|")
        names.append(own)
        targets[own] = target or own
        if default:
            defaults[own] = ast.literal_eval(default)
        if other:
            others[other] = own
    if "name" not in names:
        names.append("name")
    needed = [n for n in names if n not in defaults]
    names += others
    defaults.update({n: None for own in others.items() for n in own if n not in defaults})

    def function(*args, **kwargs):
        if len(args) > len(names):
            raise TypeError(f"{op} takes {len(names)} arguments, {len(args)} were given")
        given = {**defaults, **dict(zip(names, args))}
        for key, value in kwargs.items():
            if key not in names:
                raise TypeError(f'{op} has no argument "{key}": they are {", ".join(names)}')
            given[key] = value
        for other, own in others.items():
            value = given.pop(other, None)
            given[own] = value if value is not None else given.get(own)
        for key in needed:
            if given.get(key) is None:
                raise TypeError(f'{op} lacks the argument "{key}"')
        name = given.pop("name")
        return raw_ops.apply_op(op, name, **{targets[k]: v for k, v in given.items()}, **fixed)

    function.__signature__ = inspect.Signature(
        inspect.Parameter(
            n,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=defaults.get(n, inspect.Parameter.empty),
        )
        for n in names
    )
    function.__doc__ = f"{function.__signature__}\n\n{doc}"
    return function


def unary(op, doc):
    """A function of one tensor: same shape, element by element."""
    return thin(op, raw_ops.definition(op)["inputs"][0]["name"], doc)


def binary(op, doc):
    """A function of x and y, which have one dtype and are broadcast against each other."""
    first, second = (a["name"] for a in raw_ops.definition(op)["inputs"])
    return thin(op, f"x:{first} y:{second}", doc)


def reduction(op, doc):
    """A function of a tensor and the dimensions that it puts together."""
    tensor = raw_ops.definition(op)["inputs"][0]["name"]

    def function(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None,
                 keep_dims=None):  # fmt: skip
        x = convert_to_tensor(input_tensor)
        axis = reduction_indices if axis is None else axis
        axis = all_axes(x) if axis is None else axis
        axis = np.zeros(0, np.int32) if isinstance(axis, (list, tuple)) and not axis else axis
        keepdims = bool(keep_dims if keepdims is None else keepdims)
        return raw_ops.apply_op(op, name, reduction_indices=axis, keep_dims=keepdims, **{tensor: x})

    function.__doc__ = (
        f"{doc} Over `axis`, an int or several (None: all); `keepdims` keeps them as size 1. "
        "Older names of the two are accepted."
    )
    return function


def given(value, older):
    """An argument that has an older name too: what was given under either. ValueError: both."""
    if value is not None and older is not None:
        raise ValueError("an argument is given twice, by its name and by its older one")
    return older if value is None else value


def all_axes(x):
    """The numbers of a tensor's dimensions as a vector."""
    if x.shape.ndims is None:
        rank = raw_ops.Rank(input=x)
        return raw_ops.Range(start=0, limit=rank, delta=1)
    return constant(np.arange(x.shape.ndims, dtype=np.int32))


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
    dims = [shape] if isinstance(shape, int) else list(shape)
    if any(hasattr(d, "graph") for d in dims):
        return convert_to_tensor(dims, dtypes.int32)
    return constant(np.array(dims, np.int32))


_BUILDERS = (thin, unary, binary, reduction, given, all_axes, with_names, shape_tensor)
