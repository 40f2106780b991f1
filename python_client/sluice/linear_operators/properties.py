# SPDX-License-Identifier: Apache-2.0
"""What is known of a linear operator: its dtype, its shape, and the hints."""

import abc

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.elements import Tensor
from ..graph.tensor_shape import dimension, dimension_at_index
from ..ops import array as arrays
from ..ops.docstrings import add_shared_arguments
from ..ops.state.variables import Variable
from .parts import known_shape

_HINTS = {
    "is_non_singular": "Whether the matrix has an inverse. A bool. None: unknown.",
    "is_self_adjoint": "Whether the matrix equals its adjoint. A bool. None: unknown.",
    "is_positive_definite": "Whether the real part of x^H A x is positive for all x != 0. A bool."
    " None: unknown.",
    "is_square": "Whether the matrix is square. A bool. None: as its shape says.",
    "assert_proper_shapes": "Whether arguments are checked when a step runs. A bool.",
    "name": "Name of the operator, a str. None: a default name.",
}


class OperatorProperties(abc.ABC):
    """The properties of a LinearOperator. See there for the arguments."""

    def __init_subclass__(cls, **more):
        """Adds the hints to the docstrings of classes, whose arguments they are."""
        super().__init_subclass__(**more)
        if cls.__module__.startswith(__package__):
            add_shared_arguments(cls, _HINTS)

    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):  # fmt: skip
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        self._dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self._graph_parents = list(graph_parents or [])
        for i, parent in enumerate(self._graph_parents):
            if not isinstance(parent, (Tensor, Variable)):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._is_square = is_square
        self._name = name or type(self).__name__

    # ---- what is known of it

    @property
    def dtype(self):
        """The DType of the matrix."""
        return self._dtype

    @property
    def name(self):
        """The operator's name, a str."""
        return self._name

    @property
    def graph_parents(self):
        """The tensors that the operator is made of, a list."""
        return self._graph_parents

    @property
    def is_non_singular(self):
        """Whether the matrix has an inverse: a bool, or None if that is not known."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self):
        """Whether the matrix equals its adjoint: a bool, or None if that is not known."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self):
        """Whether the matrix is positive definite: a bool, or None if that is not known."""
        return self._is_positive_definite

    @property
    def is_square(self):
        """Whether the matrix is square: a bool, or None if that is not known."""
        rows, columns = self.range_dimension.value, self.domain_dimension.value
        equal = None if None in (rows, columns) else rows == columns
        if self._is_square is False and equal:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return equal if self._is_square is None else self._is_square

    def _can_use_cholesky(self):
        return self.is_self_adjoint and self.is_positive_definite

    # ---- shapes

    @abc.abstractmethod
    def _shape(self):
        """The static shape."""

    @abc.abstractmethod
    def _shape_tensor(self):
        """The shape when a step runs."""

    @property
    def shape(self):
        """The static TensorShape [..., n, m] of the matrix."""
        return self._shape()

    @property
    def batch_shape(self):
        """The static TensorShape [...] of the batch."""
        return self.shape[:-2]

    @property
    def tensor_rank(self):
        """The rank of the matrix with its batch, an int; None if it is not known."""
        return self.shape.ndims

    @property
    def domain_dimension(self):
        """The number of columns m, a Dimension."""
        return dimension_at_index(self.shape, -1) if self.shape.ndims else dimension(None)

    @property
    def range_dimension(self):
        """The number of rows n, a Dimension."""
        return dimension_at_index(self.shape, -2) if self.shape.ndims else dimension(None)

    def _scope(self, name):
        return name_scope(f"{self.name}/{name}" if name else self.name)

    def shape_tensor(self, name="shape_tensor"):
        """Computes the shape.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 vector.
        """
        with self._scope(name):
            return known_shape(self.shape, self._shape_tensor)

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        """Computes the shape of the batch.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 vector.
        """
        with self._scope(name):
            return known_shape(self.batch_shape, lambda: self.shape_tensor()[:-2])

    def tensor_rank_tensor(self, name="tensor_rank_tensor"):
        """Computes the rank of the matrix with its batch.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 scalar.
        """
        with self._scope(name):
            if self.tensor_rank is not None:
                return convert_to_tensor(self.tensor_rank)
            return arrays.size(self.shape_tensor())

    def domain_dimension_tensor(self, name="domain_dimension_tensor"):
        """Computes the number of columns.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 scalar.
        """
        with self._scope(name):
            return self._size(self.domain_dimension.value, -1)

    def range_dimension_tensor(self, name="range_dimension_tensor"):
        """Computes the number of rows.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 scalar.
        """
        with self._scope(name):
            return self._size(self.range_dimension.value, -2)

    def _size(self, value, place):
        return self.shape_tensor()[place] if value is None else convert_to_tensor(value)
