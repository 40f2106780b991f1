# SPDX-License-Identifier: Apache-2.0
"""Optionals: an element, or none."""

from .. import dtypes
from ..graph.default_graph import name_scope
from ..graph.tensor_shape import TensorShape
from ..ops import raw_ops
from . import specs
from .iterators import resource_of
from .shapes import shapes_of
from .structure import assert_same


class Optional:
    """An element or none, as one tensor of a step: see get_next_as_optional().

    Args:
        variant: The tensor that stands for it.
        structure: The structure of the element.
    """

    def __init__(self, variant, structure):
        self._variant, self._structure = variant, structure

    @staticmethod
    def from_value(value):
        """Makes an Optional that has an element.

        Args:
            value: An element: tensors in a structure.

        Returns:
            An Optional.
        """
        with name_scope("optional") as scope:
            with name_scope("value"):
                structure = specs.spec_of(value)
                parts = specs.to_tensors(structure, value)
            return Optional(raw_ops.OptionalFromValue(components=parts, name=scope), structure)

    @staticmethod
    def none_from_structure(value_structure):
        """Makes an Optional that has none.

        Args:
            value_structure: The structure of the element that it could have.

        Returns:
            An Optional.
        """
        return Optional(raw_ops.OptionalNone(), value_structure)

    def has_value(self, name=None):
        """Tests whether there is an element.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A bool scalar.
        """
        return raw_ops.OptionalHasValue(optional=self._variant, name=name)

    def get_value(self, name=None):
        """Returns the element.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An element: tensors in its structure.

        Raises:
            errors.InvalidArgumentError: In run(): there is none.
        """
        with name_scope(name or "OptionalGetValue") as scope:
            found = raw_ops.add_op(
                "OptionalGetValue", scope,
                {"optional": self._variant, **shapes_of(self._structure)},
            )  # fmt: skip
            return specs.from_tensors(self._structure, found)

    @property
    def value_structure(self):
        """The structure of the element."""
        return self._structure


class OptionalSpec(specs.Spec):
    """The kind of a leaf that is an Optional.

    Args:
        value_structure: The structure of the element.
    """

    def __init__(self, value_structure):
        self._structure = value_structure

    @property
    def value_type(self):
        """The class of the values."""
        return Optional

    @staticmethod
    def from_value(value):
        """Returns the spec of an Optional.

        Args:
            value: An Optional.

        Returns:
            An OptionalSpec.
        """
        return OptionalSpec(value.value_structure)

    def _key(self):
        return repr(self._structure)

    def _fits(self, other):
        return specs.compatible(self._structure, other._structure)

    def _joined(self, other):
        assert_same(self._structure, other._structure)
        return OptionalSpec(specs.weakened(self._structure, other._structure))

    def __repr__(self):
        return f"OptionalSpec({self._structure!r})"


class _Kind:
    """How an Optional passes: as a variant."""

    @staticmethod
    def flat(spec):
        return dtypes.variant, TensorShape([])

    @staticmethod
    def encoded(spec, value):
        return value._variant

    @staticmethod
    def rows(spec, value):
        raise TypeError("an Optional cannot be split")

    @staticmethod
    def decoded(spec, tensor):
        return Optional(tensor, spec._structure)

    @staticmethod
    def batch(spec, size):
        raise TypeError("Optionals cannot be joined to batches")

    unbatch = rows

    @staticmethod
    def legacy(spec):
        return spec, spec, spec

    @staticmethod
    def weakened(spec, other):
        return spec.most_specific_compatible_type(other)


def _spec_of_optional(value):
    return OptionalSpec(value.value_structure) if isinstance(value, Optional) else None


specs.add_kind(OptionalSpec, _Kind, _spec_of_optional)


def get_next_as_optional(iterator):
    """Makes an Optional of the next element: at the end it has none.

    Args:
        iterator: An Iterator.

    Returns:
        An Optional.
    """
    spec = iterator.element_spec
    made = raw_ops.IteratorGetNextAsOptional(iterator=resource_of(iterator), **shapes_of(spec))
    return Optional(made, spec)
