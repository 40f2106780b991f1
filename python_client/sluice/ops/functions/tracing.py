# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph, made by calling Python functions."""

import contextlib
import itertools

from ... import dtypes, errors
from ...graph.convert import convert_to_tensor
from ...graph.elements import (
    Operation,
    add_control_input,
    attr_of,
    id_of,
    ids_of,
    is_ref,
    set_device,
)
from ...graph.graph import Graph
from ...graph.seeds import counted_behind, counted_nodes
from ...graph.state import state_of
from ...graph.tensor_shape import dims_of
from ..raw_ops import definition
from .structures import flatten, pack_as

_numbers = itertools.count()


class Body(Graph):
    """A function in the making. Tensors of the graph around it become arguments when they are
    used; reference variables, which cannot be arguments, have a node of their own in it."""

    def __init__(self, outer):
        super().__init__()
        self.outer = outer
        self.captures = {}  # the tensor outside, by identity: (it, the argument)
        self.control_captures = {}  # what parts of it wait for outside; the values are not used
        self._references = {}  # the variable outside: its tensor here
        self.reads = 0  # how many nodes outside read what is captured
        self.in_order = getattr(outer, "in_order", False)  # as sluice.function() has it
        self.seed = outer.seed
        state_of(self).collections = state_of(outer).collections
        state_of(self).overrides = state_of(outer).overrides

    @property
    def building_function(self):
        return True

    def argument(self, dtype, shape):
        attrs = {"dtype": int(dtype.base_dtype), "shape": dims_of(shape)}
        return self._apart("Placeholder", attrs, "arg")

    def _apart(self, op_type, attrs, name):
        """The tensor of a node that is made independently of scopes."""
        with state_of(self).within(devices=[], control=[], colocation=[]):
            return Graph.create_op(self, op_type, [], attrs, name).outputs[0]

    def _reference(self, variable):
        """The node that names a reference variable of a graph around this one: the same state
        in the same place."""
        if variable not in self._references:
            op = variable.op
            attrs = {key: attr_of(op, key) for key in ("shape", "container", "shared_name")}
            attrs["shared_name"] = attrs["shared_name"] or op.name
            attrs.update(dtype=int(variable.dtype.base_dtype), _class=["loc:@" + op.name])
            made = self._apart(op.type, attrs, op.name.rpartition("/")[2])
            set_device(made.op, op.device)
            self._references[variable] = made
        return self._references[variable]

    def capture(self, tensor):
        """The argument that stands for a tensor of a graph around this one."""
        if tensor.graph is self:
            return tensor
        if is_ref(tensor) and tensor.op.type in ("VariableV2", "Variable"):
            return self._reference(tensor)
        if tensor not in self.captures:
            if tensor.graph is not self.outer:
                if not isinstance(self.outer, Body):
                    raise ValueError(
                        f"{tensor} must be from the same graph as the function that is made, which"
                        " takes only tensors of the graphs around it"
                    )
                outside = self.outer.capture(tensor)
            elif is_ref(tensor):
                attrs = {"T": int(tensor.dtype.base_dtype)}
                outside = self.outer.create_op("Identity", [tensor], attrs, "value").outputs[0]
                self.reads += 1
            else:
                outside = tensor
            self.captures[tensor] = (outside, self.argument(outside.dtype, outside.shape))
        return self.captures[tensor][1]

    def create_op(self, op_type, inputs, attrs=None, name=None):
        if op_type in ("VariableV2", "VarHandleOp"):
            raise ValueError(
                "a variable must be made outside of conditionals and loops, or by get_variable()"
            )
        if op_type in state_of(self).overrides:
            raise errors.UnimplementedError(
                None,
                None,
                f"gradient_override_map() changes {op_type}, but not in the functions of loops and "
                "conditionals: make the operation outside of them",
            )
        return super().create_op(op_type, [self.capture(t) for t in inputs], attrs, name)

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return super().control_dependencies(None)
        inside, outside = [], []
        for item in control_inputs:
            (inside if getattr(item, "graph", self) is self else outside).append(item)
        self.control_captures.update(dict.fromkeys(outside))
        return super().control_dependencies(inside)

    def stateful(self):
        return state_of(self).core.stateful()


# Gradients copy a loop or a conditional that a session has: these operations may run twice.
_READS = frozenset(
    "ReadVariableOp ResourceGather ResourceGatherNd VarHandleOp VarIsInitializedOp".split()
)


class ControlFlowBody(Body):
    """The body of a conditional or a loop."""

    def stateful(self):
        """Whether it changes a state; in a function, also whether it reads one."""
        if not super().stateful() or self.outer is not outermost(self.outer):
            return super().stateful()
        kinds = {op.type for op in self.get_operations()} - _READS
        return any(definition(kind)["stateful"] for kind in kinds)


class TracedFunction:
    """A traced Python function: its graph, its result as it was and as tensors.

    in_order: Operations that use one resource run in the order in which they were made, and those
    that change a state run although nothing uses them. A function inside of one in order is, too.
    before: How many nodes TensorFlow has before the function's, which are in the graph around it;
    None: they are in a graph of their own.
    nodes: How many the function has.
    """

    def __init__(self, outer, function, dtypes_and_shapes=(), structure=(), body_class=Body,
                 in_order=False, before=None):  # fmt: skip
        self.body = body_class(outer)
        self.body.in_order |= in_order
        counted = contextlib.nullcontext()
        if before is not None:
            counted = counted_behind(self.body, before - len(dtypes_and_shapes))
        with counted, self.body.as_default():
            self.args = [self.body.argument(d, s) for d, s in dtypes_and_shapes]
            self.result = function(*pack_as(structure, iter(self.args), composites=True))
            results = flatten(self.result, composites=True)
            self.ops = [r for r in results if isinstance(r, Operation)]
            self.tensors = [
                self.body.capture(convert_to_tensor(r))
                for r in results
                if r is not None and not isinstance(r, Operation)
            ]
        self.nodes = counted_nodes(self.body) - len(self.args)
        if self.body.in_order:
            self._put_in_order()

    def _put_in_order(self):
        last = {}
        for op in self.body.get_operations():
            used = [tensor for tensor in op.inputs if tensor.dtype == dtypes.resource]
            for tensor in used:
                if tensor in last:
                    add_control_input(op, last[tensor])
                last[tensor] = op
            makes_state = not op.inputs and op.type.startswith("Var")  # a variable itself
            if (used or definition(op.type)["stateful"]) and not makes_state:
                self.ops.append(op)

    def add_to(self, graph, name, captured):
        """Enters the function; after its own arguments it takes `captured`."""
        args = self.args + [self.body.captures[key][1] for key in self.meet(captured)]
        state = state_of(graph)
        function = state.core.add_function(
            f"{name}_{next(_numbers)}",
            state_of(self.body).core,
            ids_of(args),
            ids_of(self.tensors),
            list(map(id_of, self.ops)),
        )
        state.functions[function] = self.body
        return function

    def meet(self, captured):
        for tensor in captured:
            self.body.capture(tensor)
        return captured


def captured_by(functions):
    """The tensors from outside that any of the functions uses, and what stands for them there."""
    keys = list(dict.fromkeys(key for f in functions for key in f.body.captures))
    for function in functions:
        function.meet(keys)
    return keys, [functions[0].body.captures[key][0] for key in keys]


def awaited_by(functions):
    """What runs before any of the functions: parts of them wait for it."""
    return [item for function in functions for item in function.body.control_captures]


def outermost(graph):
    while hasattr(graph, "outer"):
        graph = graph.outer
    return graph
