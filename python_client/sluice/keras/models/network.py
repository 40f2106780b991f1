# SPDX-License-Identifier: Apache-2.0
"""Layers that are made of layers: their graph, and what is known of it."""

from ... import nest
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from ...layers.recorded import mask_of
from ..base.serializing import class_name
from ..base.shapes import convert_shapes, flat_shapes
from ..engine.added import AddLoss, AddMetric
from ..engine.calls import current_call
from ..engine.input_layer import InputLayer
from ..engine.layer import Layer
from ..engine.node import OwnCall, history_of, is_derived, set_mask, shapes_of
from ..engine.parts import once, weights_inside
from ..engine.registry import record_operations
from .rebuilding import described_arguments, named, rebuilt


def refuse_plain(layers):
    """Raises TypeError for layers of sluice.layers, which models of Keras cannot have."""
    raise TypeError(
        "The following are legacy tf.layers.Layers:\n  " + "\n  ".join(map(str, layers)) + "\nTo "
        "use keras as a framework (for instance using the Network, Model, or Sequential classes), "
        "please use the tf.keras.layers implementation instead. (Or, if writing custom layers, "
        "subclass from tf.keras.layers rather than tf.layers)"
    )


class Traced:
    """The calls between inputs and outputs, in an order in which each comes after its sources.

    `layers` are in the order of Keras: the farther from the outputs, the earlier. Those in `added`
    are beside the outputs: they make losses and metrics.
    """

    def __init__(self, inputs, outputs):
        self._depth_first = []
        self._order = {}  # a layer -> when it was met
        starts = {id(t) for t in nest.flatten(inputs)}
        for tensor in nest.flatten(outputs):
            self._visit(node_of(tensor), starts)
        depths, of_layers = {}, {}
        for node in reversed(self._depth_first):
            depth = max(depths.get(node, 0), of_layers.get(node.layer, 0))
            depths[node] = of_layers[node.layer] = depth
            for source in node.source_nodes() if not _is_start(node, starts) else ():
                depths[source] = max(depth + 1, depths.get(source, 0))
        for tensor in nest.flatten(inputs):
            layer = history_of(tensor).layer
            of_layers.setdefault(layer, 0)
            self._order.setdefault(layer, -1)
            depths.setdefault(node_of(tensor), 0)
        met = {node: number for number, node in enumerate(self._depth_first)}
        self.nodes = sorted(depths, key=lambda node: (-depths[node], met.get(node, 0)))
        self.layers = sorted(of_layers, key=lambda layer: (-of_layers[layer], self._order[layer]))
        self.depths, self.added = depths, []
        self._check_sources(starts)

    def add(self, inputs, tensor):
        """Adds the calls that make a tensor beside the outputs.

        Args:
            inputs: The inputs.
            tensor: The tensor.
        """
        beside = Traced(inputs, tensor)
        lowest = min(self.depths.values(), default=0)
        new = [node for node in beside.nodes if node not in self.depths]
        self.nodes += new
        self.depths.update((node, lowest - i) for i, node in enumerate(new, 1))
        layers = [layer for layer in beside.layers if layer not in self.layers]
        self.layers += layers
        self.added += layers

    def _check_sources(self, starts):
        """Raises ValueError where a call needs what the inputs do not give."""
        seen = []
        for node in self.nodes:
            outputs = nest.flatten(node.output_tensors)
            is_input = isinstance(node.layer, InputLayer) and not list(node.source_nodes())
            if is_input and not any(id(t) in starts for t in outputs):
                raise ValueError(
                    f"Graph disconnected: cannot obtain value for tensor {outputs[0]} at layer "
                    f'"{node.layer.name}". The following previous layers were accessed without '
                    f"issue: {seen}"
                )
            seen.append(node.layer.name)

    def _visit(self, node, starts):
        stack = [(node, None)]
        done = set(self._depth_first)
        while stack:
            top, sources = stack.pop()
            if sources is None:
                if top in done:
                    continue
                self._order.setdefault(top.layer, len(self._order))
                sources = iter([] if _is_start(top, starts) else top.source_nodes())
            following = next(sources, None)
            if following is None:
                if top not in done:
                    done.add(top)
                    self._depth_first.append(top)
                continue
            stack += [(top, sources), (following, None)]


def node_of(tensor):
    """The call that made a tensor. ValueError: no layer made it."""
    history = history_of(tensor)
    if history is None:
        raise ValueError(f"{tensor} was not made by a layer: wrap the operation in a Lambda layer")
    return history.layer.inbound_nodes[history.node_index]


def _is_start(node, starts):
    return all(id(t) in starts for t in nest.flatten(node.output_tensors))


class Network(Layer):
    """A layer of layers. Model is the class that programs use.

    Args:
        inputs: The inputs, a tensor or a list of tensors. None: the class defines call().
        outputs: The outputs, a tensor or a list of tensors.
        name: Name of the network, a str. None: the class's name.
        **kwargs: trainable, dtype: as of Layer.
    """

    supports_masking = True

    def __init__(self, inputs=None, outputs=None, name=None, **kwargs):
        unknown = sorted(set(kwargs) - {"trainable"})
        if outputs is not None and unknown:
            raise TypeError(
                "Functional models may only specify `name` and `trainable` keyword arguments "
                "during initialization. Got an unexpected argument:", unknown[0]
            )  # fmt: skip
        super().__init__(name=name, **kwargs)
        self.inputs, self.outputs, self.traced = [], [], None
        self.added_ends = []  # the outputs of the layers that make losses and metrics
        self.is_functional = False
        if outputs is not None:
            self._trace(inputs, outputs)

    def _keep(self, name, value):
        several = value if isinstance(value, (list, tuple)) else [value]
        if "is_functional" not in vars(self) and any(isinstance(v, Layer) for v in several):
            raise RuntimeError(
                "It looks like you are subclassing `Model` and you forgot to call "
                "`super(YourClass, self).__init__()`. Always start with this line."
            )
        super()._keep(name, value)

    def _trace(self, inputs, outputs):
        inputs, outputs = (e[0] if _is_single(e) else e for e in (inputs, outputs))
        given = nest.flatten(inputs)
        if len({id(t) for t in given}) < len(given):
            raise ValueError(
                "The list of inputs passed to the model is redundant. All inputs should only "
                f"appear once. Found: {given}"
            )
        for tensor in nest.flatten(inputs):
            if history_of(tensor) is None:
                raise ValueError(
                    f"Input tensors to a {type(self).__name__} must come from `tf.keras.Input`. "
                    f"Received: {tensor} (missing previous layer metadata)."
                )
            if not isinstance(history_of(tensor).layer, InputLayer):
                raise ValueError(
                    f"Graph disconnected: the inputs of a {type(self).__name__} must come from "
                    f"`tf.keras.Input`, but {tensor} is an output of the layer "
                    f'"{history_of(tensor).layer.name}".'
                )
        new = [t for t in nest.flatten(outputs) if history_of(t) is None]
        record_operations([t for t in new if isinstance(t, Tensor) and is_derived(t)])
        self.traced = Traced(inputs, outputs)
        for end in self.added_ends:
            self.traced.add(inputs, end)
        others = [layer.ends for layer in self.traced.layers if getattr(layer, "ends", None)]
        if others:
            refuse_plain(others)
        sizes = [history_of(t).layer.batch_input_shape for t in nest.flatten(inputs)]
        sizes = [shape[0] if shape else None for shape in sizes]
        if len({size for size in sizes if size is not None}) > 1:
            raise ValueError(
                "The specified batch sizes of the Input Layers are incompatible. Found batch "
                f"sizes: {sizes}"
            )
        self.nested_inputs, self.nested_outputs = inputs, outputs
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        self.is_functional = self.built = True
        self._layers = list(self.traced.layers)
        self.input_names = [history_of(t).layer.name for t in self.inputs]
        self.output_names = _names([history_of(t).layer.name for t in self.outputs])
        self.inbound_nodes = [OwnCall(inputs, outputs)]
        names = [layer.name for layer in self._parts()]
        twice = next((n for n in names if names.count(n) > 1), None)
        if twice:
            raise ValueError(
                f'The name "{twice}" is used 2 times in the model. All layer names should be '
                "unique."
            )

    @property
    def stateful(self):
        """Whether a layer keeps states between batches. A bool."""
        return vars(self).get("keeps_states", False) or any(p.stateful for p in self._parts())

    @stateful.setter
    def stateful(self, value):
        self.keeps_states = value

    @property
    def _follows_calls(self):
        return self.is_functional

    def add_loss(self, losses, inputs=None):
        """Adds losses to those of the model. A tensor that depends on its layers becomes a layer,
        so that each call of the model has the loss.

        Args:
            losses: A tensor, a function without arguments that returns one, or a list of these.
            inputs: What the losses depend on. None: they count for all calls of the model.
        """
        outside = self._follows_calls and current_call() is None
        for loss in nest.flatten(losses):
            if outside and isinstance(loss, Tensor) and is_derived(loss):
                self._add_layer(AddLoss(unconditional=False), loss)
            else:
                super().add_loss(loss, inputs)

    def _measure_one(self, metric, value):
        same = [kept for kept in self._kept_metrics() if kept.name == metric.name]
        if len(same) > 1:
            raise ValueError(
                "Please provide different names for the metrics you have added. We found "
                f'{len(same)} metrics with the name: "{metric.name}"'
            )
        super()._measure_one(metric, value)

    def _measure_new(self, value, aggregation, name):
        if self._follows_calls and current_call() is None and is_derived(value):
            self._add_layer(AddMetric(aggregation, name), value)
            return
        of_attribute = next((m for m in self._kept_metrics() if m.name == name), None)
        if of_attribute is None:
            super()._measure_new(value, aggregation, name)
        else:
            self._measure_one(of_attribute, of_attribute(value))

    def _kept_metrics(self):
        """The Metrics that attributes hold, a list."""
        return [part for part in self._parts() if hasattr(part, "update_state")]

    def _add_layer(self, layer, tensor):
        if history_of(tensor) is None:
            record_operations([tensor])
        self.add_end(layer(tensor))

    def add_end(self, end):
        """Adds a layer that makes a loss or a metric.

        Args:
            end: Its output, a tensor.
        """
        self.added_ends.append(end)
        self.traced.add(self.nested_inputs, end)
        self._layers = list(self.traced.layers)

    @property
    def layers(self):
        """The layers, a list."""
        return self._parts()

    @property
    def weights(self):
        """All variables, a list: those of the first layer, of the second, ... Variables that
        several layers hold come several times. ValueError: a model whose class defines build() has
        none yet."""
        self._check_made()
        return self._of_layers("weights") + self._trainable_weights + self._non_trainable_weights

    @property
    def trainable_weights(self):
        """The variables that optimizers change, a list. ValueError: as of weights."""
        self._check_made()
        if not self.trainable:
            return []
        return self._of_layers("trainable_weights") + self._trainable_weights

    @property
    def non_trainable_weights(self):
        """The other variables, a list. ValueError: as of weights."""
        self._check_made()
        others = self._of_layers("non_trainable_weights") + self._non_trainable_weights
        if self.trainable:
            return others
        return self._of_layers("trainable_weights") + self._trainable_weights + others

    def _of_layers(self, attribute):
        """The variables of layers, lists and dicts: those that several of them hold come several
        times, as in TensorFlow 1.15."""
        return [
            variable for held in self._layers
            for variable in weights_inside(held, attribute, self.trainable)
        ]  # fmt: skip

    @property
    def trained_weights(self):
        """The variables that optimizers change, each once, a list."""
        return once(self.trainable_weights)

    def _check_made(self):
        if "build" in vars(type(self)) and not self.built:
            raise ValueError(
                f"Weights for model {self._name} have not yet been created. Weights are created "
                "when the Model is first called on inputs or `build()` is called with an "
                "`input_shape`."
            )

    @property
    def input(self):
        """The inputs, a tensor or a list of tensors."""
        return self.nested_inputs if self.is_functional else super().input

    @property
    def output(self):
        """The outputs, a tensor or a list of tensors."""
        return self.nested_outputs if self.is_functional else super().output

    @property
    def input_shape(self):
        """The shape of `input`, a tuple or a list of tuples."""
        self._check_called("input")
        return shapes_of(self.input)

    @property
    def output_shape(self):
        """The shape of `output`, a tuple or a list of tuples."""
        self._check_called("output")
        return shapes_of(self.output)

    def _check_called(self, what):
        if not self.is_functional and not self.inbound_nodes:
            raise AttributeError(
                f"The layer has never been called and thus has no defined {what} shape."
            )

    @property
    def state_updates(self):
        """The updates of layers that keep states between batches, a list."""
        return [u for part in self._parts() if part.stateful for u in part.updates]

    def get_layer(self, name=None, index=None):
        """Finds a layer.

        Args:
            name: Its name, a str.
            index: Its place in `layers`, an int.

        Returns:
            A layer.

        Raises:
            ValueError: There is none.
        """
        if index is not None:
            if index >= len(self.layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self.layers)} layers."
                )
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        found = [layer for layer in self.layers if layer.name == name]
        if not found:
            raise ValueError(f"No such layer: {name}")
        return found[0]

    def reset_states(self):
        for part in self._parts():
            if hasattr(part, "reset_states") and part.stateful:
                part.reset_states()

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the network: its layers by their numbers.

        Returns:
            A list of pairs of a name and an object.
        """
        found, with_weights = {}, 0
        for number, layer in enumerate(self._parts() if self._numbers_layers() else ()):
            if layer.weights:  # the first name of a layer is a part of the keys of its variables
                found[f"layer_with_weights-{with_weights}"] = layer
                with_weights += 1
            found[f"layer-{number}"] = layer
        return [*found.items(), *super().checkpoint_children()]

    def _numbers_layers(self):
        return self.is_functional

    # ---- calls

    def _build_for(self, inputs):
        # A call makes the variables, unless a class of the program has a build() of its own.
        if self.built or getattr(type(self).build, "by_calling", False):
            self.built = True
        else:
            super()._build_for(inputs)

    def call(self, inputs, training=None, mask=None):
        if not self.is_functional:
            raise NotImplementedError(
                "When subclassing the `Model` class, you should implement a `call` method."
            )
        given = nest.flatten(inputs)
        if len(given) != len(self.inputs):
            raise ValueError(
                f"Layer {self._name} expects {len(self.inputs)} inputs, but it received "
                f"{len(given)} input tensors. Inputs received: {given}"
            )
        for tensor, own in zip(given, nest.flatten(mask)):
            if own is not None:
                set_mask(tensor, own)
        known = {id(old): new for old, new in zip(self.inputs, given)}
        for node in self.traced.nodes:
            outputs = nest.flatten(node.output_tensors)
            if all(id(t) in known for t in outputs):
                continue
            arguments = node.arguments_for(known)
            if training is not None and node.layer.takes("training"):
                arguments.setdefault("training", training)
            sources = nest.map_structure(lambda t: known[id(t)], node.input_tensors)
            made = node.layer(sources, **arguments)
            known.update((id(old), new) for old, new in zip(outputs, nest.flatten(made)))
        return nest.map_structure(lambda t: known[id(t)], self.nested_outputs)

    def compute_mask(self, inputs, mask=None):
        if not self.is_functional:
            return None
        return nest.map_structure(mask_of, self.call(inputs, mask=mask))

    def _mask_outputs(self, inputs, outputs, given):
        if not self.is_functional:  # else the last layers gave the outputs their masks
            super()._mask_outputs(inputs, outputs, given)

    def compute_output_shape(self, input_shape):
        shapes = flat_shapes(input_shape)
        if len(shapes) != len(self.inputs):
            raise ValueError(
                f"Invalid input_shape argument {input_shape}: model has {len(self.inputs)} tensor "
                "inputs."
            )
        known = {id(t): convert_shapes(shape) for t, shape in zip(self.inputs, shapes)}
        for node in self.traced.nodes:
            outputs = nest.flatten(node.output_tensors)
            if node.layer in self.traced.added or all(id(t) in known for t in outputs):
                continue
            sources = nest.map_structure(lambda t: known[id(t)], node.input_tensors)
            made = flat_shapes(node.layer.compute_output_shape(sources))
            known.update((id(t), convert_shapes(shape)) for t, shape in zip(outputs, made))
        return nest.map_structure(lambda t: TensorShape(known[id(t)]), self.nested_outputs)

    # ---- as data

    def get_config(self):
        if not self.is_functional:
            raise NotImplementedError("a subclassed model has no configuration")
        members = set(self.traced.nodes)
        layers = []
        for layer in self._parts():
            nodes = [n for n in layer.inbound_nodes if n in members and n.sources]
            inbound = [self._described_call(n) for n in nodes]
            layers.append({
                "name": layer.name, "class_name": class_name(layer), "config": layer.get_config(),
                "inbound_nodes": inbound,
            })  # fmt: skip
        return {
            "name": self._name, "layers": layers,
            "input_layers": named(self.nested_inputs, [self._place(t) for t in self.inputs]),
            "output_layers": named(self.nested_outputs, [self._place(t) for t in self.outputs]),
        }  # fmt: skip

    def _described_call(self, node):
        """The places of a call's inputs, each with the further arguments of the call."""
        arguments = described_arguments(node, self._place)
        sources = nest.flatten(node.input_tensors)
        return named(node.input_tensors, [[*self._place(t), arguments] for t in sources])

    def _place(self, tensor):
        history = history_of(tensor)
        return [history.layer.name, self._call_number(history), history.tensor_index]

    def _call_number(self, history):
        """The number of a call among those of this network."""
        members = set(self.traced.nodes)
        node = history.layer.inbound_nodes[history.node_index]
        kept = [n for n in history.layer.inbound_nodes if n in members or isinstance(n, OwnCall)]
        return kept.index(node)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        inputs, outputs, added = rebuilt(config, custom_objects)
        network = cls(inputs=inputs, outputs=outputs, name=config.get("name"))
        for end in added:
            network.add_end(end)
        return network


def _is_single(ends):
    """Whether inputs or outputs are a list of one tensor, which stands for that tensor."""
    return isinstance(ends, list) and len(ends) == 1 and isinstance(ends[0], Tensor)


def _names(names):
    """Names of outputs, each once."""
    seen, found = {}, []
    for name in names:
        seen[name] = seen.get(name, -1) + 1
        found.append(f"{name}_{seen[name]}" if seen[name] else name)
    return found
