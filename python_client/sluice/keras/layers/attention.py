# SPDX-License-Identifier: Apache-2.0
"""Layers that weigh values by how well their keys fit a query."""

from ... import linalg, math, nn
from ...graph.convert import convert_to_tensor
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ..engine.documents import described
from ..engine.layer import Layer


class _Attention(Layer):
    """What the layers of attention share. Inputs are [query, value] or [query, value, key]."""

    def __init__(self, causal=False, **kwargs):
        super().__init__(**kwargs)
        self.causal, self.supports_masking = causal, True

    def _scores(self, query, key):
        raise NotImplementedError

    def call(self, inputs, mask=None):
        if not isinstance(inputs, list):
            raise ValueError(
                f"{type(self).__name__} layer must be called on a list of inputs, namely "
                "[query, value] or [query, value, key]."
            )
        if not 2 <= len(inputs) <= 3:
            raise ValueError(
                f"{type(self).__name__} layer accepts inputs list of length 2 or 3, namely "
                f"[query, value] or [query, value, key]. Given length: {len(inputs)}"
            )
        masks = [None, None] if mask is None else [
            None if m is None else convert_to_tensor(m) for m in mask
        ]  # fmt: skip
        query, value = inputs[:2]
        scores = self._scores(query, inputs[2] if len(inputs) > 2 else value)
        hidden = None if masks[1] is None else arrays.expand_dims(masks[1], -2)
        if self.causal:
            seen = _lower_triangle(arrays.shape(scores))
            hidden = seen if hidden is None else math.logical_and(hidden, seen)
        if hidden is not None:
            scores -= 1e9 * arrays.cast(math.logical_not(hidden), scores.dtype)
        outputs = linalg.matmul(nn.softmax(scores), value)
        if masks[0] is not None:
            outputs *= arrays.cast(arrays.expand_dims(masks[0], -1), outputs.dtype)
        return outputs

    def compute_mask(self, inputs, mask=None):
        return None if mask is None or mask[0] is None else convert_to_tensor(mask[0])

    def compute_output_shape(self, input_shape):
        query, value = (TensorShape(s).as_list() for s in input_shape[:2])
        return TensorShape([*query[:-1], value[-1]])


def _lower_triangle(shape):
    """Which keys each query sees: those that are not later."""
    ones = arrays.ones(arrays.concat([[1], shape[-2:]], 0), "int32")
    rows, columns = math.cumsum(ones, -2), math.cumsum(ones, -1)
    return math.greater_equal(rows, columns)


@described("A layer of attention whose scores are products of queries and keys (Luong, 2015).")
class Attention(_Attention):
    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight("scale", (), self.dtype, "ones")
        self.built = True

    def _scores(self, query, key):
        scores = linalg.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale

    def get_config(self):
        return {**super().get_config(), "causal": self.causal}


@described("A layer of attention whose scores are sums of tanh(query + key) (Bahdanau, 2015).")
class AdditiveAttention(_Attention):
    def __init__(self, use_scale=True, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        size = TensorShape(input_shape[1]).as_list()[-1]
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight("scale", [size], self.dtype, "glorot_uniform")
        self.built = True

    def _scores(self, query, key):
        sums = math.tanh(arrays.expand_dims(query, -2) + arrays.expand_dims(key, -3))
        return math.reduce_sum(sums if self.scale is None else self.scale * sums, -1)

    def get_config(self):
        return {**super().get_config(), "causal": self.causal}


__all__ = ["AdditiveAttention", "Attention"]
