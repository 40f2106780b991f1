# SPDX-License-Identifier: Apache-2.0
"""A model on several GPUs, each of which has a part of every batch."""

from ... import nest
from ...graph.default_graph import device, name_scope
from ...ops import array as arrays
from ..base import state
from ..layers.core import Lambda
from ..layers.merging import concatenate
from .cloning import clone_model
from .model import Model


def _names_of_devices():
    """The devices of the session as "/cpu:0", "/gpu:0", ..."""
    names = [d.name.lower() for d in state.get_session().list_devices()]
    return ["/" + ":".join(name.split("device:")[-1].split(":")[-2:]) for name in names]


def _part_of(data, i, parts):
    """The i-th of equal parts of a batch; the last one has what is left."""
    sizes = arrays.shape(data)
    step = sizes[:1] // parts
    size = sizes[:1] - step * i if i == parts - 1 else step
    begin = arrays.concat([step * i, sizes[1:] * 0], 0)
    return arrays.slice(data, begin, arrays.concat([size, sizes[1:]], 0))


def _checked(gpus):
    """The numbers of the GPUs, if the session has them."""
    is_list = isinstance(gpus, (list, tuple))
    if (len(gpus) if is_list else gpus) <= 1:
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with "
            f"`{'len(gpus)' if is_list else 'gpus'} >= 2`. Received: `gpus={gpus}`"
        )
    numbers = list(gpus) if is_list else list(range(gpus))
    expected, there = ["/cpu:0", *(f"/gpu:{i}" for i in numbers)], _names_of_devices()
    if not set(expected) <= set(there):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be "
            f"available: {expected}. However this machine only has: {there}. Try reducing `gpus`."
        )
    return numbers


def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """Makes a model that divides each batch among GPUs.

    The GPUs share the variables of the model. Each computes the outputs of its part of the batch.

    Args:
        model: The model.
        gpus: The number of GPUs, an int of at least 2; or a list of their numbers.
        cpu_merge: Whether the CPU joins the outputs. If not, the first GPU does. A bool.
        cpu_relocation: Whether the variables are made again, on the CPU. A bool.

    Returns:
        A Model of the same inputs.

    Raises:
        ValueError: The session has fewer GPUs.
    """
    numbers = _checked(gpus)
    if cpu_relocation:
        with device("/cpu:0"):
            model = clone_model(model)
    outputs = []
    for i, number in enumerate(numbers):
        with device(f"/gpu:{number}"), name_scope(f"replica_{number}"):
            options = {"i": i, "parts": len(numbers)}
            inputs = [
                Lambda(_part_of, output_shape=tuple(x.shape.as_list()[1:]), arguments=options)(x)
                for x in model.inputs
            ]
            found = model(inputs if len(inputs) > 1 else inputs[0])
        outputs.append(nest.flatten(found))
    with device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [
            concatenate(list(parts), axis=0, name=name)
            for name, parts in zip(model.output_names, zip(*outputs))
        ]
    return Model(model.inputs, merged)
