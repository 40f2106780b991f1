# SPDX-License-Identifier: Apache-2.0
"""Linear operators that are made of several others."""

import functools
import operator as python_operator

from .. import errors
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import linalg
from ..ops.control_flow.grouping import group
from .operator import LinearOperator
from .parts import (
    adjoint_if,
    broadcast_batch_shape,
    broadcast_batch_shape_tensor,
    broadcast_batches,
    implied,
    operators_of_one_dtype,
)


class JoinedOperators(LinearOperator):
    """An operator made of several ones of one dtype."""

    # How the name is made of the operators' names; the hints that follow if all have them.
    _JOINED_BY, _IMPLIED = "", ()

    def __init__(self, operators, is_non_singular, is_self_adjoint, is_positive_definite,
                 is_square, name):  # fmt: skip
        self._operators = operators_of_one_dtype(operators)
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
        }
        for hint in self._IMPLIED:
            hints[hint] = implied(self._operators, hint, hints[hint], type(self).__name__)
        super().__init__(
            self._operators[0].dtype,
            [parent for one in self._operators for parent in one.graph_parents],
            is_square=is_square,
            name=name or self._JOINED_BY.join(one.name for one in self._operators),
            **hints,
        )

    @property
    def operators(self):
        """The operators that it is made of, a list."""
        return self._operators

    def _all(self, method):
        return [getattr(one, method)() for one in self._operators]

    def _reduced(self, method, function):
        return functools.reduce(function, self._all(method))

    def _determinant(self):
        return self._reduced("determinant", python_operator.mul)

    def _log_abs_determinant(self):
        return self._reduced("log_abs_determinant", python_operator.add)

    def _matrix_sizes(self):
        """The static numbers of rows and columns."""
        raise NotImplementedError

    def _matrix_sizes_tensor(self):
        raise NotImplementedError

    def _shape(self):
        matrix = TensorShape(list(self._matrix_sizes()))
        return broadcast_batch_shape(self._operators).concatenate(matrix)

    def _shape_tensor(self):
        batch = broadcast_batch_shape_tensor(self._operators)
        return arrays.concat([batch, arrays.stack(self._matrix_sizes_tensor())], 0)


class LinearOperatorComposition(JoinedOperators):
    """The product of operators: the last one is applied first.

    Args:
        operators: LinearOperators, a list. Their shapes fit each other.

    Raises:
        TypeError: The dtypes differ.
    """

    _JOINED_BY, _IMPLIED = "_o_", ("is_non_singular",)

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):  # fmt: skip
        super().__init__(
            operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )

    def _matrix_sizes(self):
        for left, right in zip(self._operators, self._operators[1:]):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)
        return self._operators[0].range_dimension, self._operators[-1].domain_dimension

    def _matrix_sizes_tensor(self):
        first, last = self._operators[0], self._operators[-1]
        return first.range_dimension_tensor(), last.domain_dimension_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = adjoint_if(adjoint_arg, x)
        for one in self._operators if adjoint else reversed(self._operators):
            x = one.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = adjoint_if(adjoint_arg, rhs)
        for one in reversed(self._operators) if adjoint else self._operators:
            rhs = one.solve(rhs, adjoint=adjoint)
        return rhs


class LinearOperatorBlockDiag(JoinedOperators):
    """Square operators as blocks on the diagonal, between which there are zeros.

    Args:
        operators: LinearOperators, a list.

    Raises:
        TypeError: The dtypes differ.
    """

    _JOINED_BY = "_ds_"
    _IMPLIED = ("is_non_singular", "is_self_adjoint", "is_positive_definite")

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name=None):  # fmt: skip
        operators = operators_of_one_dtype(operators)
        if not is_square or not all(one.is_square for one in operators):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        super().__init__(
            operators, is_non_singular, is_self_adjoint, is_positive_definite, True, name
        )

    def _matrix_sizes(self):
        size = functools.reduce(
            python_operator.add, (one.domain_dimension for one in self._operators)
        )
        return size, size

    def _matrix_sizes_tensor(self):
        size = self._reduced("domain_dimension_tensor", python_operator.add)
        return size, size

    def _by_blocks(self, method, x, adjoint, adjoint_arg):
        sizes = [one.domain_dimension.value for one in self._operators]
        if None in sizes:
            sizes = arrays.stack(self._all("domain_dimension_tensor"))
        parts = arrays.split(adjoint_if(adjoint_arg, x), sizes, -2)
        done = [
            getattr(one, method)(part, adjoint=adjoint)
            for one, part in zip(self._operators, parts)
        ]
        return arrays.concat(broadcast_batches(*done), -2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._by_blocks("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._by_blocks("solve", rhs, adjoint, adjoint_arg)

    def _trace(self):
        return self._reduced("trace", python_operator.add)

    def _diag_part(self):
        columns = [diagonal[..., None] for diagonal in self._all("diag_part")]
        return arrays.squeeze(arrays.concat(broadcast_batches(*columns), -2), -1)

    def _assert_non_singular(self):
        return group(*self._all("assert_non_singular"))

    def _assert_self_adjoint(self):
        return group(*self._all("assert_self_adjoint"))

    def _assert_positive_definite(self):
        return group(*self._all("assert_positive_definite"))


class LinearOperatorKronecker(JoinedOperators):
    """The Kronecker product of operators.

    Args:
        operators: LinearOperators, a list.

    Raises:
        TypeError: The dtypes differ.
    """

    _JOINED_BY = "_x_"
    _IMPLIED = ("is_non_singular", "is_self_adjoint", "is_positive_definite")

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):  # fmt: skip
        super().__init__(
            operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )

    def _matrix_sizes(self):
        sides = [(one.range_dimension, one.domain_dimension) for one in self._operators]
        return [functools.reduce(python_operator.mul, side) for side in zip(*sides)]

    def _matrix_sizes_tensor(self):
        sides = ("range_dimension_tensor", "domain_dimension_tensor")
        return [self._reduced(side, python_operator.mul) for side in sides]

    def _by_factors(self, method, x, adjoint, adjoint_arg):
        """Applies each factor to its own axis: the axis is in front, then it goes to the end."""
        x = adjoint_if(adjoint_arg, x)
        result = self.shape[-1 if adjoint else -2], x.shape[-1]
        batch = arrays.broadcast_static_shape(self.batch_shape, x.shape[:-2])
        columns = arrays.shape(x)[-1]
        for one in self._operators:
            side = one.domain_dimension_tensor
            if adjoint == (method == "matmul"):
                side = one.range_dimension_tensor
            x = arrays.reshape(x, arrays.concat([arrays.shape(x)[:-2], [side(), -1]], 0))
            x = linalg.matrix_transpose(getattr(one, method)(x, adjoint=adjoint))
        x = arrays.reshape(x, arrays.concat([arrays.shape(x)[:-2], [columns, -1]], 0))
        x = linalg.matrix_transpose(x)
        x.set_shape(batch.concatenate(TensorShape(result)))
        return x

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._by_factors("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._by_factors("solve", rhs, adjoint, adjoint_arg)

    def _powers(self):
        """How often each factor's determinant counts."""
        total = self.domain_dimension_tensor()
        return [
            arrays.cast(total / one.domain_dimension_tensor(), self.dtype)
            for one in self._operators
        ]

    def _determinant(self):
        parts = zip(self._all("determinant"), self._powers())
        return functools.reduce(python_operator.mul, (part**power for part, power in parts))

    def _log_abs_determinant(self):
        parts = zip(self._all("log_abs_determinant"), self._powers())
        return functools.reduce(python_operator.add, (part * power for part, power in parts))

    def _check_factors(self, what):
        if not all(one.is_square for one in self._operators):
            raise errors.InvalidArgumentError(
                f"All Kronecker factors must be square for the product to be {what}."
            )

    def _assert_non_singular(self):
        self._check_factors("invertible")
        return group(*self._all("assert_non_singular"))

    def _assert_self_adjoint(self):
        self._check_factors("self adjoint")
        return group(*self._all("assert_self_adjoint"))
