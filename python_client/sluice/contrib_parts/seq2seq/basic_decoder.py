# SPDX-License-Identifier: Apache-2.0
"""A decoder that runs a cell with the inputs of a helper."""

from collections import namedtuple

from ... import nest
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ...ops.rnn.around import assert_like_rnncell
from .decoding import Decoder
from .helpers import Helper


class BasicDecoderOutput(namedtuple("BasicDecoderOutput", "rnn_output sample_id")):
    """What a BasicDecoder gives: a tuple.

    Args:
        rnn_output: The outputs of the cell, or of the output layer.
        sample_id: What the helper sampled of them.
    """


def check_output_layer(layer):
    """Checks the argument output_layer of decoders.

    Args:
        layer: A layer, or None.

    Raises:
        TypeError: It is something else.
    """
    if layer is not None and not (callable(layer) and hasattr(layer, "compute_output_shape")):
        raise TypeError(f"output_layer must be a Layer, received: {type(layer)}")


def output_size_of(cell, layer):
    """Finds the size of what a cell, and then a layer, give.

    Args:
        cell: The cell, an RNNCell.
        layer: A layer, or None.

    Returns:
        An int or a TensorShape.
    """
    if layer is None:
        return cell.output_size

    def made(size):
        size = [size] if isinstance(size, int) else size
        shape = TensorShape([None]).concatenate(TensorShape(size))
        return TensorShape(layer.compute_output_shape(shape))[1:]

    return nest.map_structure(made, cell.output_size)


class BasicDecoder(Decoder):
    """A decoder that runs a cell; a helper samples of its outputs and chooses the next inputs.

    Args:
        cell: The cell, an RNNCell.
        helper: The Helper.
        initial_state: The state of the cell at the start.
        output_layer: A layer that changes the outputs before the helper samples. None: none.

    Raises:
        TypeError: An argument is of another class.
    """

    def __init__(self, cell, helper, initial_state, output_layer=None):
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        check_output_layer(output_layer)
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer

    @property
    def batch_size(self):
        """How many sequences, an int32 scalar."""
        return self._helper.batch_size

    def _rnn_output_size(self):
        return output_size_of(self._cell, self._output_layer)

    @property
    def output_size(self):
        """The sizes of the outputs, a BasicDecoderOutput."""
        return BasicDecoderOutput(self._rnn_output_size(), self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        """The dtypes of the outputs, a BasicDecoderOutput."""
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            nest.map_structure(lambda _: dtype, self._rnn_output_size()),
            self._helper.sample_ids_dtype,
        )

    def initialize(self, name=None):
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time, inputs, state, name=None):
        with name_scope(name, "BasicDecoderStep"):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            samples = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=samples
            )
        return BasicDecoderOutput(outputs, samples), state, inputs, finished
