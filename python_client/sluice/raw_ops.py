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
import sys

from . import _sluice, absent, docstrings, dtypes
from .convert import convert_to_tensor
from .graph import get_default_graph

_DEFS = {d["name"]: d for d in _sluice.ops()}

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
    return _DEFS[op_type]


def _expected_type(arg, given, attrs):
    if arg["type"]:
        return dtypes.as_dtype(arg["type"])
    name = arg["type_attr"]
    if name in attrs:
        return dtypes.as_dtype(attrs[name])
    return given.get(name)


def _usual_type(op_def, arg):
    """The default of the attribute that says an input's type: what Python's numbers become."""
    for attr in op_def["attrs"]:
        if attr["name"] == arg["type_attr"] and attr["optional"]:
            return dtypes.as_dtype(attr["default"])
    return None


def _flat_inputs(op_def, kwargs, attrs):
    """The tensors of all inputs in order. Tensors are looked at first: they give values their
    types."""
    given = {}
    for arg in op_def["inputs"]:
        value = kwargs[arg["name"]]
        for item in value if arg["list"] and isinstance(value, (list, tuple)) else [value]:
            if hasattr(item, "dtype") and hasattr(item, "graph") and arg["type_attr"]:
                given.setdefault(arg["type_attr"], item.dtype)
    tensors = []
    for arg in op_def["inputs"]:
        value = kwargs[arg["name"]]
        items = value if arg["list"] else [value]
        if arg["number_attr"]:
            attrs.setdefault(arg["number_attr"], len(items))
        for i, item in enumerate(items):
            want = _expected_type(arg, given, attrs)
            name = f"{arg['name']}_{i}" if arg["list"] else arg["name"]
            hint = None if want else _usual_type(op_def, arg)
            tensor = convert_to_tensor(item, want, name, hint, as_ref=arg["is_ref"])
            if arg["type_attr"]:
                given.setdefault(arg["type_attr"], tensor.dtype)
            tensors.append(tensor)
        if arg["type_list_attr"] and arg["type_list_attr"] not in attrs:
            attrs[arg["type_list_attr"]] = [t.dtype for t in tensors[len(tensors) - len(items) :]]
    return tensors


def _plain(value):
    """An attribute's value as the module takes it: dtypes as numbers."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return int(value) if isinstance(value, dtypes.DType) else value


def apply_op(op_type, name=None, **kwargs):
    """Adds a node of this op; see the module's text. TypeError names an argument that is missing
    or unknown."""
    op_def = _DEFS[op_type]
    for own, renamed in _RENAMED.get(op_type, {}).items():
        if renamed in kwargs:
            kwargs[own] = kwargs.pop(renamed)
    known = {a["name"]: a for a in op_def["attrs"]}
    inputs = {a["name"] for a in op_def["inputs"]}
    for key in kwargs:
        if key not in known and key not in inputs:
            raise TypeError(f'{op_type}() has no argument "{key}"')
    for key in inputs:
        if key not in kwargs:
            raise TypeError(f'{op_type}() lacks the input "{key}"')
    attrs = {}
    for key, value in kwargs.items():
        if key not in known or value is None and known[key]["type"] != "shape":
            continue
        if "type" in known[key]["type"]:
            many = isinstance(value, (list, tuple))
            value = [dtypes.as_dtype(v) for v in value] if many else dtypes.as_dtype(value)
        attrs[key] = value
    graph = get_default_graph()
    with graph.name_scope(name or op_type) as scope:
        tensors = _flat_inputs(op_def, kwargs, attrs)
        graph = graph.home_of(tensors)
        attrs = {k: _plain(v) for k, v in attrs.items()}
        op = graph.create_op(op_type, tensors, attrs, name=scope)
    return _result(op, op_def)


def _result(op, op_def):
    """The operation's outputs, in the form in which a function returns them."""
    outputs, at = [], 0
    for arg in op_def["outputs"]:
        size = _length(op, arg)
        part = op.outputs[at : at + size]
        outputs.append(list(part) if arg["list"] else part[0])
        at += size
    if not outputs:
        return op
    return outputs[0] if len(outputs) == 1 else _tuple_of(op_def["name"])(*outputs)


def _length(op, arg):
    """How many tensors an output is."""
    if arg["number_attr"]:
        return op.get_attr(arg["number_attr"])
    return len(op.get_attr(arg["type_list_attr"])) if arg["type_list_attr"] else 1


@functools.lru_cache(maxsize=None)
def _tuple_of(op_type):
    return collections.namedtuple(op_type, [a["name"] for a in _DEFS[op_type]["outputs"]])


# ---- the functions and what help() says of them


def _public(op_def, arg):
    """An argument's name in TensorFlow's Python."""
    return _RENAMED.get(op_def["name"], {}).get(arg["name"], arg["name"])


def _default(attr):
    value = attr["default"]
    if attr["type"] == "type":
        return dtypes.as_dtype(value).name
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _inferred(op_def):
    """The attributes that follow from the inputs."""
    keys = ("type_attr", "number_attr", "type_list_attr")
    return {arg[key] for arg in op_def["inputs"] for key in keys}


def _signature(op_def):
    """Inputs, then attributes, those that follow from the inputs last, then the node's name."""
    inferred, own, following = _inferred(op_def), [], []
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
    """What the registry says of an op, or the function of the package that adds it."""
    if op_def["doc"]:
        return op_def["doc"]
    shown = shown_by.get(op_def["name"])
    if shown is None:
        return f"Adds an operation of type {op_def['name']}."
    return shown.__doc__.partition("\n\n")[0]


def _doc(op_def):
    """The docstring of an op's function."""
    inferred, names, args = _inferred(op_def), {}, {}
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
        summary += ["", f"See also: {shown.__module__}.{shown.__name__}()."]
    if op_def["stateful"]:
        summary += ["", "It is stateful: every step that needs it runs it."]
    raises = {
        **docstrings.RAISES,
        "errors.UnimplementedError": "In run(): no kernel for the device and the dtypes.",
    }
    returns = docstrings.result_of(op_def, names)
    return docstrings.assemble(summary, args, returns, raises)


def __getattr__(op_type):
    op_def = _DEFS.get(op_type)
    if op_def is None:
        absent.explain(sys.modules[__name__], "raw_ops", op_type)

    def function(name=None, **kwargs):
        return apply_op(op_type, name, **kwargs)

    function.__name__ = function.__qualname__ = op_type
    function.__doc__ = _doc(op_def)
    function.__signature__ = _signature(op_def)
    globals()[op_type] = function
    return function


__all__ = sorted(op for op in _DEFS if not op.startswith("_"))


def __dir__():
    return list(__all__)
