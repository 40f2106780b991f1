# SPDX-License-Identifier: Apache-2.0
"""The placeholders that models take."""

from ... import dtypes
from ...graph.convert import placeholder
from ...ops.sparse.sparse_tensor import placeholder as sparse_placeholder
from ...strategies import contexts
from ..base import settings, state
from ..base.ragged_rows import ragged_input
from .documents import described
from .layer import Layer
from .node import Node, history_of


@described("The layer of an input of a model. Programs call Input().")
class InputLayer(Layer):
    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None,
                 sparse=False, name=None, ragged=False, **kwargs):  # fmt: skip
        if sparse and ragged:
            raise ValueError("Cannot set both sparse and ragged to True in a Keras input.")
        shape = kwargs.pop("batch_input_shape", None)
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        if shape is not None and input_shape is not None:
            raise ValueError(
                "Only provide the input_shape OR batch_input_shape argument to InputLayer, not "
                "both at the same time."
            )
        if input_shape is not None:
            shape = (batch_size, *input_shape)
        if input_tensor is not None:
            shape, dtype = tuple(input_tensor.shape.as_list()), input_tensor.dtype
        name = name or state.unique_name("input")
        super().__init__(name=name, dtype=dtype or settings.floatx(), batch_input_shape=shape)
        self.built, self.sparse, self.ragged = True, sparse, ragged
        self.is_placeholder = input_tensor is None
        if self.is_placeholder:
            make = sparse_placeholder if sparse else ragged_input if ragged else placeholder
            input_tensor = make(dtypes.as_dtype(self.dtype), shape, name)
        Node(self, [], [input_tensor]).input_tensors = [input_tensor]

    @property
    def input(self):
        return self.output

    def get_config(self):
        return {
            "batch_input_shape": self.batch_input_shape, "dtype": self.dtype,
            "sparse": self.sparse, "ragged": self.ragged, "name": self._name,
        }  # fmt: skip


def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None,  # noqa: N802
          ragged=False, **kwargs):  # fmt: skip
    """Makes the input of a model.

    Args:
        shape: Shape of an example, without the batch.
        batch_size: Size of the batch, an int. None: any.
        name: Name of the input, a str. None: input_1, input_2, ...
        dtype: Dtype of the input. None: the default one.
        sparse: Whether the input is a SparseTensor. A bool.
        tensor: A tensor that is the input. None: a placeholder.
        ragged: Whether the input is a RaggedTensor: the dimensions without a size that follow the
            batch are ragged. A bool.
        **kwargs: batch_shape: shape with the batch.

    Returns:
        A tensor, a SparseTensor or a RaggedTensor.

    Raises:
        ValueError: No shape is given, it is both sparse and ragged, or batch_size is not a multiple
            of the number of replicas.
    """
    batch_shape = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is not None and batch_shape is not None:
        raise ValueError(
            "Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the "
            "same time."
        )
    if shape is None and batch_shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` "
            "does not include the batch dimension."
        )
    if batch_shape is not None:
        batch_size, shape = batch_shape[0], batch_shape[1:]
    count = contexts.get_strategy().num_replicas_in_sync
    if batch_size is not None and batch_size % count:
        raise ValueError(
            f"The `batch_size` argument value {batch_size} cannot be divisible by number of "
            f"replicas {count}"
        )
    if tensor is not None and history_of(tensor) is not None:
        return tensor
    shape = None if shape is None else tuple([shape] if isinstance(shape, int) else shape)
    layer = InputLayer(shape, batch_size, dtype, tensor, sparse, name, ragged)
    return layer.inbound_nodes[0].output_tensors[0]
