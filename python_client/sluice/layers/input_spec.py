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
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype)
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
        raise ValueError(f"layer {layer} takes {len(specs)} inputs, not {len(inputs)}")
    for number, (spec, tensor) in enumerate(zip(specs, inputs)):
        wrong = spec and _wrong(spec, tensor)
        if wrong:
            raise ValueError(f"input {number} of layer {layer} {wrong}")


def _wrong(spec, tensor):
    shape = TensorShape(tensor.shape)
    rank = shape.ndims
    ranks = (spec.ndim, spec.min_ndim, spec.max_ndim)
    if rank is None:
        return "must have a known rank" if ranks != (None, None, None) else None
    if spec.ndim is not None and rank != spec.ndim:
        return f"must have rank {spec.ndim}, but its shape is {shape}"
    if spec.max_ndim is not None and rank > spec.max_ndim:
        return f"must have at most rank {spec.max_ndim}, but its shape is {shape}"
    if spec.min_ndim is not None and rank < spec.min_ndim:
        return f"must have at least rank {spec.min_ndim}, but its shape is {shape}"
    if spec.dtype is not None and tensor.dtype != spec.dtype:
        return f"must be {spec.dtype.name}, not {tensor.dtype.name}"
    sizes = shape.as_list()
    for axis, size in spec.axes.items():
        if size is not None and sizes[axis] not in (size, None):
            return f"must have size {size} in dimension {axis}, but its shape is {shape}"
    for size, have in zip(spec.shape or (), sizes):
        if size is not None and have is not None and size != have:
            return f"must have shape {spec.shape}, not {shape}"
    return None
