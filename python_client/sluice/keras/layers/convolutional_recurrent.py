# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of images, and cells beside those of recurrent layers."""

from ... import nn
from ...graph.tensor_shape import TensorShape
from ...layers.input_spec import InputSpec
from ...layers.sizes import format_of, joined_shape, sizes_of, split_shape, window_length
from ...ops import array as arrays
from ..base import settings
from ..base.images import conv2d
from ..engine.documents import described
from ..engine.layer import Layer
from .cells import LSTMCell
from .recurrent import RNN


@described("A cell that a program defines: state_size, output_size and call() are its own.")
class AbstractRNNCell(Layer):
    def call(self, inputs, states):
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self):
        """Sizes of the states: ints, TensorShapes, or a list of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """Size of the output, an int or a TensorShape."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """Makes states of zeros.

        Args:
            inputs: A tensor, whose first dimension is the batch. None: batch_size says it.
            batch_size: Size of the batch, an int or a scalar.
            dtype: Dtype of the states. None: that of inputs.

        Returns:
            A tensor, or a list of tensors.
        """
        batch = batch_size if inputs is None else arrays.shape(inputs)[0]
        kind = inputs.dtype if dtype is None else dtype
        many = isinstance(self.state_size, (list, tuple))
        made = [
            arrays.zeros(arrays.stack([batch, *TensorShape(size).as_list()]), kind)
            for size in (self.state_size if many else [self.state_size])
        ]
        return made if many else made[0]


@described("A step of an LSTM whose gates also see its inner state (Gers et al., 2002).")
class PeepholeLSTMCell(LSTMCell):
    def build(self, input_shape):
        super().build(input_shape)
        self.input_gate_peephole_weights, self.forget_gate_peephole_weights = (
            self._peephole("input"), self._peephole("forget"),
        )  # fmt: skip
        self.output_gate_peephole_weights = self._peephole("output")

    def _peephole(self, gate):
        return self.add_weight(
            f"{gate}_gate_peephole_weights", [self.units], None, self.kernel_initializer
        )

    def call(self, inputs, states, training=None):
        h, c = states
        x = self._inputs(inputs, training, self._value("bias"))
        r = self._products(
            h, self._value("recurrent_kernel"), self.recurrent_dropout, "state", training
        )
        of_input, of_forget = self.input_gate_peephole_weights, self.forget_gate_peephole_weights
        i = self.recurrent_activation(x[0] + r[0] + of_input * c)
        f = self.recurrent_activation(x[1] + r[1] + of_forget * c)
        c = f * c + i * self.activation(x[2] + r[2])
        o = self.recurrent_activation(x[3] + r[3] + self.output_gate_peephole_weights * c)
        output = o * self.activation(c)
        return output, [output, c]


@described("A step of ConvLSTM2D. Its states are images of the outputs' size.")
class ConvLSTM2DCell(LSTMCell):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, **kwargs):  # fmt: skip
        super().__init__(
            filters, activation, recurrent_activation, use_bias, kernel_initializer,
            recurrent_initializer, bias_initializer, unit_forget_bias, kernel_regularizer,
            recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, **kwargs,
        )  # fmt: skip
        self.filters = filters
        self.kernel_size = sizes_of(kernel_size, 2, "kernel_size")
        self.strides = sizes_of(strides, 2, "strides")
        self.dilation_rate = sizes_of(dilation_rate, 2, "dilation_rate")
        self.padding = padding.lower()
        self.data_format = format_of(data_format or settings.image_data_format())

    def build(self, input_shape):
        _, _, channels = split_shape(TensorShape(input_shape), self.data_format)
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        sides, width = list(self.kernel_size), 4 * self.units
        self.kernel = self.add_weight(
            "kernel", [*sides, channels, width], None, self.kernel_initializer,
            self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", [*sides, self.units, width], None, self.recurrent_initializer,
            self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [width], None, self._bias_initializer(), self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip
        self.output_size = self.sizes_of_states(input_shape)
        self.state_size = [self.output_size, self.output_size]
        self.built = True

    def sizes_of_states(self, input_shape):
        """Computes the shape of a state.

        Args:
            input_shape: The shape of a step of the input, with the batch.

        Returns:
            A TensorShape without the batch.
        """
        batch, spatial, _ = split_shape(TensorShape(input_shape), self.data_format)
        windows = zip(spatial, self.kernel_size, self.strides, self.dilation_rate)
        sizes = [window_length(n, k, self.padding, s, d) for n, k, s, d in windows]
        return TensorShape(joined_shape(batch, sizes, self.units, self.data_format).as_list()[1:])

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        shape = [*self.kernel_size, inputs.shape.as_list()[self._axis()], self.units]
        zeros = self._convolved(arrays.zeros_like(inputs), arrays.zeros(shape, inputs.dtype))
        return [zeros, zeros]

    def _axis(self):
        return 1 if self.data_format == "channels_first" else 3

    def _convolved(self, x, kernel):
        return conv2d(x, kernel, self.strides, self.padding, self.data_format, self.dilation_rate)

    def _gates(self, x, kernel, rate, what, training, convolve):
        """What a convolution gives for each gate, a list."""
        if not 0 < rate < 1:
            return arrays.split(convolve(x, kernel), 4, self._axis())
        parts = self._dropped(x, rate, what, training)
        return [convolve(part, k) for part, k in zip(parts, arrays.split(kernel, 4, 3))]

    def call(self, inputs, states, training=None):
        h, c = states
        x = self._gates(
            inputs, self._value("kernel"), self.dropout, "input", training, self._convolved
        )
        if self.bias is not None:
            layout = "NCHW" if self._axis() == 1 else "NHWC"
            biases = arrays.split(self._value("bias"), 4, 0)
            x = [nn.bias_add(part, bias, layout) for part, bias in zip(x, biases)]
        r = self._gates(
            h, self._value("recurrent_kernel"), self.recurrent_dropout, "state", training,
            lambda part, k: conv2d(part, k, (1, 1), "same", self.data_format, (1, 1)),
        )  # fmt: skip
        i, f = (self.recurrent_activation(x[n] + r[n]) for n in (0, 1))
        c = f * c + i * self.activation(x[2] + r[2])
        o = self.recurrent_activation(x[3] + r[3])
        output = o * self.activation(c)
        return output, [output, c]


@described("An LSTM of images: convolutions in place of matrix products (Shi et al., 2015).")
class ConvLSTM2D(RNN):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, return_sequences=False,
                 go_backwards=False, stateful=False, dropout=0.0, recurrent_dropout=0.0,
                 **kwargs):  # fmt: skip
        cell = ConvLSTM2DCell(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation,
            recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, unit_forget_bias, kernel_regularizer, recurrent_regularizer,
            bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
            recurrent_dropout,
        )  # fmt: skip
        super().__init__(
            cell, return_sequences, go_backwards=go_backwards, stateful=stateful,
            activity_regularizer=activity_regularizer, **kwargs,
        )  # fmt: skip
        self.input_spec = [InputSpec(ndim=5)]

    def compute_output_shape(self, input_shape):
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        batch, steps, *sizes = TensorShape(shape).as_list()
        states = self.cell.sizes_of_states([batch, *sizes]).as_list()
        output = TensorShape([batch, steps, *states] if self.return_sequences else [batch, *states])
        if not self.return_state:
            return output
        return [output, *[TensorShape([batch, *states])] * 2]

    def get_config(self):
        more = {name: getattr(self, name) for name in ("return_state", "unroll", "time_major")}
        return {**super().get_config(), **more}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)

    def __getattr__(self, name):
        cell = vars(self).get("cell")
        if cell is not None and name in _OF_CELL:
            return getattr(cell, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


_OF_CELL = frozenset(
    """
    filters kernel_size strides padding data_format dilation_rate activation recurrent_activation
    use_bias
    kernel_initializer recurrent_initializer bias_initializer unit_forget_bias kernel_regularizer
    recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint bias_constraint
    dropout recurrent_dropout
    """.split()
)

__all__ = ["AbstractRNNCell", "ConvLSTM2D"]
