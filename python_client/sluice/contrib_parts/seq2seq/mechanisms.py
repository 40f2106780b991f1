# SPDX-License-Identifier: Apache-2.0
"""Attention: how much each step of a memory counts for a query."""

import math as numbers

import numpy as np

from ... import dtypes, nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from ...layers.dense import Dense
from ...ops import array as arrays
from ...ops import math
from ...ops.debug.assertions import assert_positive
from ...ops.math.products import matmul
from ...ops.nn.activations import softmax
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable, variable_scope
from .zeros import zeros_of


class AttentionMechanism:
    """The base class of attention."""

    @property
    def alignments_size(self):
        """How many steps the memory has, an int or an int32 scalar."""
        raise NotImplementedError

    @property
    def state_size(self):
        """The size of the state, an int or an int32 scalar."""
        raise NotImplementedError


def _masked_memory(memory, lengths, check_sizes):
    """The memory with zeros after the end of each sequence."""
    memory = nest.map_structure(lambda m: convert_to_tensor(m, name="memory"), memory)
    for one in nest.flatten(memory) if check_sizes else ():
        if not one.shape[2:].is_fully_defined():
            raise ValueError(
                f"Expected memory {one.name} to have fully defined inner dims, but saw shape: "
                f"{one.shape}"
            )
    if lengths is None:
        return memory
    first = nest.flatten(memory)[0]
    mask = arrays.sequence_mask(lengths, arrays.shape(first)[1], first.dtype)

    def masked(one):
        ones = arrays.ones([one.shape.ndims - 2], dtypes.int32)
        return one * arrays.reshape(mask, arrays.concat([arrays.shape(mask), ones], 0))

    return nest.map_structure(masked, memory)


def _masked_score(score, lengths, value):
    if lengths is None:
        return score
    message = "All values in memory_sequence_length must be greater than zero."
    with control_dependencies([assert_positive(lengths, message=message)]):
        mask = arrays.sequence_mask(lengths, arrays.shape(score)[1])
    return arrays.where(mask, score, value * arrays.ones_like(score))


class MemoryAttention(AttentionMechanism):
    """Attention to a memory, whose keys a layer makes. A derived class defines __call__(query,
    state), which returns a tuple (alignments, next state).

    Args:
        query_layer: The layer that changes queries, or None.
        memory: The memory, a tensor [batch, time, ...].
        probability_fn: A function of (score, last alignments) that returns alignments.
        memory_sequence_length: How many steps of the memory count, an integer vector [batch]. None:
            all.
        memory_layer: The layer that makes keys of the memory.
        check_inner_dims_defined: Whether the sizes of the memory must be known. A bool.
        score_mask_value: The score of steps that do not count, a number. None: -inf.
        custom_key_value_fn: A function of (keys, values) that returns a tuple of other ones. None:
            none.
        name: Name of the operations, a str. None: a default name.

    Raises:
        TypeError: probability_fn is not a function, or a layer is of another class.
        ValueError: A size of the memory is not known.
    """

    def __init__(self, query_layer, memory, probability_fn, memory_sequence_length=None,
                 memory_layer=None, check_inner_dims_defined=True, score_mask_value=None,
                 custom_key_value_fn=None, name=None):  # fmt: skip
        for what, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not (callable(layer) and hasattr(layer, "add_weight")):
                raise TypeError(f"{what} is not a Layer: {type(layer).__name__}")
        if not callable(probability_fn):
            raise TypeError(
                f"probability_fn must be callable, saw type: {type(probability_fn).__name__}"
            )
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        lengths = memory_sequence_length
        with name_scope(name, "BaseAttentionMechanismInit"):
            if lengths is not None:
                lengths = convert_to_tensor(lengths, name="memory_sequence_length")
            self._probability_fn = lambda score, last: probability_fn(
                _masked_score(score, lengths, score_mask_value), last
            )
            self._values = _masked_memory(memory, lengths, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            shape = self._keys.shape
            self._batch_size = shape[0].value or arrays.shape(self._keys)[0]
            self._alignments_size = shape[1].value or arrays.shape(self._keys)[1]

    @property
    def memory_layer(self):
        """The layer that makes keys."""
        return self._memory_layer

    @property
    def query_layer(self):
        """The layer that changes queries, or None."""
        return self._query_layer

    @property
    def values(self):
        """The memory, with zeros for the steps that do not count."""
        return self._values

    @property
    def keys(self):
        """The keys, a tensor [batch, time, size]."""
        return self._keys

    @property
    def batch_size(self):
        """How many memories, an int or an int32 scalar."""
        return self._batch_size

    @property
    def alignments_size(self):
        """How many steps the memory has, an int or an int32 scalar."""
        return self._alignments_size

    @property
    def state_size(self):
        """The size of the state, an int or an int32 scalar."""
        return self._alignments_size

    def initial_alignments(self, batch_size, dtype):
        """Returns the alignments before the first step, which are zeros.

        Args:
            batch_size: How many memories, an int or an int32 scalar.
            dtype: Dtype of the alignments.

        Returns:
            A tensor [batch_size, time].
        """
        return zeros_of(batch_size, self._alignments_size, dtype)

    def initial_state(self, batch_size, dtype):
        """Returns the state before the first step: the alignments.

        Args:
            batch_size: How many memories, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            A tensor [batch_size, time].
        """
        return self.initial_alignments(batch_size, dtype)


def keys_layer(units, dtype, name):
    """Makes a layer of keys or queries.

    Args:
        units: Size of its output, an int.
        dtype: Dtype of its variable. None: float32.
        name: Name of the layer, a str.

    Returns:
        A Dense layer without a bias.
    """
    return Dense(units, use_bias=False, name=name, dtype=dtype or dtypes.float32)


def luong_score(query, keys, scale=None):
    """Computes the products of queries and keys.

    Args:
        query: A tensor [batch, size].
        keys: A tensor [batch, time, size].
        scale: A scalar that multiplies them. None: 1.

    Returns:
        A tensor [batch, time].

    Raises:
        ValueError: The sizes differ.
    """
    depth, size = query.shape[-1].value, keys.shape[-1].value
    if depth != size:
        raise ValueError(
            f"Incompatible or unknown inner dimensions between query and keys. Query ({query}) has "
            f"units: {depth}. Keys ({keys}) have units: {size}. Perhaps you need to set num_units "
            f"to the keys' dimension ({size})?"
        )
    products = matmul(arrays.expand_dims(query, 1), keys, transpose_b=True)
    score = arrays.squeeze(products, [1])
    return score if scale is None else scale * score


def bahdanau_score(query, keys, attention_v, attention_g=None, attention_b=None):
    """Computes attention_v * tanh(keys + query), summed over the last dimension.

    Args:
        query: A tensor [batch, size].
        keys: A tensor [batch, time, size].
        attention_v: A vector [size].
        attention_g: A scalar, the norm that attention_v gets. None: it keeps its own.
        attention_b: A vector [size] that is added inside of tanh. None: none.

    Returns:
        A tensor [batch, time].
    """
    inner = keys + arrays.expand_dims(query, 1)
    if attention_g is not None and attention_b is not None:
        norm = math.rsqrt(math.reduce_sum(math.square(attention_v)))
        attention_v, inner = attention_g * attention_v * norm, inner + attention_b
    return math.reduce_sum(attention_v * math.tanh(inner), [2])


def normalized_weights(units, dtype):
    """The variables attention_g and attention_b of normalised attention.

    Args:
        units: Size of attention_b, an int.
        dtype: Dtype of the variables.

    Returns:
        A tuple of the two variables.
    """
    first = initializers.constant(numbers.sqrt(1.0 / units))
    return (
        get_variable("attention_g", [], dtype, initializer=first),
        get_variable("attention_b", [units], dtype, initializer=initializers.zeros()),
    )


def scores_of_products(attention, query):
    """Computes scores by products, with the variables of an attention in the current scope.

    Args:
        attention: A LuongAttention, or another one with its settings.
        query: The query, a tensor [batch, size].

    Returns:
        A tensor [batch, time].
    """
    factor = None
    if attention._scale:
        factor = get_variable("attention_g", [], query.dtype, initializer=initializers.ones())
    return luong_score(query, attention._keys, factor)


def scores_of_layers(attention, query):
    """Computes scores by a hidden layer, with the variables of an attention in the current scope.

    Args:
        attention: A BahdanauAttention, or another one with its settings.
        query: The query, a tensor [batch, size].

    Returns:
        A tensor [batch, time].
    """
    processed = attention.query_layer(query) if attention.query_layer else query
    units = attention._num_units
    vector = get_variable("attention_v", [units], query.dtype)
    more = normalized_weights(units, query.dtype) if attention._normalize else ()
    return bahdanau_score(processed, attention._keys, vector, *more)


class LuongAttention(MemoryAttention):
    """Attention by products of queries and keys (Luong et al., 2015).

    Args:
        num_units: Size of keys and queries, an int.
        memory: The memory, a tensor [batch, time, ...].
        memory_sequence_length: How many steps of the memory count, an integer vector [batch]. None:
            all.
        scale: Whether a variable multiplies the products. A bool.
        probability_fn: A function of scores that returns alignments. None: softmax.
        score_mask_value: The score of steps that do not count, a number. None: -inf.
        dtype: Dtype of the variables. None: float32.
        custom_key_value_fn: A function of (keys, values) that returns a tuple of other ones. None:
            none.
        name: Name of the operations, a str.
    """

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False,
                 probability_fn=None, score_mask_value=None, dtype=None, custom_key_value_fn=None,
                 name="LuongAttention"):  # fmt: skip
        probability_fn = probability_fn or softmax
        super().__init__(
            None, memory, lambda score, _: probability_fn(score), memory_sequence_length,
            keys_layer(num_units, dtype, "memory_layer"), score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query, state):
        with variable_scope(None, "luong_attention"):
            score = scores_of_products(self, query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


class BahdanauAttention(MemoryAttention):
    """Attention by a hidden layer of queries and keys (Bahdanau et al., 2014).

    Args:
        num_units: Size of keys and queries, an int.
        memory: The memory, a tensor [batch, time, ...].
        memory_sequence_length: How many steps of the memory count, an integer vector [batch]. None:
            all.
        normalize: Whether the weights are normalised (Salimans and Kingma, 2016). A bool.
        probability_fn: A function of scores that returns alignments. None: softmax.
        score_mask_value: The score of steps that do not count, a number. None: -inf.
        dtype: Dtype of the variables. None: float32.
        custom_key_value_fn: A function of (keys, values) that returns a tuple of other ones. None:
            none.
        name: Name of the operations, a str.
    """

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False,
                 probability_fn=None, score_mask_value=None, dtype=None, custom_key_value_fn=None,
                 name="BahdanauAttention"):  # fmt: skip
        probability_fn = probability_fn or softmax
        super().__init__(
            keys_layer(num_units, dtype, "query_layer"), memory,
            lambda score, _: probability_fn(score), memory_sequence_length,
            keys_layer(num_units, dtype, "memory_layer"), score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query, state):
        with variable_scope(None, "bahdanau_attention"):
            score = scores_of_layers(self, query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments
