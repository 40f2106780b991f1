# SPDX-License-Identifier: Apache-2.0
"""Draws of one op for the fuzzer: a line of cases/*.py or a rule of the *_rules.py, changed.

    draw(op, seed) -> Drawn(op, inputs, attributes), the same for the same client

About half of the draws keep what makes the line valid; the others break one thing: a shape, a
value, an attribute.
"""

import copy
import zlib

import numpy as np
from tensorflow.python.framework import kernels

from interop import cases
from interop.cases.case import ANY
from interop.rules import (
    array_rules,
    image_rules,
    matrix_rules,
    op_rules,
    resource_rules,
    sparse_rules,
    state_rules,
    text_rules,
    tree_rules,
    window_rules,
)
from interop.tools import damage, op_nodes
from interop.tools.op_nodes import op_def, tf

FAMILIES = (
    op_rules,
    state_rules,
    array_rules,
    image_rules,
    matrix_rules,
    resource_rules,
    sparse_rules,
    text_rules,
    tree_rules,
    window_rules,
)
RULES = {op: rule for family in FAMILIES for op, rule in family.RULES.items()}
HOSTILE = (-1, -2, 0, 1, 2, 7, 64, 1000, -100, 2**31 - 1, -(2**31), 2**31, 2**33, -(2**63))
ODD_FLOATS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30, -1e30, 3e38, 65504.0, 0.5, -1.5, 1e5)
CORNERS = np.array([0.0, -0.0, 0.0, 1.0, -1.0, 0.5, -2.5, 3.0, np.inf, -np.inf, np.nan])
FINITE_CORNERS = 8
FILL = {"int": 1, "float": 0.5, "bool": False, "string": b"", "shape": [2], "type": "float32"}
MOST_ELEMENTS = 6000


class Drawn:
    """An op with inputs (arrays, or lists of arrays) and attributes, ready to be a node.

    inputs: (dtype, array) for each argument, a list of them where it takes several tensors.
    """

    def __init__(self, op, seed):
        self.op, self.seed = op, seed
        self.inputs, self.attrs = [], {}
        self.static, self.how = False, ""
        self.shows_value = False  # it was made for that
        self.rtol = self.atol = None
        self.before = []  # what the same node ran with before, its own draw first

    def first(self):
        return self.before[0] if self.before else self

    def tensors(self):
        for value in self.inputs:
            yield from value if isinstance(value, list) else [value]

    def __str__(self):
        def show(value):
            if isinstance(value, list):
                return "[" + ", ".join(show(v) for v in value) + "]"
            dtype, array = value
            text = np.array2string(array, threshold=60, separator=",").replace("\n", "")
            return f"{dtype}{list(array.shape)}={text[:400]}"

        attrs = ", ".join(f"{k}={v!r}" for k, v in sorted(self.attrs.items()))
        inputs = ", ".join(show(v) for v in self.inputs)
        return f"{self.op}({inputs}; {attrs}) [{self.how}]"


def _allowed(attr):
    return [tf.as_dtype(t).name for t in attr.allowed_values.list.type]


class Kernels:
    """Which dtypes have a kernel on both sides. `ours`: the lines of --list_ops."""

    def __init__(self, ours):
        self.ours = {}
        for line in ours.splitlines():
            op, text = line.split("\t")[:2]
            on_cpu = [kernel for kernel in text.split("; ") if kernel.startswith("CPU")]
            if on_cpu:
                self.ours[op] = [self._parse(kernel) for kernel in on_cpu]

    @staticmethod
    def _parse(text):
        """'CPU T={float, half} N={int32}' -> {"T": {...}, "N": {...}}"""
        found = {}
        for part in text.split("} ") if "{" in text else ():
            name, types = part.replace("CPU ", "").rstrip("}").split("={")
            found[name.strip()] = {tf.as_dtype(t.strip()).name for t in types.split(",")}
        return found

    def ops(self):
        """Names with a kernel in both."""
        return [op for op in sorted(self.ours) if op_def(op) is not None and self.theirs(op)]

    @staticmethod
    def theirs(op):
        found = []
        for kernel in kernels.get_registered_kernels_for_op(op).kernel:
            if kernel.device_type in ("CPU", "DEFAULT") and not kernel.label:
                found.append(
                    {c.name: {tf.as_dtype(t).name for t in c.allowed_values.list.type}
                     for c in kernel.constraint if c.allowed_values.list.type}
                )  # fmt: skip
        return found

    @staticmethod
    def _holds(constraint, types):
        return all(
            set(types[name] if isinstance(types[name], list) else [types[name]]) <= allowed
            for name, allowed in constraint.items()
            if name in types
        )

    def both(self, op, types):
        return any(self._holds(c, types) for c in self.ours[op]) and any(
            self._holds(c, types) for c in self.theirs(op)
        )


class Draws:
    """Draws ops; `kernels` says which dtypes may be asked."""

    def __init__(self, both):
        self.kernels = both
        self.lines, self.all_lines = {}, {}
        for family in cases.families():
            for case in family():
                self.all_lines.setdefault(case.op, []).append(case)
                if case.ours is not None or case.like not in (None, op_nodes.MAJOR):
                    continue
                self.lines.setdefault(case.op, []).append(case)

    def known(self, op):
        return op in self.lines or op in RULES

    def draw(self, op, seed):
        rng = np.random.RandomState((zlib.crc32(op.encode()) + seed * 7919) % 2**32)
        for _ in range(30):
            drawn = self._base(op, seed, rng)
            if drawn is not None and self.kernels.both(op, self.types(drawn)):
                break
        else:
            return None
        self._change(drawn, rng)
        drawn.static |= rng.rand() < 0.15
        return drawn

    def runs(self, drawn):
        """Three runs of one node: its inputs, others of the same dtypes, its inputs again."""
        kept = any(
            arg.is_ref or arg.type == tf.resource.as_datatype_enum
            for arg in op_def(drawn.op).input_arg
        )
        other = None if kept or drawn.static else self._other(drawn)
        if other is None:
            return [drawn]
        again = copy.copy(drawn)
        other.before, again.before = [drawn], [drawn, other]
        other.how, again.how = f"{drawn.how}, second run", f"{drawn.how}, third run"
        return [drawn, other, again]

    def _other(self, drawn):
        def signature(d):
            return [[t for t, _ in v] if isinstance(v, list) else v[0] for v in d.inputs]

        for far in range(1, 20):
            other = self.draw(drawn.op, drawn.seed + far * 10**6)
            if other is not None and signature(other) == signature(drawn):
                other.seed, other.attrs = drawn.seed, drawn.attrs
                return other
        return None

    def _base(self, op, seed, rng, dtype=None, valid=False):
        rule = RULES.get(op)
        lines = [c for c in self.lines.get(op, ()) if not valid or c.error is None]
        if rule is not None and (not lines or rng.rand() < 0.5):
            case, how = rule(op, rng), "rule"
        else:
            lines = lines or self.lines[op]
            case, how = lines[rng.randint(len(lines))], "line"
            if case.error is not None:
                case, how = lines[rng.randint(len(lines))], "line"
        drawn = Drawn(op, seed)
        drawn.how, drawn.rtol, drawn.atol = how, case.rtol, case.atol
        inputs = [
            v for value in case.inputs for v in (value if isinstance(value, list) else [value])
        ]
        drawn.static = any(v.static for v in inputs)
        dtype = dtype or self._dtype(case, op, rng)
        definition = op_def(op)
        if len(case.inputs) != len(definition.input_arg):
            return None  # another client's interface
        try:
            for value in case.inputs:
                if isinstance(value, list):
                    drawn.inputs.append([self.value(v, dtype, rng) for v in value])
                else:
                    drawn.inputs.append(self.value(value, dtype, rng))
        except (TypeError, ValueError):
            return None  # words where this dtype wants numbers
        drawn.attrs = {k: v for k, v in case.attrs.items() if self._attr(definition, k)}
        for attr in definition.attr:
            if attr.name not in drawn.attrs and attr.name not in self._inferred(definition):
                if not attr.HasField("default_value"):
                    drawn.attrs[attr.name] = self._fill(attr, dtype)
        return drawn

    @staticmethod
    def _attr(definition, name):
        return any(a.name == name for a in definition.attr)

    @staticmethod
    def _fill(attr, dtype):
        if attr.type == "type":
            return dtype
        if attr.type.startswith("list("):
            return []
        return FILL.get(attr.type, 0)

    @staticmethod
    def _inferred(definition):
        names = set()
        for arg in definition.input_arg:
            names |= {arg.type_attr, arg.number_attr, arg.type_list_attr}
        return names

    def _dtype(self, case, op, rng):
        """The dtype of the inputs that name none: mostly any that the op allows."""
        if rng.rand() < 0.3:
            return case.types[rng.randint(len(case.types))]
        for arg, value in zip(op_def(op).input_arg, case.inputs):
            first = value[0] if isinstance(value, list) and value else value
            if not isinstance(first, list) and first.dtype is None and arg.type_attr:
                attr = next(a for a in op_def(op).attr if a.name == arg.type_attr)
                names = _allowed(attr) or list(ANY)
                names = [n for n in names if n in ANY]
                if names:
                    return names[rng.randint(len(names))]
        return case.types[rng.randint(len(case.types))]

    @staticmethod
    def value(value, dtype, rng):
        dtype = value.dtype or dtype
        with np.errstate(all="ignore"):
            array = np.array(value.draw(rng, dtype))
            if dtype == "string" and array.dtype != object:
                array = np.array(array.tolist(), dtype=object)
            if dtype != "string" and array.dtype == object:
                array = np.arange(array.size).reshape(array.shape)
            return dtype, array.astype(op_nodes.element_type(dtype))

    def types(self, drawn):
        """The type attributes that the inputs and attributes give."""
        definition, types = op_def(drawn.op), {}
        for attr in definition.attr:
            if attr.type == "type" and attr.HasField("default_value"):
                types[attr.name] = tf.as_dtype(attr.default_value.type).name
            if attr.type == "type" and attr.name in drawn.attrs:
                types[attr.name] = tf.as_dtype(drawn.attrs[attr.name]).name
        for arg, value in zip(definition.input_arg, drawn.inputs):
            if arg.type_list_attr:
                types[arg.type_list_attr] = [dtype for dtype, _ in value]
            elif arg.type_attr and value:
                types[arg.type_attr] = value[0][0] if isinstance(value, list) else value[0]
        return types

    def fill(self, cell):
        """A draw that shows this cell of the ledger, or None."""
        definition = op_def(cell.op)
        if definition is None or not self.known(cell.op) or cell.dtype in ("resource", "variant"):
            return None
        attr = next((a for a in definition.attr if a.name == cell.attr), None)
        kinds = [a.type_attr for a in definition.input_arg if a.type_attr]
        main = next((k for k in kinds if k not in INDEX_TYPES), None)
        rng = np.random.RandomState(zlib.crc32(repr(cell).encode()))
        for _ in range(40):
            dtype = cell.dtype if cell.attr == main else None
            drawn = self._base(cell.op, 0, rng, dtype, cell.case == "value")
            if drawn is None:
                continue
            if cell.case in SHAPED and not SHAPED[cell.case](drawn, rng):
                continue
            if attr is not None and not _retype(drawn, attr.name, cell.dtype):
                continue
            types = self.types(drawn)
            if not self.kernels.both(cell.op, types):
                continue
            wanted = types.get(cell.attr)
            if attr is None or cell.dtype in (wanted if isinstance(wanted, list) else [wanted]):
                drawn.how = "ledger: " + " ".join(cell[1:])
                drawn.shows_value = cell.case == "value"
                return drawn
        return None

    def _change(self, drawn, rng):
        if drawn.op in damage.OPS and rng.rand() < 0.75:
            damage.damage(drawn, rng)
        elif drawn.how == "line" or rng.rand() < 0.4:
            for _ in range(rng.choice([0, 1, 2], p=[0.25, 0.5, 0.25])):
                change = CHANGES[rng.randint(len(CHANGES))]
                before = [v[1].shape if not isinstance(v, list) else 0 for v in drawn.inputs]
                attrs = dict(drawn.attrs)
                change(drawn, rng)
                if not self.kernels.both(drawn.op, self.types(drawn)):
                    drawn.attrs = attrs  # another output type, which one of us lacks
                after = [v[1].shape if not isinstance(v, list) else 0 for v in drawn.inputs]
                drawn.how += " " + change.__name__ + ("*" if before != after else "")


def _places(drawn):
    """(holder, index) of every tensor."""
    for i, value in enumerate(drawn.inputs):
        if isinstance(value, list):
            for j in range(len(value)):
                yield value, j
        else:
            yield drawn.inputs, i


def _reshaped(array, shape):
    """The same elements, again and again, in another shape."""
    if int(np.prod(shape, dtype=np.int64)) > MOST_ELEMENTS:
        return array
    if array.size == 0:
        return (
            np.zeros(shape, array.dtype) if array.dtype != object else np.full(shape, b"x", object)
        )
    count = int(np.prod(shape, dtype=np.int64))
    return array.reshape(-1)[np.arange(count) % array.size].reshape(shape)


def random_shape(rng, most=6):
    return tuple(
        int(n) for n in rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5], size=rng.randint(most + 1))
    )


def one_shape(drawn, rng):
    """One input gets another shape."""
    places = list(_places(drawn))
    if not places:
        return
    holder, i = places[rng.randint(len(places))]
    dtype, array = holder[i]
    shape, kind = list(array.shape), rng.randint(5)
    if kind == 0 and shape:
        at = rng.randint(len(shape))
        shape[at] = max(0, shape[at] + rng.choice([-1, 1, 2]))
    elif kind == 1 and shape:
        shape[rng.randint(len(shape))] = 0
    elif kind == 2 and shape:
        del shape[rng.randint(len(shape))]
    elif kind == 3:
        shape.insert(rng.randint(len(shape) + 1), int(rng.choice([0, 1, 2])))
    else:
        shape = random_shape(rng)
    holder[i] = dtype, _reshaped(array, shape)


def same_dims(drawn, rng):
    """Every dimension of one size, in all inputs, gets another."""
    sizes = sorted({n for _, array in drawn.tensors() for n in array.shape})
    if not sizes:
        return
    old, new = sizes[rng.randint(len(sizes))], int(rng.choice([0, 1, 2, 3, 5, 8, 17]))
    for holder, i in _places(drawn):
        dtype, array = holder[i]
        holder[i] = dtype, _reshaped(array, [new if n == old else n for n in array.shape])


def same_shapes(drawn, rng):
    """All inputs of the first's shape get another."""
    tensors = list(drawn.tensors())
    if not tensors:
        return
    old, new = tensors[0][1].shape, random_shape(rng)
    for holder, i in _places(drawn):
        dtype, array = holder[i]
        if array.shape == old:
            holder[i] = dtype, _reshaped(array, new)


def batched(drawn, rng):
    """Every input that is not a scalar gets one more leading dimension."""
    size = int(rng.choice([0, 1, 2]))
    for holder, i in _places(drawn):
        dtype, array = holder[i]
        if array.ndim:
            holder[i] = dtype, _reshaped(array, (size,) + array.shape)


def one_value(drawn, rng):
    """Some elements of one input are odd."""
    places = [(h, i) for h, i in _places(drawn) if h[i][1].size]
    if not places:
        return
    holder, i = places[rng.randint(len(places))]
    dtype, array = holder[i]
    array = array.copy()
    for _ in range(rng.choice([1, 1, 3])):
        at = np.unravel_index(rng.randint(array.size), array.shape) if array.ndim else ()
        with np.errstate(all="ignore"):
            if "int" in dtype:
                value = HOSTILE[rng.randint(len(HOSTILE))]
                array[at] = np.array(value).astype(array.dtype)
            elif dtype == "bool":
                array[at] = not array[at]
            elif dtype == "string":
                array[at] = [b"", b"\xff\xfe", b"x" * 50, b"1", b"%s", b"("][rng.randint(6)]
            else:
                value = ODD_FLOATS[rng.randint(len(ODD_FLOATS))]
                array[at] = np.full(1, value, np.float64).astype(array.dtype)[0]
    holder[i] = dtype, array


def corners(drawn, rng):
    """Every real number is one at which functions have poles, kinks and zeros, in all inputs."""
    few = CORNERS[: rng.choice([len(CORNERS), FINITE_CORNERS])]
    for holder, i in _places(drawn):
        dtype, array = holder[i]
        if "float" in dtype or "complex" in dtype:
            values = few[rng.randint(len(few), size=array.shape)]
            holder[i] = dtype, np.asarray(values).astype(array.dtype)


def other_values(drawn, rng):
    """The elements of one input in another order."""
    places = [(h, i) for h, i in _places(drawn) if h[i][1].size > 1]
    if places:
        holder, i = places[rng.randint(len(places))]
        dtype, array = holder[i]
        holder[i] = dtype, rng.permutation(array.reshape(-1)).reshape(array.shape)


def attribute(drawn, rng):
    """One attribute gets another value."""
    definition = op_def(drawn.op)
    inferred = Draws._inferred(definition)
    attrs = [a for a in definition.attr if a.name not in inferred and a.name not in FIXED]
    if not attrs:
        return
    attr = attrs[rng.randint(len(attrs))]
    now = drawn.attrs.get(attr.name)
    if now is None:
        now = op_nodes.default_of(attr)
    if attr.type == "bool":
        drawn.attrs[attr.name] = not now
    elif attr.type == "int":
        drawn.attrs[attr.name] = int(rng.choice([now, now + 1, now - 1, 0, 1, 2, 3, -1, -7, 100]))
    elif attr.type == "float":
        drawn.attrs[attr.name] = float(rng.choice([now, now * 2, 0.0, 1.0, -1.0, 0.25, 1e-7, 1e9]))
    elif attr.type == "string" and attr.allowed_values.list.s:
        values = attr.allowed_values.list.s
        drawn.attrs[attr.name] = values[rng.randint(len(values))]
    elif attr.type == "type" and attr.name in drawn.attrs and attr.allowed_values.list.type:
        values = _allowed(attr)
        drawn.attrs[attr.name] = values[rng.randint(len(values))]
    elif attr.type == "list(int)" and now:
        now = list(now)
        now[rng.randint(len(now))] = int(rng.choice([0, 1, 1, 2, 2, 3, -1, 5]))
        drawn.attrs[attr.name] = now[: rng.choice([len(now), len(now), len(now), len(now) - 1])]


def _retype(drawn, attr, dtype):
    """The attribute is this dtype, and what is of it; False where words would be numbers."""
    kind, found = op_nodes.element_type(dtype), False
    for i, (arg, value) in enumerate(zip(op_def(drawn.op).input_arg, drawn.inputs)):
        # The value of the variable behind a handle.
        held = arg.type == tf.resource.as_datatype_enum and attr not in INDEX_TYPES
        if attr not in (arg.type_attr, arg.type_list_attr) and not held:
            continue
        found = found or not held
        several = isinstance(value, list)
        changed = []
        for old, array in value if several else [value]:
            if old != dtype and "string" in (old, dtype):
                return False
            with np.errstate(all="ignore"):
                wide = array.real if "complex" in old and "complex" not in dtype else array
                wide = wide.astype(np.float64) if "bfloat16" in (old, dtype) else wide
                changed.append((dtype, wide.astype(kind)))
        drawn.inputs[i] = changed if several else changed[0]
    if not found:
        drawn.attrs[attr] = dtype
    return True


def main_inputs(drawn):
    """(holder, index) of the tensors that are of the op's own dtype, or of all."""
    places = []
    for i, (arg, value) in enumerate(zip(op_def(drawn.op).input_arg, drawn.inputs)):
        if arg.type_list_attr or (arg.type_attr and arg.type_attr not in INDEX_TYPES):
            places += (
                [(value, j) for j in range(len(value))]
                if isinstance(value, list)
                else [(drawn.inputs, i)]
            )
    return places or list(_places(drawn))


def _made(shape):
    """A change that gives the main input, and all of its shape, another."""

    def change(drawn, rng):
        places = main_inputs(drawn)
        if not places:
            return False
        holder, i = places[0]
        old = holder[i][1].shape
        new = shape(old)
        for h, j in _places(drawn):
            if h[j][1].shape == old and (h is holder and j == i or len(old) > 0):
                h[j] = h[j][0], _reshaped(h[j][1], new)
        return True

    return change


def _bad(drawn, rng):
    if not main_inputs(drawn):
        return False
    (one_shape if rng.rand() < 0.7 else one_value)(drawn, rng)
    return True


INDEX_TYPES = {"Tidx", "Tindices", "Index", "Tshape", "Tlen", "Tpaddings", "index_type"}
# How a draw comes to be of a case of the ledger.
SHAPED = {
    "empty": _made(lambda old: (0,) + old[1:]),
    "scalar": _made(lambda old: ()),
    "high rank": _made(lambda old: (1,) * max(0, 6 - len(old)) + old),
    "bad input": _bad,
}
# Attributes that name things, or whose every value is another program.
FIXED = {"container", "shared_name", "_class", "seed", "seed2", "equation", "Targmax"}
CHANGES = (
    one_shape, one_shape, same_dims, same_dims, same_shapes, batched, one_value, one_value,
    other_values, attribute, attribute, corners,
)  # fmt: skip
