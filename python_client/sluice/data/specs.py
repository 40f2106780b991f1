# SPDX-License-Identifier: Apache-2.0
"""Specs: what an element of a data set is made of. A leaf of an element is a tensor, a
SparseTensor, a data set or an Optional; its spec says how it passes through operations as
tensors."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.elements import Tensor
from ..graph.tensor_shape import TensorShape
from ..ops import raw_ops
from ..ops.functions.functions import TensorSpec
from ..ops.sparse.parts import parts_of
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue
from .structure import assert_same, leaves, mapped, pack


class Spec:
    """The kind of one leaf. Programs do not call the class."""

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self):
        return hash(type(self))

    def is_compatible_with(self, spec_or_value):
        """Tests whether a value, or all values of another spec, are of this kind.

        Args:
            spec_or_value: A spec or a value.

        Returns:
            A bool.
        """
        other = spec_or_value
        if not isinstance(other, Spec):
            try:
                other = spec_of(other)
            except TypeError:
                return False
        return type(other) is type(self) and self._fits(other)

    def most_specific_compatible_type(self, other):
        """Returns a spec that includes this one and another.

        Args:
            other: A spec of the same class.

        Returns:
            A spec.

        Raises:
            ValueError: There is none.
        """
        if type(other) is not type(self):
            raise ValueError(f"{self!r} and {other!r} have nothing in common")
        return self._joined(other)


class SparseTensorSpec(Spec):
    """The shape and dtype of a SparseTensor.

    Args:
        shape: The shape, or None for any.
        dtype: The dtype.
    """

    def __init__(self, shape=None, dtype=dtypes.float32):
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)

    @property
    def shape(self):
        """The shape, a TensorShape."""
        return self._shape

    @property
    def dtype(self):
        """The dtype of the values."""
        return self._dtype

    @property
    def value_type(self):
        """The class of the values."""
        return SparseTensor

    def _key(self):
        return self.dtype, repr(self.shape)

    def _fits(self, other):
        return self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def _joined(self, other):
        if self.dtype != other.dtype:
            raise ValueError(f"{self!r} and {other!r} have different dtypes")
        return SparseTensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def __repr__(self):
        return f"SparseTensorSpec({self.shape}, {self.dtype!r})"


class _Dense:
    """How a tensor passes: as itself."""

    @staticmethod
    def flat(spec):
        return spec.dtype, spec.shape

    @staticmethod
    def fits(spec, value):
        return value.dtype == spec.dtype and spec.shape.is_compatible_with(value.shape)

    @staticmethod
    def encoded(spec, value):
        tensor = convert_to_tensor(value)
        if not _Dense.fits(spec, tensor):
            raise ValueError(
                f"{value!r} is not a tensor with dtype {spec.dtype.name} and shape {spec.shape}"
            )
        return tensor

    rows = encoded

    @staticmethod
    def decoded(spec, tensor):
        tensor.set_shape(spec.shape)
        return tensor

    @staticmethod
    def batch(spec, size):
        return TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)

    @staticmethod
    def unbatch(spec):
        return TensorSpec(None if spec.shape.ndims is None else spec.shape[1:], spec.dtype)

    @staticmethod
    def legacy(spec):
        return spec.dtype, spec.shape, Tensor

    @staticmethod
    def weakened(spec, other):
        shape = spec.shape.most_specific_compatible_shape(other.shape)
        return TensorSpec(shape, spec.dtype)


class _Sparse:
    """How a SparseTensor passes: as a vector of three variants."""

    @staticmethod
    def flat(spec):
        return dtypes.variant, TensorShape(None)

    @staticmethod
    def encoded(spec, value):
        return raw_ops.SerializeSparse(out_type=dtypes.variant, **parts_of(value, "sparse_"))

    @staticmethod
    def rows(spec, value):
        return raw_ops.SerializeManySparse(out_type=dtypes.variant, **parts_of(value, "sparse_"))

    @staticmethod
    def decoded(spec, tensor):
        found = raw_ops.DeserializeSparse(serialized_sparse=tensor, dtype=spec.dtype)
        rank = spec.shape.ndims
        found[0].set_shape([None, rank])
        found[2].set_shape([rank])
        return SparseTensor(*found)

    @staticmethod
    def batch(spec, size):
        return SparseTensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)

    @staticmethod
    def unbatch(spec):
        return SparseTensorSpec(None if spec.shape.ndims is None else spec.shape[1:], spec.dtype)

    @staticmethod
    def legacy(spec):
        return spec.dtype, spec.shape, SparseTensor

    @staticmethod
    def weakened(spec, other):
        return spec.most_specific_compatible_type(other)


_KINDS = {TensorSpec: _Dense, SparseTensorSpec: _Sparse}
_finders = []  # functions that give the spec of a value, or None
# Classes of values that runs return -> functions that make leaves of them.
_conversions = {SparseTensorValue: lambda value: SparseTensor(*value)}


def add_kind(cls, kind, find, conversions=()):
    """Enters another kind of leaves.

    Args:
        cls: The class of its specs.
        kind: A class like _Dense.
        find: A function that gives the spec of a value, or None for values of other kinds.
        conversions: A dict: class of values that runs return -> a function that makes a leaf.
    """
    _KINDS[cls] = kind
    _finders.append(find)
    _conversions.update(conversions)


def is_spec(item):
    """Whether an item is the spec of a leaf."""
    return type(item) in _KINDS


def is_scalar_of(spec, dtype):
    """Whether a structure is one tensor that may be a scalar of this dtype."""
    return (
        isinstance(spec, TensorSpec)
        and spec.dtype == dtype
        and spec.shape.is_compatible_with(TensorShape([]))
    )


def _leaf_spec(value):
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype)
    if isinstance(value, SparseTensor):
        return SparseTensorSpec(value.shape, value.dtype)
    return next((spec for spec in (find(value) for find in _finders) if spec is not None), None)


def spec_of(value):
    """The structure of specs of an element. TypeError: a leaf cannot be part of an element."""
    found = []
    for leaf in leaves(value):
        spec = _leaf_spec(leaf)
        if spec is None:
            try:
                spec = _leaf_spec(convert_to_tensor(leaf))
            except (TypeError, ValueError):
                raise TypeError(f"{leaf!r} cannot be part of an element") from None
        found.append(spec)
    return pack(value, found)


def normalized(element):
    """An element whose leaves are tensors, SparseTensors, data sets and Optionals."""
    found = []
    for i, leaf in enumerate(leaves(element)):
        if type(leaf) in _conversions:
            leaf = _conversions[type(leaf)](leaf)
        elif isinstance(leaf, Tensor) or _leaf_spec(leaf) is None:
            leaf = convert_to_tensor(leaf, name=f"component_{i}")
        found.append(leaf)
    return pack(element, found)


# ---- what the operations see


def flat_specs(structure):
    """Of each tensor that passes: (dtype, shape)."""
    return [_kind(spec).flat(spec) for spec in leaves(structure)]


def flat_types(structure):
    """The dtypes of the tensors that pass."""
    return [dtype for dtype, _ in flat_specs(structure)]


def flat_shapes(structure):
    """The shapes of the tensors that pass, as TensorShapes."""
    return [shape for _, shape in flat_specs(structure)]


def to_tensors(structure, element):
    """The tensors that an element passes as."""
    assert_same(structure, element)
    rows = zip(leaves(structure), leaves(element))
    return [_kind(spec).encoded(spec, leaf) for spec, leaf in rows]


def to_rows(structure, element):
    """The tensors that the elements of a batch pass as, which have one dimension more."""
    assert_same(structure, element)
    rows = zip(leaves(structure), leaves(element))
    return [_kind(spec).rows(spec, leaf) for spec, leaf in rows]


def from_tensors(structure, tensors):
    """The element that passed as these tensors."""
    rows = zip(leaves(structure), tensors)
    return pack(structure, [_kind(spec).decoded(spec, tensor) for spec, tensor in rows])


def _kind(spec):
    return _KINDS[type(spec)]


# ---- specs of specs


def batched(structure, size):
    """The structure of batches of `size` elements, or of any number: None."""
    return mapped(lambda spec: _kind(spec).batch(spec, size), structure)


def unbatched(structure):
    """The structure of the elements of batches."""
    return mapped(lambda spec: _kind(spec).unbatch(spec), structure)


def weakened(structure, other):
    """The structure that includes elements of both, which have the same dtypes."""
    return mapped(lambda spec, more: _kind(spec).weakened(spec, more), structure, other)


def legacy(structure, what):
    """The structure of the dtypes (0), shapes (1) or classes (2) of the leaves."""
    return mapped(lambda spec: _kind(spec).legacy(spec)[what], structure)


def from_legacy(types, shapes, classes):
    """The structure of specs for structures of dtypes, shapes and classes."""
    rows = zip(leaves(types), leaves(shapes), leaves(classes))
    return pack(classes, [_spec_from(*row) for row in rows])


def _spec_from(dtype, shape, cls):
    if is_spec(cls):
        return cls
    if isinstance(cls, type) and issubclass(cls, SparseTensor):
        return SparseTensorSpec(shape, dtype)
    if isinstance(cls, type) and issubclass(cls, Tensor):
        return TensorSpec(shape, dtype)
    raise TypeError(f"{cls!r} cannot be the class of a leaf of an element")


def compatible(one, other):
    """Whether elements of two structures may be the same."""
    try:
        assert_same(one, other)
    except (TypeError, ValueError):
        return False
    return all(_fits(*pair) for pair in zip(leaves(one), leaves(other)))


def _fits(spec, other):
    if isinstance(spec, TensorSpec):
        return isinstance(other, TensorSpec) and _Dense.fits(spec, other)
    return spec.is_compatible_with(other)
