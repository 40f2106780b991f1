# SPDX-License-Identifier: Apache-2.0
"""Models that scikit-learn sees as its own estimators: fit(), predict(), score()."""

import copy
import inspect

import numpy as np

from ..base.utilities import to_categorical
from .sequential import Sequential

__all__ = ["KerasClassifier", "KerasRegressor"]

_METHODS = (
    Sequential.fit, Sequential.predict, Sequential.predict_classes, Sequential.evaluate,
)  # fmt: skip


def _takes(function, name):
    """Whether a function has an argument of a name, apart from **kwargs."""
    return name in inspect.signature(function).parameters


class _Wrapped:
    """What the two classes share: arguments and the model.

    Args:
        build_fn: A function that returns a compiled model. None: the object's own __call__.
        **sk_params: Arguments of build_fn and of the model's methods, such as `epochs`.

    Raises:
        ValueError: Neither build_fn nor a method has an argument of that name.
    """

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self):
        return self.__call__ if self.build_fn is None else self.build_fn

    def check_params(self, params):
        """Checks that every name is an argument of a function in use.

        Args:
            params: A dict from names of arguments to values.

        Raises:
            ValueError: A name is not.
        """
        functions = (*_METHODS, self._builder())
        for name in params:
            if name != "nb_epoch" and not any(_takes(each, name) for each in functions):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params):
        """The arguments that this object was made with.

        Args:
            **params: Ignored, as scikit-learn passes `deep`.

        Returns:
            A dict from names to values.
        """
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params):
        """Changes arguments.

        Args:
            **params: Arguments of build_fn and of the model's methods.

        Returns:
            This object.

        Raises:
            ValueError: Neither build_fn nor a method has an argument of that name.
        """
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(self, fn, override=None):
        """The arguments that a function has.

        Args:
            fn: The function.
            override: A dict of arguments that are added in any case.

        Returns:
            A dict from names to values.
        """
        chosen = {key: value for key, value in self.sk_params.items() if _takes(fn, key)}
        return {**chosen, **(override or {})}

    def _rows(self, y):
        """Classes as rows with a single 1 where the model's loss compares such rows."""
        loss = getattr(self.model.loss, "__name__", self.model.loss)
        one_hot = loss == "categorical_crossentropy" and len(y.shape) != 2
        return to_categorical(y) if one_hot else y

    def fit(self, x, y, **kwargs):
        """Makes a new model and trains it.

        Args:
            x: Inputs, an array of shape [samples, features].
            y: Targets, an array of shape [samples] or [samples, outputs].
            **kwargs: More arguments of the model's fit().

        Returns:
            The History of the training.
        """
        builder = self._builder()
        self.model = builder(**self.filter_sk_params(builder))
        arguments = {**self.filter_sk_params(Sequential.fit), **kwargs}
        return self.model.fit(x, self._rows(y), **arguments)


class KerasClassifier(_Wrapped):
    """A model that tells classes apart.

    Args:
        build_fn: A function that returns a compiled Sequential model.
        **sk_params: Arguments of build_fn and of the model's methods, such as `epochs`.

    Raises:
        ValueError: Neither build_fn nor a method has an argument of that name.
    """

    def fit(self, x, y, **kwargs):
        """Makes a new model and trains it.

        Args:
            x: Inputs, an array of shape [samples, features].
            y: Classes, an array of shape [samples] or [samples, 1], or rows with a single 1.
            **kwargs: More arguments of the model's fit().

        Returns:
            The History of the training.

        Raises:
            ValueError: `y` has another shape.
        """
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """Finds the class of each sample.

        Args:
            x: Inputs, an array of shape [samples, features].
            **kwargs: More arguments of the model's predict_classes().

        Returns:
            The classes, an array of shape [samples]; [samples, 1] if the model has one output.
        """
        arguments = self.filter_sk_params(Sequential.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **arguments)]

    def predict_proba(self, x, **kwargs):
        """Computes the probability of each class.

        Args:
            x: Inputs, an array of shape [samples, features].
            **kwargs: More arguments of the model's predict_classes().

        Returns:
            An array of shape [samples, classes].
        """
        arguments = self.filter_sk_params(Sequential.predict_classes, kwargs)
        found = self.model.predict(x, **arguments)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x, y, **kwargs):
        """Measures the share of samples whose class is found.

        Args:
            x: Inputs, an array of shape [samples, features].
            y: Classes, an array of shape [samples].
            **kwargs: More arguments of the model's evaluate().

        Returns:
            The accuracy, a float.

        Raises:
            ValueError: The model does not measure accuracy.
        """
        y = np.searchsorted(self.classes_, y)
        arguments = self.filter_sk_params(Sequential.evaluate, kwargs)
        values = self.model.evaluate(x, self._rows(y), **arguments)
        values = values if isinstance(values, list) else [values]
        for name, value in zip(self.model.metrics_names, values):
            if name in ("accuracy", "acc"):
                return value
        raise ValueError(
            "The model is not configured to compute accuracy. "
            'You should pass `metrics=["accuracy"]` to the `model.compile()` method.'
        )


class KerasRegressor(_Wrapped):
    """A model that predicts numbers.

    Args:
        build_fn: A function that returns a compiled model.
        **sk_params: Arguments of build_fn and of the model's methods, such as `epochs`.

    Raises:
        ValueError: Neither build_fn nor a method has an argument of that name.
    """

    def predict(self, x, **kwargs):
        """Predicts the number of each sample.

        Args:
            x: Inputs, an array of shape [samples, features].
            **kwargs: More arguments of the model's predict().

        Returns:
            The predictions, an array without axes of length 1.
        """
        arguments = self.filter_sk_params(Sequential.predict, kwargs)
        return np.squeeze(self.model.predict(x, **arguments))

    def score(self, x, y, **kwargs):
        """Measures the loss of samples.

        Args:
            x: Inputs, an array of shape [samples, features].
            y: Targets, an array of shape [samples] or [samples, outputs].
            **kwargs: More arguments of the model's evaluate().

        Returns:
            The negative loss, a float: the larger, the better.
        """
        arguments = self.filter_sk_params(Sequential.evaluate, kwargs)
        loss = self.model.evaluate(x, y, **arguments)
        return -(loss[0] if isinstance(loss, list) else loss)
