# SPDX-License-Identifier: Apache-2.0
"""Data sets of what Python generators give, in the process of the program."""

import threading

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.tensor_shape import TensorShape, as_shape
from ..ops import raw_ops
from ..ops.functions.functions import TensorSpec
from ..ops.functions.py_func import as_array, numpy_function
from . import specs
from .functions import ElementFunction
from .shapes import scalar, shapes_of
from .structure import is_nested, leaves, mapped, pack, parts
from .variants import dataset_of


class _Iterators:
    """The iterators of a generator that have begun: several, if the data set is read again."""

    def __init__(self, generator):
        self._generator, self._lock = generator, threading.Lock()
        self._args, self._iterators, self._next = {}, {}, 0

    def begin(self, *args):
        """The number of a new iterator, which starts when its first element is asked for."""
        with self._lock:
            number, self._next = self._next, self._next + 1
            self._args[number] = args
        return np.int64(number)

    def next_of(self, number):
        """The next value. StopIteration: there is none."""
        number = int(number)
        if number not in self._iterators:
            self._iterators[number] = iter(self._generator(*self._args.pop(number)))
        return next(self._iterators[number])

    def end(self, number):
        self._iterators.pop(int(number), None)
        self._args.pop(int(number), None)
        return np.int64(0)


def _parts_of(types, value):
    """The leaves of an element in the structure of `types`, where a list is no tuple."""
    if not is_nested(types):
        return [value]
    dicts = isinstance(types, dict)
    if not isinstance(value, dict if dicts else type(types)) or len(value) != len(types):
        raise TypeError(f"not the same structure: {types!r} and {value!r}")
    if dicts and set(value) != set(types):
        raise TypeError(f"not the same keys: {types!r} and {value!r}")
    pairs = zip(parts(types), parts(value))
    return [leaf for pair in pairs for leaf in _parts_of(*pair)]


def _arrays_of(value, types, spec):
    """The arrays of an element that a generator gave. TypeError, ValueError: it is another one."""
    try:
        found = _parts_of(types, value)
    except TypeError:
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The expected"
            f" structure was {types}, but the yielded element was {value}."
        ) from None
    arrays = []
    for item, one in zip(found, leaves(spec)):
        wanted = one.dtype.as_numpy_dtype
        try:
            array = as_array(item, wanted)
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that could not be converted to the expected type."
                f" The expected type was {one.dtype.name}, but the yielded element was {item}."
            ) from None
        if array.dtype != wanted:
            raise TypeError(
                f"`generator` yielded an element of type {array.dtype} where an element of type"
                f" {np.dtype(wanted)} was expected."
            )
        if not one.shape.is_compatible_with(TensorShape(array.shape)):
            raise ValueError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape"
                f" {one.shape} was expected."
            )
        arrays.append(array)
    return arrays


def from_generator(source, generator, output_types, output_shapes=None, args=None):
    """Makes the data set of Dataset.from_generator().

    Args:
        source: A data set of one element. Each time it is read, the generator is called again.
        generator: A function that returns an iterable.
        output_types: Dtypes of an element, in its structure.
        output_shapes: The shapes, in the same structure. None: not known.
        args: Tensors that the generator is given as arrays. None: none.

    Returns:
        A Dataset.
    """
    if not callable(generator):
        raise TypeError(f"`generator` must be callable. {generator!r} is not.")
    if output_shapes is None:
        output_shapes = mapped(lambda _: TensorShape(None), output_types)
    else:
        output_shapes = pack(output_types, map(as_shape, _parts_of(output_types, output_shapes)))
    pairs = zip(leaves(output_types), leaves(output_shapes))
    spec = pack(output_types, [TensorSpec(s, dtypes.as_dtype(t)) for t, s in pairs])
    args = [convert_to_tensor(a, name=f"args_{i}") for i, a in enumerate(args or ())]
    iterators = _Iterators(generator)

    def begin():
        return numpy_function(iterators.begin, args, dtypes.int64)

    def next_element(number):
        def call(number):
            return _arrays_of(iterators.next_of(number), output_types, spec)

        found = numpy_function(call, [number], specs.flat_types(spec))
        return specs.from_tensors(spec, found)

    def end(number):
        return numpy_function(iterators.end, [number], dtypes.int64)

    def one_reading(*_):
        where, number = "Dataset.from_generator()", scalar(dtypes.int64)
        made = [ElementFunction(begin, where, ()), ElementFunction(next_element, where, number)]
        made.append(ElementFunction(end, where, number))
        variant = raw_ops.GeneratorDataset(
            init_func=made[0].name,
            init_func_other_args=made[0].captured,
            next_func=made[1].name,
            next_func_other_args=made[1].captured,
            finalize_func=made[2].name,
            finalize_func_other_args=made[2].captured,
            **shapes_of(spec),
        )
        return dataset_of(variant, spec, functions=made)

    return source.flat_map(one_reading)
