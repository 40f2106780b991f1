# SPDX-License-Identifier: Apache-2.0
"""What a layer takes."""

from .. import dtypes, nest
from ..graph.tensor_shape import TensorShape


class InputSpec:
    """What a layer requires of an input: what is None may be anything.

    Args:
        dtype: The dtype.
        shape: Sizes of the dimensions, None where any is fine.
        ndim: The rank, an int.
        max_ndim: The largest rank, an int.
        min_ndim: The smallest rank, an int.
        axes: Sizes of single dimensions, a dict: dimension -> size.
    """

    def __init__(self, dtype=None, shape=None, ndim=None, max_ndim=None, min_ndim=None,
                 axes=None):  # fmt: skip
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = None if shape is None else tuple(shape)
        self.ndim = ndim if shape is None else len(self.shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.axes = {int(k): v for k, v in (axes or {}).items()}

    def get_config(self):
        """Returns the arguments that make an equal InputSpec.

        Returns:
            A dict.
        """
        names = "dtype shape ndim max_ndim min_ndim axes".split()
        return {name: getattr(self, name) for name in names}

    def __repr__(self):
        shown = [f"{k}={v}" for k, v in self.get_config().items() if v not in (None, {})]
        return f"InputSpec({', '.join(shown)})"


def checked(specs):
    """Returns what a program sets as the input_spec of a layer.

    Args:
        specs: An InputSpec, a structure of them, or None.

    Raises:
        TypeError: It is something else.
    """
    for spec in nest.flatten(specs):
        if spec is not None and not isinstance(spec, InputSpec):
            raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
    return specs


def check_inputs(specs, inputs, layer):
    """Raises ValueError where inputs are not what a layer takes.

    Args:
        specs: An InputSpec, a list of them, or None.
        inputs: A tensor, or a structure of them.
        layer: Name of the layer, a str.
    """
    if not specs:
        return
    specs, inputs = nest.flatten(specs), nest.flatten(inputs)
    if len(specs) != len(inputs):
        raise ValueError(
            f"Layer {layer} expects {len(specs)} inputs, but it received {len(inputs)} input "
            f"tensors. Inputs received: {inputs}"
        )
    for number, (spec, tensor) in enumerate(zip(specs, inputs)):
        wrong = spec and _wrong(spec, tensor)
        if wrong:
            raise ValueError(
                f"Input {number} of layer {layer} is incompatible with the layer: {wrong}"
            )
        if spec is None or not spec.shape:
            continue
        sizes = TensorShape(tensor.shape).as_list()
        if any(None not in pair and pair[0] != pair[1] for pair in zip(spec.shape, sizes)):
            raise ValueError(
                f"Input {number} is incompatible with layer {layer}: expected shape={spec.shape}, "
                f"found shape={sizes}"
            )


def _wrong(spec, tensor):
    """What is wrong with an input, other than sizes of a whole shape. None: nothing."""
    shape = TensorShape(tensor.shape)
    rank = shape.ndims
    ranks = (spec.ndim, spec.min_ndim, spec.max_ndim)
    if rank is None:
        if ranks == (None, None, None):
            return None
        return "its rank is undefined, but the layer requires a defined rank."
    sizes = shape.as_list()
    if spec.ndim is not None and rank != spec.ndim:
        return f"expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {sizes}"
    if spec.max_ndim is not None and rank > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={rank}"
    if spec.min_ndim is not None and rank < spec.min_ndim:
        return (
            f": expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {sizes}"
        )
    if spec.dtype is not None and tensor.dtype != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={tensor.dtype}"
    for axis, size in spec.axes.items():
        if size is not None and sizes[axis] not in (size, None):
            return (
                f"expected axis {axis} of input shape to have value {size} but received input "
                f"with shape {sizes}"
            )
    return None
