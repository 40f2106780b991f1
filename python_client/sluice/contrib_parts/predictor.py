# SPDX-License-Identifier: Apache-2.0
"""Predictions of saved models and of estimators, as functions of numpy arrays."""

from .. import modules
from ..estimator.base.modes import ModeKeys
from ..graph.graph import Graph
from ..saving import keys, loader
from ..session.session import Session
from ..training.sessions.creators import ChiefSessionCreator
from ..training.sessions.monitored_session import MonitoredSession

_KEY = keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY


class Predictor:
    """A function of a dict of inputs that returns a dict of outputs.

    Args:
        graph: The Graph.
        session: The session of it.
        inputs: A dict: name -> name of the tensor.
        outputs: A dict: name -> name of the tensor.
    """

    def __init__(self, graph, session, inputs, outputs):
        self._graph, self._session = graph, session
        self._inputs = {k: graph.get_tensor_by_name(v) for k, v in inputs.items()}
        self._outputs = {k: graph.get_tensor_by_name(v) for k, v in outputs.items()}

    @property
    def graph(self):
        """The Graph."""
        return self._graph

    @property
    def session(self):
        """The session."""
        return self._session

    @property
    def feed_tensors(self):
        """The inputs, a dict: name -> tensor."""
        return self._inputs

    @property
    def fetch_tensors(self):
        """The outputs, a dict: name -> tensor."""
        return self._outputs

    def __repr__(self):
        return (
            f"{type(self).__name__} with feed tensors {self._inputs} and fetch_tensors "
            f"{self._outputs}"
        )

    def __call__(self, input_dict):
        """Returns the outputs of some inputs.

        Args:
            input_dict: A dict: name -> value.

        Returns:
            A dict: name -> numpy array.

        Raises:
            ValueError: A name is not that of an input.
        """
        expected = set(self._inputs)
        unexpected = set(input_dict) - expected
        if unexpected:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unexpected}\nexpected: {expected}"
            )
        feeds = {
            tensor: input_dict[name]
            for name, tensor in self._inputs.items()
            if input_dict.get(name) is not None
        }
        return self._session.run(self._outputs, feeds)


def _names(signature):
    return [{k: v.name for k, v in part.items()} for part in (signature.inputs, signature.outputs)]


def _check(signature_def_key, signature_def, input_names, output_names):
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be unspecified."
        )
    if sum(given is not None for given in (signature_def_key, signature_def, input_names)) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR"
            "(input_names AND output_names)."
        )


def from_saved_model(export_dir, signature_def_key=None, signature_def=None, input_names=None,
                     output_names=None, tags=None, graph=None, config=None):  # fmt: skip
    """Makes the Predictor of a saved model.

    Args:
        export_dir: Folder of the model, a str.
        signature_def_key: Name of the signature, a str. None: "serving_default".
        signature_def: The signature, a SignatureDef. None: that of the key.
        input_names: In place of a signature, a dict: name -> name of the tensor.
        output_names: The same for outputs.
        tags: Tags of the graph, a str with commas. None: "serve".
        graph: The Graph that it is loaded into. None: a new one.
        config: A ConfigProto, or None.

    Returns:
        A Predictor.

    Raises:
        ValueError: The signature is not there, or several ones are given.
    """
    _check(signature_def_key, signature_def, input_names, output_names)
    graph = graph or Graph()
    tags = [tag.strip() for tag in (tags or "serve").split(",")]
    with graph.as_default():
        session = Session(config=config)
        loader.load(session, tags, export_dir)
    if input_names is None:
        signatures = loader.meta_graph_of(loader.read(export_dir), tags).signature_def
        if signature_def is None:
            key = signature_def_key or _KEY
            if key not in signatures:
                raise ValueError(
                    f'Got signature_def_key "{key}". Available signatures are {list(signatures)}. '
                    f"Original error:\n{key!r}"
                )
            signature_def = signatures[key]
        input_names, output_names = _names(signature_def)
    return Predictor(graph, session, input_names, output_names)


def from_estimator(estimator, serving_input_receiver_fn, output_key=None, graph=None,
                   config=None):  # fmt: skip
    """Makes the Predictor of an Estimator's newest checkpoint.

    Args:
        estimator: The Estimator.
        serving_input_receiver_fn: A function that returns a ServingInputReceiver.
        output_key: Which of the export_outputs, a str. None: "serving_default".
        graph: The Graph that it is made in. None: a new one.
        config: A ConfigProto, or None.

    Returns:
        A Predictor.

    Raises:
        KeyError: export_outputs has no output_key.
    """
    graph = graph or Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        spec = estimator.model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config)
        output = spec.export_outputs.get(output_key or _KEY)
        if output is None:
            raise KeyError(
                f"output_key must be one of {spec.export_outputs.keys()}; got {output_key}"
            )
        signature = output.as_signature_def(receiver.receiver_tensors)
        creator = ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
        session = MonitoredSession(creator)
    return Predictor(graph, session, *_names(signature))


module = modules.make(
    "contrib.predictor",
    "Predictions of saved models and of estimators, as functions of numpy arrays.",
    {"from_estimator": from_estimator, "from_saved_model": from_saved_model},
)
