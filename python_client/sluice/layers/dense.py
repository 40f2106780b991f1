# SPDX-License-Identifier: Apache-2.0
"""The fully connected layer."""

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.seeds import count_more_nodes
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.layers import bias_add
from ..ops.sparse.arithmetic import sparse_dense_matmul
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.state.initializers import zeros
from .arguments import keep
from .input_spec import InputSpec
from .layer import Layer
from .words import arguments_of, described, function_of

_EXAMPLE = """
>>> y = sl.layers.dense(sl.ones([2, 3]), 4, kernel_initializer=sl.ones_initializer())
>>> with sl.Session() as session:
...     session.run(sl.global_variables_initializer())
...     print(session.run(y))
[[3. 3. 3. 3.]
 [3. 3. 3. 3.]]
"""


@described("The layer activation(inputs * kernel + bias), over the last dimension.")
class Dense(Layer):
    supports_masking = True

    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=zeros, kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(trainable, name, activity_regularizer=activity_regularizer, **kwargs)
        keep(
            self, units=int(units), activation=activation, use_bias=use_bias,
            kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
        )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2)
        self.kernel = self.bias = None

    def build(self, input_shape):
        """Makes the kernel and the bias.

        Args:
            input_shape: Shape of the input, a TensorShape.

        Raises:
            TypeError: The input is not of a floating-point or complex dtype.
            ValueError: The size of the last dimension is not known.
        """
        dtype = self._dtype or dtypes.float32
        if not dtype.is_floating and not dtype.is_complex:
            raise TypeError(f"a Dense layer is for floats, but the input is {dtype.name}")
        size = TensorShape(input_shape).as_list()[-1]
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel", [size, self.units], dtype, self.kernel_initializer, self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.units], dtype, self.bias_initializer, self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip
        super().build(input_shape)

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor or a SparseTensor [..., size].

        Returns:
            A tensor [..., units].
        """
        if isinstance(inputs, SparseTensor):
            outputs = sparse_dense_matmul(inputs, self.kernel)
        else:
            inputs = convert_to_tensor(inputs)
            if inputs.shape.ndims > 2:
                outputs = self._over_last(inputs)
            else:
                inputs = arrays.cast(inputs, self.kernel.dtype)
                outputs = raw_ops.MatMul(a=inputs, b=self.kernel)
        if self.bias is not None:
            outputs = bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def _over_last(self, inputs):
        sizes = inputs.shape.as_list()
        with name_scope("Tensordot") as scope:
            rows = arrays.reshape(inputs, [-1, sizes[-1]])
            product = raw_ops.MatMul(a=rows, b=self.kernel)
            if None not in sizes:
                shape = [*sizes[:-1], self.units]
            else:
                shape = arrays.concat([arrays.shape(inputs)[:-1], [self.units]], 0)
            outputs = arrays.reshape(product, shape, scope)
        outputs.set_shape([*sizes[:-1], self.units])
        # TensorFlow has more nodes, which decide the seeds of later operations.
        count_more_nodes(13 if None in sizes else 6)
        return outputs

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        sizes = TensorShape(input_shape).with_rank_at_least(2).as_list()
        if sizes[-1] is None:
            raise ValueError("the size of the last dimension must be known")
        return TensorShape([*sizes[:-1], self.units])


dense = function_of(
    Dense, "dense", arguments_of(Dense, "reuse"),
    "Computes activation(inputs * kernel + bias) over the last dimension.", _EXAMPLE,
)  # fmt: skip
