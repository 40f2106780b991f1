# SPDX-License-Identifier: Apache-2.0
"""A model that is made already, trained by several replicas: they train a copy of it."""

from ..engine.layer import Layer

_METHODS = "fit", "evaluate", "predict"
_clone = []  # one function: cloning.py, which needs Model, registers it


def clone_by(function):
    """Registers clone_model()."""
    _clone[:] = [function]


class DistributedCopy:
    """A copy of a model whose variables a strategy distributes. It has the weights of the model
    before each call of fit(), evaluate() and predict(), and the model has its weights after fit().

    Args:
        model: The Model. Its methods fit(), evaluate() and predict() are those of the copy.
        strategy: The Strategy.
        arguments: The arguments of compile(), a dict.
    """

    def __init__(self, model, strategy, arguments):
        self._model, self._strategy, self._arguments = model, strategy, arguments
        self._copy = None
        for name in _METHODS:
            vars(model)[name] = self._method(name)

    @staticmethod
    def forget(model):
        """Gives a model its own methods again."""
        for name in _METHODS:
            vars(model).pop(name, None)

    def _method(self, name):
        def call(*args, **kwargs):
            model, copy = self._model, self._made()
            copy.set_weights(model.get_weights())
            found = getattr(copy, name)(*args, **kwargs)
            if name == "fit":
                model.set_weights(copy.get_weights())
                model.history = copy.history
            return found

        return call

    def _made(self):
        """The copy, which is made before the first session: a session has all devices then."""
        if self._copy is None:
            with self._strategy.scope():
                self._copy = _clone[0](self._model)
                self._copy.compile(self._model.optimizer, **_copied(self._arguments))
        return self._copy


def _copied(value):
    """Arguments of compile() with metrics of their own, whose variables the strategy makes."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copied(item) for item in value]
    return type(value).from_config(value.get_config()) if isinstance(value, Layer) else value
