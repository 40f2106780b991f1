# SPDX-License-Identifier: Apache-2.0
"""Signatures of ops as protocol messages."""

import functools

from ..messages import AttrValue, OpDef
from .registry import OPS
from .tensor_shape import as_shape

_FIELDS = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "type", "shape": "shape"}
# What the registry does not say of an op.
_AGGREGATE = frozenset({"AccumulateNV2", "AddN", "AddV2"})
_COMMUTATIVE = frozenset({
    "AccumulateNV2", "AddN", "AddV2", "ApproximateEqual", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
    "Equal", "LogicalAnd", "LogicalOr", "Mul", "NotEqual", "SquaredDifference",
})  # fmt: skip
_UNINITIALIZED = frozenset({
    "Assign", "DebugGradientIdentity", "DebugGradientRefIdentity", "IsVariableInitialized",
    "RefIdentity", "RefSwitch",
})  # fmt: skip


@functools.lru_cache(None)
def op_def_of(name):
    """The signature of an op.

    Args:
        name: The op, a str.

    Returns:
        An OpDef, which must not be changed.

    Raises:
        KeyError: There is no such op.
    """
    op = OPS[name]
    made = OpDef(name=name, is_stateful=op["stateful"], is_aggregate=name in _AGGREGATE,
                 is_commutative=name in _COMMUTATIVE,
                 allows_uninitialized_input=name in _UNINITIALIZED)  # fmt: skip
    for args, described in ((made.input_arg, op["inputs"]), (made.output_arg, op["outputs"])):
        for arg in described:
            keys = ("name", "type", "type_attr", "number_attr", "type_list_attr", "is_ref")
            args.add(**{key: arg[key] for key in keys})
    for attr in op["attrs"]:
        added = made.attr.add(name=attr["name"], type=attr["type"])
        if attr["minimum"] is not None:
            added.has_minimum, added.minimum = True, attr["minimum"]
        if attr["optional"]:
            added.default_value.CopyFrom(_value(attr["type"], attr["default"]))
        if attr["allowed"]:
            kind = attr["type"].removeprefix("list(").rstrip(")")
            added.allowed_values.CopyFrom(_value(f"list({kind})", attr["allowed"]))
    return made


def _value(kind, value):
    made = AttrValue()
    if not kind.startswith("list("):
        if kind == "shape":
            _fill(made.shape, value)
        elif kind in _FIELDS:
            setattr(made, _FIELDS[kind], _plain(value))
        return made
    made.list.SetInParent()
    field = getattr(made.list, _FIELDS[kind[5:-1]])
    for item in value or ():
        if kind == "list(shape)":
            _fill(field.add(), item)
        else:
            field.append(_plain(item))
    return made


def _plain(value):
    return value.encode() if isinstance(value, str) else value


def _fill(proto, sizes):
    proto.CopyFrom(as_shape(sizes).as_proto())
