# SPDX-License-Identifier: Apache-2.0
"""Every op of the registry as a function with keyword arguments: raw_ops.MatMul(a=x, b=y,
transpose_a=True).

Inputs are tensors or values that become constants; types and numbers that follow from the inputs
need not be given. Arguments have the names of TensorFlow's raw_ops; where it renamed them, those of
the OpDef are accepted too.
A function returns the op's output, a named tuple of them when there are several, or the Operation
when it has none; an output that is a list of tensors is a list.
Its text, help(raw_ops.MatMul), is made from the registry when it is first asked for.
"""

import collections
import functools
import inspect

from .. import dtypes, modules
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.elements import Tensor, is_ref
from ..graph.registry import OPS
from ..graph.scopes import NameScope
from ..graph.values import constant_array
from . import docstrings

shown_by = {}  # op -> the first function of the package's tables that adds it

# The arguments that TensorFlow's Python calls otherwise than the OpDef does.
_RENAMED = {
    "ExpandDims": {"dim": "axis"},
    "Select": {"t": "x", "e": "y"},
    "Split": {"split_dim": "axis"},
    "SplitV": {"split_dim": "axis"},
    "Squeeze": {"squeeze_dims": "axis"},
    "Where": {"input": "condition"},
}
for _reduction in ("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"):
    _RENAMED[_reduction] = {"reduction_indices": "axis"}


def definition(op_type):
    """The op's inputs, outputs and attributes, as dictionaries. KeyError for an unknown op."""
    return OPS[op_type]


@functools.lru_cache(maxsize=None)
def _facts(op_type):
    """The facts that apply_op() looks up: the attributes by name, the names of the inputs, the
    attributes that must be given, and the dtypes that an attribute allows, by name."""
    op_def = OPS[op_type]
    known = {a["name"]: a for a in op_def["attrs"]}
    inferred = inferred_attrs(op_def)
    needed = [n for n, a in known.items() if not a["optional"] and n not in inferred]
    allowed = {n: frozenset(a["allowed"]) for n, a in known.items() if "type" in a["type"]}
    return known, {a["name"] for a in op_def["inputs"]}, needed, allowed


def _flat_inputs(op_def, kwargs, attrs, allowed):
    """The tensors of all inputs in order. The first tensor decides the dtype of those that must be
    alike."""
    tensors = []
    for arg in op_def["inputs"]:
        value, name = kwargs[arg["name"]], arg["type_attr"]
        if arg["list"]:
            part = _list_input(op_def, arg, value, attrs)
            _check_allowed(op_def, allowed.get(name or arg["type_list_attr"]),
                           [t.dtype.base_dtype for t in part], arg["name"])  # fmt: skip
            tensors += part
            if name and part:
                attrs.setdefault(name, part[0].dtype.base_dtype)
            elif not name and arg["type_list_attr"]:
                attrs.setdefault(arg["type_list_attr"], [t.dtype.base_dtype for t in part])
            continue
        tensor = _one_input(op_def, arg, value, attrs)
        tensors.append(tensor)
        if name and name not in attrs:
            dtype = attrs[name] = tensor.dtype.base_dtype
            if allowed[name] and dtype.as_datatype_enum not in allowed[name]:
                _refuse_dtype(op_def, allowed[name], dtype, arg["name"])
    return tensors


def _one_input(op_def, arg, value, attrs):
    want = dtypes.as_dtype(arg["type"]) if arg["type"] else attrs.get(arg["type_attr"])
    if type(value) is Tensor and (want is None or value.dtype.base_dtype is want):
        if is_ref(value) or not arg["is_ref"]:
            return value
    hint = _default_type(op_def, arg["type_attr"]) if want is None else None
    try:
        tensor = convert_to_tensor(value, want, arg["name"], hint, as_ref=arg["is_ref"])
        if arg["is_ref"] and not is_ref(tensor):
            raise TypeError(f"{tensor.name} is not a reference variable")
        return tensor
    except (TypeError, ValueError) as e:
        if want is not None and (isinstance(e, TypeError) or _can_be_tensor(value)):
            raise TypeError(_wrong_type(op_def, arg, value, want)) from None
        raise type(e)(f'input "{arg["name"]}" of {op_def["name"]}: {e}') from None


def _list_input(op_def, arg, values, attrs):
    if not isinstance(values, (list, tuple)):
        raise TypeError(f'input "{arg["name"]}" of {op_def["name"]} must be a list, not {values!r}')
    want = _list_type(arg, values, attrs)
    hint = None
    if want is None and arg["number_attr"]:
        hint = _default_type(op_def, arg["type_attr"])
    part = []
    for i, value in enumerate(values):
        try:
            name = f"{arg['name']}_{i}"
            part.append(convert_to_tensor(value, want, name, hint, as_ref=arg["is_ref"]))
        except (TypeError, ValueError) as e:
            text = _wrong_type(op_def, arg, value, want) if want is not None else e
            raise TypeError(f"element {i} of a list: {text}") from None
        if arg["number_attr"] and part[i].dtype.base_dtype != part[0].dtype.base_dtype:
            text = _wrong_type(op_def, arg, part[i], part[0].dtype.base_dtype)
            raise TypeError(f"element {i} of a list: {text}")
    if arg["number_attr"]:
        _check_length(op_def, arg, part, attrs)
    return part


def _list_type(arg, values, attrs):
    """The dtype that the elements of a list must have, where it is known before they are made."""
    if arg["type"]:
        return dtypes.as_dtype(arg["type"])
    if not arg["number_attr"]:
        return None
    if arg["type_attr"] in attrs:
        return attrs[arg["type_attr"]]
    found = (v.dtype for v in values if hasattr(v, "graph") and hasattr(v, "dtype"))
    return next((dtypes.as_dtype(dtype).base_dtype for dtype in found), None)


def _check_length(op_def, arg, part, attrs):
    number, name = arg["number_attr"], f'input "{arg["name"]}" of {op_def["name"]}'
    if attrs.setdefault(number, len(part)) != len(part):
        raise ValueError(f"{name} must be a list of {attrs[number]}, not of {len(part)}")
    least = _facts(op_def["name"])[0][number]["minimum"]
    if least is not None and len(part) < least:
        raise ValueError(f"{name} must be a list of {least} or more, not of {len(part)}")
    if not part and arg["type_attr"] and arg["type_attr"] not in attrs:
        raise TypeError(f"{name} is an empty list: its dtype is not known")


def _can_be_tensor(value):
    """Is it a tensor, or can it be one of another dtype than the one asked for?"""
    try:
        return hasattr(value, "graph") or constant_array(value) is not None
    except TypeError:
        return True  # it has a type, which is another one
    except ValueError:
        return False


def _is_tensor(value):
    return hasattr(value, "graph")


def _wrong_type(op_def, arg, value, want):
    what = f"{value.name} is {value.dtype.name}" if _is_tensor(value) else f"{value!r} is not"
    return f'input "{arg["name"]}" of {op_def["name"]} must be {want.name}, but {what}'


def _default_type(op_def, name):
    attr = _facts(op_def["name"])[0].get(name)
    return attr["default"] if attr is not None and attr["optional"] else None


def _check_allowed(op_def, allowed, types, name):
    for dtype in types if allowed else ():
        if dtype.as_datatype_enum not in allowed:
            _refuse_dtype(op_def, allowed, dtype, name)


def _refuse_dtype(op_def, allowed, dtype, name):
    fine = ", ".join(dtypes.as_dtype(n).name for n in sorted(allowed))
    raise TypeError(f'"{name}" of {op_def["name"]} cannot be {dtype.name}: only {fine}')


def _base(value):
    """The dtype of values that an attribute is, also where a reference to some is given."""
    return dtypes.as_dtype(value).base_dtype


def _plain(value):
    """An attribute's value as the module takes it: dtypes as numbers."""
    if isinstance(value, dtypes.DType):
        return value.base_dtype.as_datatype_enum
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def apply_op(op_type, name=None, **kwargs):
    """Adds a node of this op; see the module's text. TypeError names an argument that is missing
    or unknown."""
    return add_op(op_type, name, kwargs)


def add_op(op_type, name, kwargs):
    """apply_op() with the arguments in a dict, which it may change."""
    op_def = OPS[op_type]
    if op_type in _RENAMED:
        for own, renamed in _RENAMED[op_type].items():
            if renamed in kwargs:
                kwargs[own] = kwargs.pop(renamed)
    known, inputs, needed, allowed = _facts(op_type)
    attrs = {}
    for key, value in kwargs.items():
        if key in inputs:
            continue
        if key not in known:
            raise TypeError(f'{op_type}() has no argument "{key}"')
        if value is None and known[key]["type"] != "shape":
            continue
        if key in allowed:
            many = isinstance(value, (list, tuple))
            value = [_base(v) for v in value] if many else _base(value)
            _check_allowed(op_def, allowed[key], value if many else [value], key)
        attrs[key] = value
    for key in inputs:
        if key not in kwargs:
            raise TypeError(f'{op_type}() lacks the input "{key}"')
    for key in needed:
        if key not in attrs:
            raise TypeError(f'{op_type}() lacks the attribute "{key}"')
    with NameScope(get_default_graph, name or op_type) as scope:
        tensors = _flat_inputs(op_def, kwargs, attrs, allowed)
        attrs = {k: _plain(v) for k, v in attrs.items()}
        op = get_default_graph().create_op(op_type, tensors, attrs, scope)
    return _result(op, op_def["outputs"])


def _result(op, args):
    """The operation's outputs, in the form in which a function returns them."""
    if len(args) == 1 and not args[0]["list"]:
        return op.outputs[0]
    outputs, at = [], 0
    for arg in args:
        size = _length(op, arg)
        part = op.outputs[at : at + size]
        outputs.append(list(part) if arg["list"] else part[0])
        at += size
    if not outputs:
        return op
    return outputs[0] if len(outputs) == 1 else _tuple_of(op.type)(*outputs)


def _length(op, arg):
    """How many tensors an output is."""
    if arg["number_attr"]:
        return op.get_attr(arg["number_attr"])
    return len(op.get_attr(arg["type_list_attr"])) if arg["type_list_attr"] else 1


@functools.lru_cache(maxsize=None)
def _tuple_of(op_type):
    return collections.namedtuple(op_type, [a["name"] for a in OPS[op_type]["outputs"]])


# ---- the functions and what help() says of them


def _public(op_def, arg):
    """An argument's name in TensorFlow's Python."""
    return _RENAMED.get(op_def["name"], {}).get(arg["name"], arg["name"])


def _default(attr):
    value = attr["default"]
    if attr["type"] == "type":
        return dtypes.as_dtype(value).name
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def inferred_attrs(op_def):
    """The attributes that follow from the inputs."""
    keys = ("type_attr", "number_attr", "type_list_attr")
    return {arg[key] for arg in op_def["inputs"] for key in keys}


def _signature(op_def):
    """Inputs, then attributes, those that follow from the inputs last, then the node's name."""
    inferred, own, following = inferred_attrs(op_def), [], []
    for arg in op_def["inputs"]:
        own.append((_public(op_def, arg), inspect.Parameter.empty))
    for attr in op_def["attrs"]:
        if attr["name"] in inferred:
            following.append((attr["name"], None))
        else:
            default = _default(attr) if attr["optional"] else inspect.Parameter.empty
            own.append((_public(op_def, attr), default))
    return inspect.Signature(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in [*own, *following, ("name", None)]
    )


def _summary(op_def):
    """The first paragraph of the function that adds the op, or a line with the op's name."""
    shown = shown_by.get(op_def["name"])
    if shown is None:
        return f"Adds an operation of type {op_def['name']}."
    return shown.__doc__.partition("\n\n")[0]


def _doc(op_def):
    """The docstring of an op's function."""
    inferred, names, args = inferred_attrs(op_def), {}, {}
    for arg in op_def["inputs"]:
        names[_public(op_def, arg)] = arg["name"]
        args[_public(op_def, arg)] = docstrings.input_words(op_def, arg, names)
    following = {}
    for attr in op_def["attrs"]:
        words = docstrings.attr_words(attr)
        if attr["name"] in inferred:
            following[attr["name"]] = words + " By default it follows from the inputs."
            continue
        if attr["optional"]:
            default = _default(attr)
            shown = default if attr["type"] == "type" else repr(default)
            words += f" Default: {shown}."
        args[_public(op_def, attr)] = words
    args.update(following)
    args["name"] = docstrings.COMMON["name"]
    summary = [_summary(op_def)]
    shown = shown_by.get(op_def["name"])
    if shown is not None:
        summary += ["", f"See also: {modules.public_path(shown)}()."]
    if op_def["stateful"]:
        summary += ["", "It is stateful: every step that needs it runs it."]
    raises = {
        **docstrings.RAISES,
        "errors.UnimplementedError": "In run(): no kernel for the device and the dtypes.",
    }
    returns = docstrings.result_of(op_def, names)
    return docstrings.assemble(summary, args, returns, raises)


def __getattr__(op_type):
    op_def = OPS.get(op_type)
    if op_def is None:
        raise AttributeError(op_type)

    def function(name=None, **kwargs):
        return add_op(op_type, name, kwargs)

    function.__name__ = function.__qualname__ = op_type
    function.__module__ = "sluice.raw_ops"
    function.__doc__ = _doc(op_def)
    function.__signature__ = _signature(op_def)
    globals()[op_type] = function
    return function


__all__ = sorted(op for op in OPS if not op.startswith("_"))


def __dir__():
    return list(__all__)
