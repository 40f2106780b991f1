# SPDX-License-Identifier: Apache-2.0
"""The fetches of a run, and how its values get the structure of the fetches."""

from collections.abc import Mapping

import numpy as np

from .. import dtypes
from ..graph.elements import IndexedSlices, IndexedSlicesValue, Operation, Tensor
from ..graph.values import fed_array
from ..ops.ragged.ragged_tensor import RaggedTensor
from ..ops.ragged.ragged_value import RaggedTensorValue
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue
from .handles import TensorHandle


class Fetches:
    """The tensors and operations of a nested structure: `tensors` and `targets` are their names."""

    def __init__(self, session, structure):
        self._graph, self._session = session.graph, session
        self._tensors, self._targets = {}, {}
        self._rebuild = self._collect(structure)
        self.tensors, self.targets = list(self._tensors), list(self._targets)

    def values(self, fetched):
        """The structure of the values of `tensors`, in their order; None for operations."""
        return self._rebuild(dict(zip(self.tensors, fetched)))

    def _collect(self, item):
        if item.__class__ is Tensor:  # nearly always
            return self._leaf(item)
        if isinstance(item, Mapping):
            parts = {k: self._collect(v) for k, v in item.items()}
            return lambda values: _dict_of(item, {k: part(values) for k, part in parts.items()})
        if isinstance(item, (list, tuple)):
            parts = [self._collect(v) for v in item]
            if hasattr(item, "_fields"):
                return lambda values: type(item)(*[part(values) for part in parts])
            return lambda values: type(item)([part(values) for part in parts])
        if isinstance(item, IndexedSlices):
            known = [item.values, item.indices]
            known += [] if item.dense_shape is None else [item.dense_shape]
            parts = self._collect(known)
            return lambda values: IndexedSlicesValue(*parts(values))
        if isinstance(item, SparseTensor):
            parts = self._collect([item.indices, item.values, item.dense_shape])
            return lambda values: SparseTensorValue(*parts(values))
        if isinstance(item, RaggedTensor):
            parts = self._collect([item.values, item.row_splits])
            return lambda values: RaggedTensorValue(*parts(values))
        if hasattr(item.__class__, "__attrs_attrs__"):
            parts = [self._collect(getattr(item, a.name)) for a in item.__class__.__attrs_attrs__]
            return lambda values: type(item)(*[part(values) for part in parts])
        return self._leaf(item)

    def _leaf(self, item):
        if item is None:
            raise TypeError(f"Fetch argument None has invalid type {type(None)}")
        try:
            element = self._graph.as_graph_element(item)
        except TypeError as e:
            raise TypeError(
                f"Fetch argument {item!r} has invalid type {type(item)}, must be a string or"
                f" Tensor. ({e})"
            ) from None
        except (KeyError, ValueError) as e:
            raise ValueError(
                f"Fetch argument {item!r} cannot be interpreted as a Tensor. ({e})"
            ) from None
        if not self._graph.is_fetchable(element):
            name = getattr(element, "op", element).name
            raise ValueError(f"Operation {name!r} has been marked as not fetchable.")
        if isinstance(element, Operation):
            self._targets[element.name] = None
            return lambda values: None
        name = element.name
        self._tensors[name] = None
        if element.op.type == "GetSessionHandle":
            dtype = element.op.inputs[0].dtype
            return lambda values: TensorHandle(values[name], dtype, self._session)
        return lambda values: values[name]


def _dict_of(given, items):
    """A dictionary of the given one's class, where that can be made of another."""
    try:
        return type(given)(items)
    except TypeError:
        return items


def feeds_of(graph, feed_dict, any_shape=False):
    """The triples (name, value, dtype's number) of a feed_dict; TypeError and ValueError say what
    cannot be fed. any_shape: values may have other shapes than the tensors."""
    feeds = []
    if not feed_dict and isinstance(feed_dict, (dict, type(None))):
        return feeds
    if not isinstance(feed_dict, (dict, Mapping)):
        raise TypeError(f"input must be a dictionary: feed_dict is not {feed_dict!r}")
    for key, value in _single(feed_dict):
        tensor = _fed(graph, key)
        if hasattr(value, "graph"):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include"
                " Python scalars, strings, lists, numpy ndarrays, or TensorHandles. It is"
                f" {value}, fed for {tensor.name}"
            )
        if isinstance(value, TensorHandle):
            holds = tensor.dtype != value.dtype and tensor.dtype == dtypes.string
            value = np.array(value.handle, object) if holds else value.eval()
        else:
            value = fed_array(tensor, value, any_shape)
        feeds.append((tensor.name, value, tensor.dtype.base_dtype.as_datatype_enum))
    return feeds


def _fed(graph, key):
    try:
        tensor = graph.as_graph_element(key, allow_operation=False)
    except (ValueError, KeyError, TypeError) as e:
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {e.args[0]}") from None
    if not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return tensor


def _single(feed_dict):
    """Pairs (tensor, value); of a SparseTensor three, of IndexedSlices two or three."""
    for key, value in feed_dict.items():
        if key.__class__ is Tensor:  # nearly always
            yield key, value
        elif isinstance(key, SparseTensor):
            yield from zip((key.indices, key.values, key.dense_shape), value)
        elif isinstance(key, IndexedSlices):
            parts = zip((key.values, key.indices, key.dense_shape), value)
            yield from ((part, given) for part, given in parts if part is not None)
        elif isinstance(key, RaggedTensor):
            yield from _single({key.values: value.values, key.row_splits: value.row_splits})
        elif isinstance(key, tuple):
            if not isinstance(value, (list, tuple)) or len(value) != len(key):
                raise ValueError(f"feed_dict needs {len(key)} values, a tuple, for the key {key}")
            for part, part_value in zip(key, value):
                yield from _single({part: part_value})
        else:
            yield key, value
