# SPDX-License-Identifier: Apache-2.0
"""What a layer says of its calls."""

import functools
import inspect

from .. import nest
from ..graph.default_graph import name_scope
from ..graph.tensor_shape import TensorShape
from ..ops.functions.functions import TensorSpec
from .input_spec import checked


def mask_of(tensor):
    """The mask of a tensor that a layer made, or None."""
    return getattr(tensor, "_keras_mask", None)


def _one_or_all(tensors):
    return tensors[0] if isinstance(tensors, list) and len(tensors) == 1 else tensors


class Recorded:
    """The record of a layer's calls: `inbound_nodes` has an object for each, which knows inputs and
    outputs. Only layers of Keras record their calls."""

    inbound_nodes = outbound_nodes = ()
    _input_spec = None
    graph = None  # a layer may be called in several graphs

    @property
    def input_spec(self):
        """What the layer requires of its input: an InputSpec, a structure of them, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value):
        self._input_spec = checked(value)

    def _node(self, index, what):
        if not self.inbound_nodes:
            raise RuntimeError(f"The layer has never been called and thus has no defined {what}.")
        if index >= len(self.inbound_nodes):
            raise ValueError(
                f"Asked to get {what} at node {index}, but the layer has only "
                f"{len(self.inbound_nodes)} inbound nodes."
            )
        return self.inbound_nodes[index]

    def _first(self, what):
        if not self.inbound_nodes:
            if what == "output":
                raise AttributeError(f"Layer {self._name} has no inbound nodes.")
            raise AttributeError(f"Layer {self._name} is not connected, no {what} to return.")
        return self.inbound_nodes[0]

    def _shape(self, what):
        """The shape of what all calls took or returned, if it is the same."""
        if not self.inbound_nodes:
            raise AttributeError(
                f"The layer has never been called and thus has no defined {what} shape."
            )
        shapes = [getattr(node, f"{what}_shapes") for node in self.inbound_nodes]
        if any(str(shape) != str(shapes[0]) for shape in shapes):
            raise AttributeError(
                f'The layer "{self._name}" has multiple inbound nodes, with different {what} '
                f"shapes. Use `get_{what}_shape_at(node_index)` instead."
            )
        return shapes[0]

    @property
    def input(self):
        """What its first call took, a tensor or a list of tensors. AttributeError: it was not
        called."""
        return _one_or_all(self._first("input").input_tensors)

    @property
    def output(self):
        """What its first call returned, a tensor or a list. AttributeError: it was not called."""
        return _one_or_all(self._first("output").output_tensors)

    @property
    def input_shape(self):
        """The shape that all calls took, a tuple or a list of tuples. AttributeError: they took
        different ones, or there was no call."""
        return self._shape("input")

    @property
    def output_shape(self):
        """The shape that all calls returned, a tuple or a list of tuples. AttributeError: they
        returned different ones, or there was no call."""
        return self._shape("output")

    @property
    def input_mask(self):
        """The mask of `input`, a tensor, None, or a list of these."""
        return nest.map_structure(mask_of, self.input)

    @property
    def output_mask(self):
        """The mask of `output`, a tensor, None, or a list of these."""
        return nest.map_structure(mask_of, self.output)

    def get_input_at(self, node_index):
        """Returns what a call took.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tensor or a list of tensors.
        """
        return _one_or_all(self._node(node_index, "input").input_tensors)

    def get_output_at(self, node_index):
        """Returns what a call returned.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tensor or a list of tensors.
        """
        return _one_or_all(self._node(node_index, "output").output_tensors)

    def get_input_shape_at(self, node_index):
        """Returns the shape of what a call took.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tuple or a list of tuples.
        """
        return self._node(node_index, "input shape").input_shapes

    def get_output_shape_at(self, node_index):
        """Returns the shape of what a call returned.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tuple or a list of tuples.
        """
        return self._node(node_index, "output shape").output_shapes

    def get_input_mask_at(self, node_index):
        """Returns the mask of what a call took.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tensor, None, or a list of these.
        """
        return nest.map_structure(mask_of, self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        """Returns the mask of what a call returned.

        Args:
            node_index: Number of the call, an int.

        Returns:
            A tensor, None, or a list of these.
        """
        return nest.map_structure(mask_of, self.get_output_at(node_index))

    # ---- names of TensorFlow that programs use although it does not publish them

    @property
    def _inbound_nodes(self):
        return self.inbound_nodes

    @_inbound_nodes.setter
    def _inbound_nodes(self, nodes):
        self.inbound_nodes = nodes

    @property
    def _outbound_nodes(self):
        return self.outbound_nodes

    @_outbound_nodes.setter
    def _outbound_nodes(self, nodes):
        self.outbound_nodes = nodes

    @property
    def _call_fn_args(self):
        return list(inspect.signature(self.call).parameters)

    # ---- as of tf.Module

    @property
    def name_scope(self):
        """A context manager of the layer's name scope."""
        return name_scope(self._name)

    @property
    def submodules(self):
        """The layers inside, and those inside of these, a tuple."""
        found = [layer for part in self._parts() for layer in (part, *part.submodules)]
        return tuple({id(layer): layer for layer in found}.values())

    @classmethod
    def with_name_scope(cls, method):
        """A decorator of methods, which run in the layer's name scope.

        Args:
            method: The method.

        Returns:
            A method.
        """

        @functools.wraps(method)
        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped

    def compute_output_signature(self, input_signature):
        """Returns shape and dtype of the output.

        Args:
            input_signature: A TensorSpec, or a structure of them.

        Returns:
            A TensorSpec, or a structure of them.
        """
        given = nest.flatten(input_signature)
        shapes = self.compute_output_shape(
            nest.map_structure(lambda spec: spec.shape, input_signature)
        )
        kind = self.dtype or given[0].dtype
        many = isinstance(shapes, list)
        made = [TensorSpec(TensorShape(s), kind) for s in (shapes if many else [shapes])]
        return made if many else made[0]
