# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph that were traced for one kind of arguments."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.elements import Tensor
from ...graph.keys import GraphKeys
from .specs import TensorSpec
from .structures import flatten, pack_as, without_operations
from .tracing import awaited_by


def add_call(made, tensors, name):
    """Adds the operation that calls a function.

    Args:
        made: The TracedFunction, its name in the graph, and the tensors that it uses of the graph.
        tensors: Its arguments, a list.
        name: Name of the operation, a str.

    Returns:
        Tensors in the structure of the function's result; the Operation if there is none.
    """
    graph, (traced, function_name, captured) = get_default_graph(), made
    stateful = traced.body.stateful()
    waits = graph.control_dependencies(awaited_by([traced]))
    with name_scope(name) as scope, waits:
        op = graph.create_op(
            "StatefulPartitionedCall" if stateful else "PartitionedCall",
            [*tensors, *captured],
            {"Tout": [int(t.dtype.base_dtype) for t in traced.tensors], "f": function_name},
            scope,
        )
    for output, inside in zip(op.outputs, traced.tensors):
        output.set_shape(inside.shape)
    if not op.outputs:
        return op
    result, outputs = without_operations(traced.result), iter(op.outputs)
    # None is part of a result, but not an output of the operation.
    leaves = flatten(result, composites=True)
    leaves = [None if leaf is None else next(outputs) for leaf in leaves]
    return pack_as(result, iter(leaves), composites=True)


def named_specs(arguments):
    """The tensors among the arguments of a function.

    Args:
        arguments: A dict: name -> argument. A TensorSpec stands for a tensor.

    Returns:
        A list of TensorSpecs with names that differ.
    """
    found, taken = [], set()
    for argument, value in arguments.items():
        for leaf in flatten(value, composites=True):
            if not is_data(leaf):
                continue
            wanted = name = getattr(leaf, "name", None) if isinstance(leaf, TensorSpec) else None
            wanted = name = wanted or argument
            number = 0
            while name in taken:
                number += 1
                name = f"{wanted}_{number}"
            taken.add(name)
            found.append(spec_of(leaf, name))
    return found


def is_data(leaf):
    """Whether an argument is one of the graph's function, too."""
    return isinstance(leaf, (Tensor, TensorSpec)) or hasattr(leaf, "__array_interface__")


def spec_of(value, name):
    """The TensorSpec of a tensor, an array or another TensorSpec, under a name."""
    if isinstance(value, (Tensor, TensorSpec)):
        return TensorSpec(value.shape, value.dtype.base_dtype, name)
    return TensorSpec(value.shape, value.dtype, name)


class ConcreteFunction:
    """A function of the graph for one kind of arguments: the result of get_concrete_function().

    It is called with the tensors among these arguments, in order or by their names.

    Args:
        graph: The Graph that has it.
        made: What add_call() takes.
        specs: The TensorSpecs of the tensors among the arguments, a list.
        structure: The arguments with these in place of tensors, a tuple, and those by name, a dict.
        scope: Name of the operations that call it, a str.
    """

    def __init__(self, graph, made, specs, structure, scope):
        self._outer, self._made, self._specs, self._scope = graph, made, specs, scope
        self.structured_input_signature = structure

    @property
    def name(self):
        """The name of the function in the graph, bytes."""
        return self._made[1].encode()

    @property
    def graph(self):
        """The Graph of the function's body."""
        return self._made[0].body

    @property
    def arguments(self):
        """The TensorSpecs of the tensors that it takes, a list."""
        return list(self._specs)

    @property
    def inputs(self):
        """The arguments in the body, a list: those of calls, then those that it takes itself."""
        traced = self._made[0]
        return [*traced.args, *(inside for _, inside in traced.body.captures.values())]

    @property
    def captured_inputs(self):
        """The tensors outside of it that it takes itself, a list."""
        return list(self._made[2])

    @property
    def outputs(self):
        """The results in the body, a list of tensors."""
        return list(self._made[0].tensors)

    @property
    def structured_outputs(self):
        """The results in the structure that the Python function returned, as TensorSpecs."""
        result = without_operations(self._made[0].result)
        tensors, leaves = iter(self.outputs), flatten(result, composites=True)
        specs = [None if leaf is None else spec_of(next(tensors), None) for leaf in leaves]
        return pack_as(result, iter(specs), composites=True)

    @property
    def output_dtypes(self):
        """The dtypes of the results, in their structure."""
        return self._of_outputs(lambda spec: spec.dtype)

    @property
    def output_shapes(self):
        """The TensorShapes of the results, in their structure."""
        return self._of_outputs(lambda spec: spec.shape)

    def _of_outputs(self, function):
        specs = self.structured_outputs
        leaves = [None if s is None else function(s) for s in flatten(specs, composites=True)]
        return pack_as(specs, iter(leaves), composites=True)

    @property
    def variables(self):
        """The resource variables that it uses, a list."""
        taken = {tensor.op for tensor in self._made[2]}
        every = [
            *self._outer.get_collection(GraphKeys.GLOBAL_VARIABLES),
            *self._outer.get_collection(GraphKeys.LOCAL_VARIABLES),
        ]
        return [variable for variable in every if variable.op in taken]

    @property
    def trainable_variables(self):
        """The resource variables that it uses and optimizers change, a list."""
        return [variable for variable in self.variables if variable.trainable]

    def __call__(self, *args, **kwargs):
        names = [spec.name for spec in self._specs]
        if len(args) > len(names):
            raise TypeError(
                f"Expected at most {len(names)} positional arguments (and the rest keywords, of"
                f" {names}), got {args}."
            )
        missing = [name for name in names[len(args) :] if name not in kwargs]
        if missing:
            raise TypeError(f"Expected argument names {names}. Missing: {missing}.")
        given = [*args, *(kwargs.pop(name) for name in names[len(args) :])]
        for name in kwargs:
            if name in names:
                raise TypeError(f"Got two values for keyword '{name}'.")
            raise TypeError(f"Keyword arguments {list(kwargs)} unknown. Expected {names}.")
        for value in given:
            if not hasattr(value, "graph"):
                raise ValueError(f"All inputs to `ConcreteFunction`s must be Tensors; got {value}.")
        tensors = [convert_to_tensor(v, spec.dtype) for v, spec in zip(given, self._specs)]
        return add_call(self._made, tensors, self._scope)

    def __repr__(self):
        return f"<sluice.ConcreteFunction {self._made[1]} of {self._specs}>"
