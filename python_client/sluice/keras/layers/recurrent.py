# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers: cells that are applied to one step after another."""

import inspect

import numpy as np

from ... import dtypes, nest
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ...layers.input_spec import InputSpec
from ...ops import array as arrays
from ...ops.math.reductions import reduce_any
from ...ops.state.variables import Variable
from ..base import settings, state, values
from ..engine.documents import described
from ..engine.layer import Layer
from ..engine.registry import deserialize, serialize
from . import cells, given, op_counts
from .recurrence import rnn

_NO_BATCH_SIZE = (
    "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
    "tensors: \n- If using a Sequential model, specify the batch size by passing a "
    "`batch_input_shape` argument to your first layer.\n- If using the functional API, specify the "
    "batch size by passing a `batch_shape` argument to your Input layer."
)


@described("A layer that applies a cell to one step of sequences after another.")
class RNN(Layer):
    supports_masking = True

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False,
                 stateful=False, unroll=False, time_major=False, **kwargs):  # fmt: skip
        self.zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        super().__init__(**kwargs)
        self.cell = cells.StackedRNNCells(cell) if isinstance(cell, (list, tuple)) else cell
        if "call" not in dir(self.cell):
            raise ValueError("`cell` should have a `call` method. The RNN was passed:", self.cell)
        if "state_size" not in dir(self.cell):
            raise ValueError(
                "The RNN cell should have an attribute `state_size` (tuple of integers, one "
                "integer per RNN state)."
            )
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful = go_backwards, stateful
        self.unroll, self.time_major = unroll, time_major
        self.input_spec = None if type(self) is RNN else [InputSpec(ndim=3)]
        self._states, self.constants_count = None, 0

    def build(self, input_shape):
        shape = _shapes(input_shape)
        batch = TensorShape(nest.flatten(shape)[0]).as_list()[1 if self.time_major else 0]
        if hasattr(self.cell, "built") and not self.cell.built:
            _take_dtype(self.cell, self.dtype)
            self.cell.build(
                nest.map_structure(lambda s: (batch, *TensorShape(s).as_list()[2:]), shape)
            )
            self.cell.built = True
        if self.stateful:
            self._make_states(batch)
        self.built = True

    @property
    def states(self):
        """The variables of a stateful layer, a list; None in place of those that are not there."""
        return self._states or [None] * len(cells.state_sizes(self.cell))

    def _make_states(self, batch):
        if batch is None:
            raise ValueError(_NO_BATCH_SIZE)
        self._states, dtype = [], self._dtype or settings.floatx()
        for size in cells.state_sizes(self.cell):
            shape = [batch, *TensorShape(size).as_list()]
            variable = Variable(
                lambda shape=shape: arrays.zeros(shape, dtype), trainable=False,
                use_resource=True, name="Variable",
            )  # fmt: skip
            state.track_variable(variable)
            vars(self)["_states"] = [*self._states, variable]

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        inputs, initial_state, constants = given.separated(
            inputs, initial_state, constants, self.constants_count
        )
        self.constants_count = len(constants or [])
        return given.call_with(
            self, super().__call__, inputs, initial_state, constants, kwargs
        )  # fmt: skip

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        inputs, initial_state, constants = given.separated(
            inputs, initial_state, constants, self.constants_count
        )
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        has_states = initial_state is not None
        if has_states:
            initial_state = self._checked(initial_state)
        else:
            initial_state = self._first_states(inputs)
        self._begin(inputs, nest.flatten(initial_state), training)
        more = {"training": training} if cells.takes(self.cell, "training") else {}
        if constants:
            if not cells.takes(self.cell, "constants"):
                raise ValueError("RNN cell does not support constants")
            more["constants"] = constants
        last, outputs, states = rnn(
            lambda x, s: self.cell.call(x, s, **more), inputs, initial_state, self.go_backwards,
            mask, unroll=self.unroll, time_major=self.time_major,
            zero_output_for_mask=self.zero_output_for_mask,
        )  # fmt: skip
        if hasattr(self.cell, "end"):
            self.cell.end()
        op_counts.count(self, inputs, mask, has_states)
        if self.stateful:
            self.add_update([
                v.assign(s, read_value=False) for v, s in zip(self.states, nest.flatten(states))
            ])  # fmt: skip
        output = outputs if self.return_sequences else last
        if not self.return_state:
            return output
        return [*(output if isinstance(output, list) else [output]), *states]

    def _checked(self, given):
        """The given states in the structure of _first_states()."""
        flat, sizes = nest.flatten(given), cells.state_sizes(self.cell)
        wanted = [TensorShape(size).as_list() for size in sizes]
        shapes = [None if t.shape.ndims is None else t.shape.as_list()[1:] for t in flat]
        if len(flat) != len(sizes) or any(
            shape is not None and not TensorShape(shape).is_compatible_with(TensorShape(size))
            for shape, size in zip(shapes, wanted)
        ):
            specs = [InputSpec(shape=(None, *shape)) for shape in shapes if shape is not None]
            raise ValueError(
                "An `initial_state` was passed that is not compatible with `cell.state_size`. "
                f"Received `state_spec`={specs}; however `cell.state_size` is {sizes}"
            )
        return flat if self.stateful else cells.structured(self.cell, flat)

    def _first_states(self, inputs):
        inputs = nest.flatten(inputs)[0]
        if self.stateful:
            return [v.value() for v in self.states]
        axis = 1 if self.time_major else 0
        step = inputs[0] if self.time_major else inputs[:, 0]
        return cells.initial_states(self.cell, step, arrays.shape(inputs)[axis])

    def _begin(self, inputs, states, training):
        if hasattr(self.cell, "begin"):
            inputs = nest.flatten(inputs)[0]
            step = inputs[0] if self.time_major else inputs[:, 0]
            self.cell.begin(step, states[0], training)

    def get_initial_state(self, inputs):
        """Makes states of zeros.

        Args:
            inputs: The input, a tensor.

        Returns:
            A list of tensors.
        """
        return self._first_states(inputs)

    def reset_states(self, states=None):
        """Sets the states of a stateful layer.

        Args:
            states: The states, a list of arrays. None: zeros.

        Raises:
            AttributeError: The layer is not stateful.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        if any(v is None for v in self.states or [None]):
            raise ValueError(_NO_BATCH_SIZE)
        shapes = [v.shape.as_list() for v in self.states]
        states = [np.zeros(s) for s in shapes] if states is None else nest.flatten(states)
        if len(states) != len(shapes):
            raise ValueError(
                f"Layer {self._name} expects {len(shapes)} states, but it received {len(states)} "
                f"state values. Input received: {states}"
            )
        for number, (value, shape) in enumerate(zip(states, shapes)):
            if list(np.shape(value)) != shape:
                raise ValueError(
                    f"State {number} is incompatible with layer {self._name}: expected "
                    f"shape={tuple(shape)}, found shape={np.shape(value)}"
                )
        values.batch_set_value(list(zip(self.states, states)))

    @property
    def updates(self):
        """The operations that a step must run too, a list."""
        return [op for op, _ in self._updates]

    def compute_mask(self, inputs, mask=None):
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        own = mask if self.return_sequences else None
        count = len(cells.state_sizes(self.cell))
        return [own, *[None] * count] if self.return_state else own

    def compute_output_shape(self, input_shape):
        batch, steps, *_ = nest.flatten(_shapes(input_shape))[0].as_list()
        if self.time_major:
            batch, steps = steps, batch
        sizes = TensorShape(cells.output_size(self.cell)).as_list()
        around = [steps, batch] if self.time_major else [batch, steps]
        output = TensorShape([*around, *sizes] if self.return_sequences else [batch, *sizes])
        if not self.return_state:
            return output
        return [output, *(TensorShape([batch, *TensorShape(n).as_list()])
                          for n in cells.state_sizes(self.cell))]  # fmt: skip

    def get_config(self):
        config = super().get_config()
        of_cell = config.pop("cell", None)
        if self.constants_count:
            config["num_constants"] = self.constants_count
        if of_cell is not None:
            config["cell"] = serialize(self.cell)
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = True
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        if "cell" in config:
            config = {**config, "cell": deserialize(config["cell"], custom_objects)}
        return _with_constants(cls, config)


def _shapes(given):
    """The shapes of the sequences, a TensorShape or a structure of these."""
    given = given[0] if isinstance(given, list) and isinstance(
        given[0], (list, tuple, TensorShape)
    ) else given  # fmt: skip
    nested = isinstance(given, tuple) and given and isinstance(given[0], (tuple, TensorShape))
    return tuple(map(_shapes, given)) if nested else TensorShape(given)


def _with_constants(cls, config):
    """A layer of its configuration, which says how many constants it gets."""
    config = dict(config)
    count = config.pop("num_constants", 0)
    layer = cls(**config)
    layer.constants_count = count
    return layer


def _take_dtype(layer, dtype):
    if isinstance(layer, Layer) and (dtype is None or dtypes.as_dtype(dtype).is_floating):
        layer.take_dtype(dtype)


_OF_RNN = "return_sequences return_state go_backwards stateful unroll time_major".split()


def _layer_of(cell, name, summary):
    """The recurrent layer of a cell: its arguments, then those of RNN."""
    parameters = list(inspect.signature(cell).parameters.values())
    at = next(i for i, p in enumerate(parameters) if p.name == "kernel_constraint")
    regularizer = inspect.Parameter(
        "activity_regularizer", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None
    )
    own = [*parameters[:at], regularizer, *parameters[at:-1]]
    more = [p for p in inspect.signature(RNN).parameters.values() if p.name in _OF_RNN[:5]]
    after = [p for p in own if p.name == "reset_after"]
    own = [p for p in own if p.name != "reset_after"]
    signature = inspect.Signature([*own, *more, *after, parameters[-1]])
    names = [p.name for p in parameters[:-1]]

    def initial(self, *args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        known = bound.arguments
        others = known.pop("kwargs")
        if cell is cells.SimpleRNNCell:
            others.pop("implementation", None)  # Keras had several of this layer once
        made = cell(**{n: known[n] for n in names}, **_dtype_of(others))
        RNN.__init__(
            self, made, activity_regularizer=known["activity_regularizer"],
            **{p.name: known[p.name] for p in more}, **others,
        )  # fmt: skip
        self.supports_masking = True

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    initial.__signature__ = inspect.Signature([itself, *signature.parameters.values()])
    initial.__name__, initial.__qualname__ = "__init__", f"{name}.__init__"
    kept = (*_OF_RNN, *names, "activity_regularizer")
    members = {"__init__": initial, "__module__": __name__, "arguments": kept}
    members.update((n, _argument(n)) for n in names)
    return described(summary)(type(name, (RNN,), members))


def _argument(name):
    return property(lambda self: getattr(self.cell, name), doc="An argument of the constructor.")


def _dtype_of(kwargs):
    return {"dtype": kwargs["dtype"]} if kwargs.get("dtype") else {}


SimpleRNN = _layer_of(cells.SimpleRNNCell, "SimpleRNN", "A fully connected recurrent layer.")
GRU = _layer_of(cells.GRUCell, "GRU", "A layer of gated recurrent units (Cho et al., 2014).")
LSTM = _layer_of(
    cells.LSTMCell, "LSTM",
    "A layer of long short-term memory (Hochreiter and Schmidhuber, 1997).",
)  # fmt: skip


class _Around(Layer):
    """What the layers around another layer share."""

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, Layer):
            raise self._not_around(layer)
        super().__init__(**kwargs)
        self.layer = layer

    def _not_around(self, thing):
        """Returns the error for an object that is not a layer."""
        return AssertionError(f"{type(self).__name__} takes a layer, not {thing!r}")

    @property
    def activity_regularizer(self):
        """That of the layer inside."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self):
        return {**super().get_config(), "layer": serialize(self.layer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = {**config, "layer": deserialize(config["layer"], custom_objects)}
        return cls(**config)


@described("The base class of layers around another layer.")
class Wrapper(_Around):
    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True


def _sizes_from(x, axis):
    """The sizes of dimensions from an axis on: ints, or tensors where they are not known."""
    known = x.shape.as_list()
    return [arrays.shape(x)[i] if known[i] is None else known[i] for i in range(axis, len(known))]


def _steps_as_batch(x):
    """[batch, steps, ...] as [batch * steps, ...]."""
    return arrays.reshape(x, [-1, *_sizes_from(x, 2)])


def _batch_as_steps(x, inputs):
    """[batch * steps, ...] as [batch, steps, ...] with as many steps as the inputs have."""
    return arrays.reshape(x, [-1, _sizes_from(inputs, 1)[0], *_sizes_from(x, 1)])


class _OverTime(Wrapper):
    """What the layers around a layer share that apply it to sequences."""

    supports_masking = True

    def _not_around(self, thing):
        return ValueError(
            f"Please initialize `{type(self).__name__}` layer with a `Layer` instance. You passed: "
            f"{thing}"
        )


@described("A layer that applies another one to every step of sequences.")
class TimeDistributed(_OverTime):
    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)
        self._flat_inputs = None

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 "
                f"dimensions, received: {sizes}"
            )
        self.input_spec = InputSpec(shape=[None, None, *sizes[2:]])
        if not self.layer.built:
            _take_dtype(self.layer, self.dtype)
            self.layer.build(TensorShape([sizes[0], *sizes[2:]]))
            self.layer.built = True
        self.built = True

    def call(self, inputs, training=None, mask=None):
        sizes = inputs.shape.as_list()
        more = {"training": training} if self.layer.takes("training") else {}
        if mask is not None and self.layer.takes("mask"):
            more["mask"] = _steps_as_batch(mask)
        self._flat_inputs = _steps_as_batch(inputs)
        found = self.layer(self._flat_inputs, **more)
        outputs = _batch_as_steps(found, inputs)
        outputs.set_shape([*sizes[:2], *found.shape.as_list()[1:]])
        return outputs

    def compute_mask(self, inputs, mask=None):
        if inputs.shape.as_list()[0]:
            return mask
        flat = None if mask is None else _steps_as_batch(mask)
        found = self.layer.compute_mask(self._flat_inputs, flat)
        found = found[0] if isinstance(found, list) else found
        if found is not None:
            return _batch_as_steps(found, inputs)
        while mask is not None and mask.shape.ndims > 2:
            mask = reduce_any(mask, -1)
        return mask

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        found = self.layer.compute_output_shape(TensorShape([sizes[0], *sizes[2:]]))
        return TensorShape([sizes[0], sizes[1], *TensorShape(found).as_list()[1:]])


def _check_backward(ahead, back):
    """Raises ValueError where a layer cannot be the backward layer of another."""
    if not isinstance(back, Layer):
        raise ValueError(f"`backward_layer` need to be a `Layer` instance. Got: {back}")
    if ahead.go_backwards == back.go_backwards:
        raise ValueError(
            "Forward layer and backward layer should have different `go_backwards` value."
        )
    for name in ("stateful", "return_sequences", "return_state"):
        one, other = getattr(ahead, name), getattr(back, name)
        if one != other:
            raise ValueError(
                "Forward layer and backward layer are expected to have the same value for "
                f"attribute {name}, got {one} and {other}"
            )


@described("A layer that applies a recurrent layer forwards and backwards.")
class Bidirectional(_OverTime):
    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None,
                 **kwargs):  # fmt: skip
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                "Invalid merge mode. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        super().__init__(layer, **kwargs)
        if backward_layer is not None:
            _check_backward(layer, backward_layer)
        self._layers.clear()  # the layer itself is a pattern only
        self._tracked.clear()
        self.forward_layer = self._copy(layer, "forward_", layer.go_backwards)
        self._config_of_backward = None
        if backward_layer is None:
            self.backward_layer = self._copy(layer, "backward_", not layer.go_backwards)
        else:
            self._config_of_backward = serialize(backward_layer)  # with its name so far
            self.backward_layer = backward_layer
            vars(backward_layer)["_name"] = "backward_" + backward_layer.name
        self.merge_mode, self.constants_count = merge_mode, 0
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self._initial_weights = weights
        if self.return_sequences:  # both outputs are merged step by step
            self.forward_layer.zero_output_for_mask = True
            self.backward_layer.zero_output_for_mask = True

    @staticmethod
    def _copy(layer, prefix, backwards):
        config = {**layer.get_config(), "name": prefix + layer.name, "go_backwards": backwards}
        if "custom_objects" not in inspect.signature(type(layer).from_config).parameters:
            return type(layer).from_config(config)
        cell = getattr(layer, "cell", None)
        known = {type(c).__name__: type(c) for c in (cell, *getattr(cell, "cells", []))}
        return type(layer).from_config(config, custom_objects=known)

    def build(self, input_shape):
        for layer in (self.forward_layer, self.backward_layer):
            _take_dtype(layer, self.dtype)
            with name_scope(layer.name):
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        inputs, initial_state, constants = given.separated(
            inputs, initial_state, constants, self.constants_count
        )
        if initial_state is not None and len(initial_state) % 2:
            raise ValueError(
                "When passing `initial_state` to a Bidirectional RNN, the state should be a list "
                f"containing the states of the underlying RNNs. Found: {initial_state}"
            )
        self._count_constants(len(constants or []))
        return given.call_with(
            self, super().__call__, inputs, initial_state, constants, kwargs
        )  # fmt: skip

    def _count_constants(self, count):
        for layer in (self, self.forward_layer, self.backward_layer):
            layer.constants_count = count

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        inputs, initial_state, constants = given.separated(
            inputs, initial_state, constants, self.constants_count
        )
        half = len(initial_state or []) // 2
        found = []
        for layer, part in (
            (self.forward_layer, slice(None, half)), (self.backward_layer, slice(half, None)),
        ):  # fmt: skip
            more = {"training": training, "mask": mask, "constants": constants}
            if initial_state is not None:
                more["initial_state"] = initial_state[part]
            taken = {k: v for k, v in more.items() if v is not None and layer.takes(k)}
            found.append(layer.call(inputs, **taken))
        ahead, back = found
        states = []
        if self.return_state:
            states = [*ahead[1:], *back[1:]]
            ahead, back = ahead[0], back[0]
        if self.return_sequences:
            back = arrays.reverse(back, [0 if self.forward_layer.time_major else 1])
        merged = self._merged(ahead, back)
        if not states:
            return merged
        return [*merged, *states] if self.merge_mode is None else [merged, *states]

    def _merged(self, ahead, back):
        if self.merge_mode == "concat":
            return arrays.concat([ahead, back], -1)
        if self.merge_mode == "sum":
            return ahead + back
        if self.merge_mode == "ave":
            return (ahead + back) / 2
        return ahead * back if self.merge_mode == "mul" else [ahead, back]

    def compute_mask(self, inputs, mask=None):
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        own = mask if self.return_sequences else None
        own = [own, own] if self.merge_mode is None else own
        if not self.return_state:
            return own
        count = 2 * len(cells.state_sizes(self.forward_layer.cell))
        return [*(own if isinstance(own, list) else [own]), *[None] * count]

    def compute_output_shape(self, input_shape):
        found = self.forward_layer.compute_output_shape(input_shape)
        states = found[1:] if self.return_state else []
        shape = found[0] if self.return_state else found
        if self.merge_mode is None:
            return [shape, shape, *states, *states]
        sizes = shape.as_list()
        if self.merge_mode == "concat":
            sizes[-1] *= 2
        merged = TensorShape(sizes)
        return [merged, *states, *states] if self.return_state else merged

    def reset_states(self):
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def get_config(self):
        config = super().get_config()
        for name in ("weights", "backward_layer"):
            config.pop(name, None)
        if self._config_of_backward is not None:
            config["backward_layer"] = self._config_of_backward
        if self.constants_count:
            config["num_constants"] = self.constants_count
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        if "backward_layer" in config:
            backward = deserialize(config["backward_layer"], custom_objects)
            config = {**config, "backward_layer": backward}
        config = dict(config)
        count = config.pop("num_constants", 0)
        made = super().from_config(config, custom_objects)
        made._count_constants(count)
        return made


__all__ = "Bidirectional GRU LSTM RNN SimpleRNN TimeDistributed Wrapper".split()
