# SPDX-License-Identifier: Apache-2.0
"""The states and constants that a recurrent layer is given besides its sequences."""

from ..engine.node import history_of


def separated(inputs, states, constants, count):
    """Separates what a layer got as one list: the sequences, then states, then constants.

    Args:
        inputs: The sequences, a tensor, or the list.
        states: The first states, a tensor or a list of these. None: those of the list.
        constants: The constants, a tensor or a list of these. None: those of the list.
        count: How many constants the list has, an int.

    Returns:
        A tuple: the sequences, and the states and the constants, each a list or None.
    """
    if isinstance(inputs, list):
        if constants is None and count:
            inputs, constants = inputs[:-count], inputs[-count:]
        if states is None and len(inputs) > 1:
            states = inputs[1:]
        inputs = inputs[0]
    return inputs, _listed(states), _listed(constants)


def _listed(given):
    if given is None or isinstance(given, list):
        return given
    return list(given) if isinstance(given, tuple) else [given]


def call_with(layer, call, inputs, states, constants, kwargs):
    """Calls a layer, so that tensors of other layers are inputs, which a model follows.

    Args:
        layer: The layer.
        call: A function of the inputs and keyword arguments that calls it.
        inputs: The sequences, a tensor.
        states: The first states, a list. None: zeros.
        constants: The constants, a list. None: none.
        kwargs: More keyword arguments, a dict.

    Returns:
        What the layer returns.

    Raises:
        ValueError: Some of the states and constants are tensors of layers, others are not.
    """
    more = [*(states or []), *(constants or [])]
    of_layers = [history_of(t) is not None for t in more]
    if any(of_layers) and not all(of_layers):
        of_cell = hasattr(layer, "cell")
        what = "or constants of an RNN layer" if of_cell else "of a Bidirectional layer"
        raise ValueError(
            f"The initial state {what} cannot be specified with a mix of "
            'Keras tensors and non-Keras tensors (a "Keras tensor" is a tensor that was returned '
            "by a Keras layer, or by `Input`)"
        )
    if not any(of_layers):
        given = {"initial_state": states, "constants": constants}
        return call(inputs, **{k: v for k, v in given.items() if v is not None}, **kwargs)
    spec, layer.input_spec = layer.input_spec, None
    try:
        return call([inputs, *more], **kwargs)
    finally:
        layer.input_spec = spec
