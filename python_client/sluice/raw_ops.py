"""Every op of the registry as a function with keyword arguments: raw_ops.MatMul(a=x, b=y,
transpose_a=True).

Inputs are tensors or values that become constants; types and numbers that follow from the inputs
need not be given.
A function returns the op's output, a list of them when there are several, or the Operation when it
has none.
"""

from . import _sluice, dtypes
from .convert import convert_to_tensor
from .graph import get_default_graph

_DEFS = {d["name"]: d for d in _sluice.ops()}


def _expected_type(arg, given, attrs):
    if arg["type"]:
        return dtypes.as_dtype(arg["type"])
    name = arg["type_attr"]
    if name in attrs:
        return dtypes.as_dtype(attrs[name])
    return given.get(name)


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
        for item in items:
            want = _expected_type(arg, given, attrs)
            tensor = convert_to_tensor(item, want, as_ref=arg["is_ref"])
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
    if not op_def["outputs"]:
        return op
    if len(op_def["outputs"]) == 1 and not op_def["outputs"][0]["list"]:
        return op.outputs[0]
    return list(op.outputs)


def _function(op_type):
    def function(name=None, **kwargs):
        return apply_op(op_type, name, **kwargs)

    op_def = _DEFS[op_type]
    function.__name__ = function.__qualname__ = op_type
    args = [a["name"] for a in op_def["inputs"]] + [a["name"] for a in op_def["attrs"]]
    outputs = ", ".join(a["name"] for a in op_def["outputs"]) or "nothing"
    function.__doc__ = f"{op_type}({', '.join(args)}) -> {outputs}\n\n{op_def['doc']}"
    return function


for _name in _DEFS:
    if _name.isidentifier() and not _name.startswith("_"):
        globals()[_name] = _function(_name)
