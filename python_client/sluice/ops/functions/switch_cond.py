# SPDX-License-Identifier: Apache-2.0
"""Conditionals made of Switch and Merge nodes, the form that 1.x gives every conditional.

cond() makes one node that calls functions. The nodes here have the names and the number of those of
1.x. That matters where later operations take their seeds from the number of nodes before them.
"""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.elements import Operation, id_of, is_ref
from ...graph.state import state_of
from .. import array as arrays
from .. import raw_ops
from .structures import flatten, pack_as


class Branch:
    """One branch: its nodes take tensors from outside through Switch nodes.

    Args:
        graph: The Graph.
        predicate: The bool scalar that all Switch nodes of the conditional take.
        taken: The value of the predicate with which the branch runs, a bool.
        pivot: A tensor that is computed if the branch runs. Nodes without inputs wait for it.
    """

    def __init__(self, graph, predicate, taken, pivot):
        self._graph, self._state = graph, state_of(graph)
        self._predicate, self._taken, self.pivot = predicate, taken, pivot
        self._outer = self._state.branch
        self._inside = {}  # a tensor from outside -> what the branch takes for it
        self._first = graph.version

    def switched(self, tensors, name):
        """The tensors that a node of the branch takes in place of its inputs.

        Args:
            tensors: The inputs, a list.
            name: Name of the node, a str. Switch nodes get names below it.
        """
        return [t if self._is_inside(t) else self._switch(t, name) for t in tensors]

    def _is_inside(self, tensor):
        return id_of(tensor.op) >= self._first and tensor not in self._inside

    def _switch(self, tensor, name):
        if tensor not in self._inside:
            with self._state.within(branch=self._outer, scope="", control=[]):
                switch = raw_ops.RefSwitch if is_ref(tensor) else raw_ops.Switch
                sides = switch(data=tensor, pred=self._predicate, name=f"{name}/Switch")
            self._inside[tensor] = sides[1 if self._taken else 0]
        return self._inside[tensor]

    def results(self, function):
        """(the structure that a function returns, its tensors) with its nodes made in the branch.

        Args:
            function: A function without arguments.
        """
        with self._state.within(branch=self, control=[]):
            structure = function()
            return structure, [self._result(value) for value in flatten(structure)]

    def _result(self, value):
        if isinstance(value, Operation):
            with self._graph.control_dependencies([value]):
                return arrays.identity(self.pivot, "control_dependency")
        tensor = convert_to_tensor(value)
        if self._is_inside(tensor) or tensor in self._inside.values():
            return tensor
        return self._switch(tensor, self._state.scope.rstrip("/"))


def switch_cond(pred, true_fn, false_fn, name=None):
    """Runs one of two functions, as a scalar says.

    Args:
        pred: A bool scalar, a tensor.
        true_fn: A function without arguments that returns tensors or a nested structure of them.
        false_fn: A function that returns tensors of the same structure and dtypes.
        name: Name of the scope of the nodes, a str. None: "cond".

    Returns:
        Tensors in the structure that the functions return.

    Raises:
        ValueError: The functions return different structures.
    """
    graph = get_default_graph()
    with name_scope(name, "cond"):
        sides = raw_ops.Switch(data=pred, pred=pred)
        pivots = {True: arrays.identity(sides[1], "switch_t"),
                  False: arrays.identity(sides[0], "switch_f")}  # fmt: skip
        predicate = arrays.identity(pred, "pred_id")
        found = {}
        for taken, function in ((True, true_fn), (False, false_fn)):
            branch = Branch(graph, predicate, taken, pivots[taken])
            found[taken] = branch.results(function)
        (structure, trues), (_, falses) = found[True], found[False]
        if len(trues) != len(falses):
            raise ValueError(f"true_fn returns {len(trues)} values, false_fn {len(falses)}")
        merged = [raw_ops.Merge(inputs=[f, t])[0] for f, t in zip(falses, trues)]
    return pack_as(structure, iter(merged))
