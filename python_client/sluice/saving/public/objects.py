# SPDX-License-Identifier: Apache-2.0
"""Objects with variables, such as models and modules, as SavedModels.

The directory has a checkpoint of the objects, and a graph with the signatures. The graph of a model
of Keras is that of predict().
"""

import os

from ...files import gfile
from ...graph.convert import is_resource_variable, placeholder
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.graph import Graph
from ...keras.base import state
from ...keras.models import exporting
from ...keras.models.model import Model
from ...nest import flatten
from ...ops.array import zeros
from ...ops.functions.concrete import ConcreteFunction
from ...ops.functions.functions import Traced
from ...ops.functions.tracing import Body
from ...ops.state.initializing import variables_initializer
from ...ops.state.variables import Variable
from ...session.session import Session
from ...training.object_checkpoint import ObjectSaver
from ...training.object_graph import ObjectGraph, takes_part
from ...training.saver import Saver
from .. import keys
from ..builder import Builder
from ..signatures import predict_signature_def


def save(obj, export_dir, signatures=None):
    """Saves an object with its variables, and functions of them as signatures.

    Args:
        obj: A model of Keras, a layer, a Module or a Checkpoint, or another object that a
            checkpoint can have. Its variables are resource variables.
        export_dir: The directory, a str. A SavedModel that it has is replaced.
        signatures: A result of function() with an input_signature, a ConcreteFunction, or a dict:
            name -> such a function. None: of a model of Keras predict(); else the attribute of the
            object that is such a function, if there is one only.

    Raises:
        AssertionError: It is called in the body of a function.
        ValueError: The object has no variables in a form that can be saved, or a signature is not
            such a function.
    """
    if not takes_part(obj):
        raise ValueError(f"Expected a Trackable object for export, got {obj}.")
    if isinstance(get_default_graph(), Body):
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced @tf.function. Move the call to "
            "the outer eagerly-executed context."
        )
    path, of_model = os.fspath(export_dir), isinstance(obj, Model) and signatures is None
    functions = {} if of_model else _functions_of(obj, signatures)
    variables = ObjectGraph(obj).variables()
    for variable in variables.values():
        if not is_resource_variable(variable):
            raise ValueError(
                f"saved_model.save() takes resource variables only: {variable.name} is a reference"
                " variable (make it with use_resource=True)"
            )
    session = state.get_session()
    if exporting.is_saved_model(path):
        exporting.remove(path)
    if of_model and obj.outputs:
        exporting.save_model(obj, path)
    else:
        _write(obj, path, session, variables, functions)


def _functions_of(obj, signatures):
    """The functions of the signatures, by their names."""
    if signatures is None:
        found = [f for f in vars(obj).values() if _has_signature(f)]
        return {keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY: found[0]} if len(found) == 1 else {}
    if not isinstance(signatures, dict):
        signatures = {keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    for function in signatures.values():
        if not _has_signature(function):
            raise ValueError(
                "Expected a TensorFlow function to generate a signature for, but got "
                f"{function}. Only `tf.functions` with an input signature or concrete functions "
                "can be used as a signature."
            )
    return signatures


def _has_signature(value):
    if isinstance(value, ConcreteFunction):
        return True
    return isinstance(value, Traced) and value.input_signature is not None


def _write(obj, path, session, variables, functions):
    builder = Builder(path)
    if functions:
        with session.graph.as_default(), name_scope("saved_model"):
            described = {name: _described(function) for name, function in functions.items()}
            _add(builder, session, described, variables)
    else:
        with Graph().as_default(), Session() as own:
            copies = {key: _like(variable) for key, variable in variables.items()}
            own.run(variables_initializer(list(copies.values())))
            _add(builder, own, {}, copies)
    folder = os.path.join(path, keys.VARIABLES_DIRECTORY)
    gfile.rmtree(folder)  # what the builder wrote has no objects
    ObjectSaver(obj).save(os.path.join(folder, keys.VARIABLES_FILENAME), session)
    builder.save()


def _add(builder, session, signatures, variables):
    builder.add_meta_graph_and_variables(
        session, [keys.SERVING], signatures, saver=Saver(variables, allow_empty=True)
    )


def _like(variable):
    first = zeros(variable.shape.as_list(), variable.dtype)
    return Variable(first, name=variable.op.name, use_resource=True)


def _described(function):
    """The signature of a function, called on placeholders."""
    if isinstance(function, Traced):
        function = function.get_concrete_function()
    inputs = {
        spec.name: placeholder(spec.dtype, spec.shape, spec.name) for spec in function.arguments
    }
    outputs = function(**inputs)
    if not isinstance(outputs, dict):
        outputs = {f"output_{i}": tensor for i, tensor in enumerate(flatten(outputs))}
    return predict_signature_def(inputs, outputs)
