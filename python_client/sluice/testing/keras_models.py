# SPDX-License-Identifier: Apache-2.0
"""Models for tests of Keras: each kind of model from the same layers."""

import contextlib

import numpy as np

from .. import keras
from .decorators import unchanged

_OPTIMIZERS = {
    name.lower(): getattr(keras.optimizers, name)
    for name in ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
}


class _Scoped:
    """A value that holds within a with statement.

    Args:
        error: The error outside of all of them, a str.
    """

    def __init__(self, error):
        self._value, self._error = None, error

    @contextlib.contextmanager
    def scope(self, value):
        before, self._value = self._value, value
        try:
            yield
        finally:
            self._value = before

    def get(self):
        if self._value is None:
            raise ValueError(self._error)
        return self._value


def _outside(getter, scope, decorator):
    return f"Cannot call `{getter}()` outside of a `{scope}()` or `{decorator}` decorator."


_eagerly = _Scoped(_outside("should_run_eagerly", "run_eagerly_scope", "run_all_keras_modes"))
_as_function = _Scoped(
    _outside("should_run_tf_function", "experimental_run_tf_function_scope", "run_all_keras_modes")
)
_kind = _Scoped(_outside("get_model_type", "model_type_scope", "run_with_all_model_types"))
run_eagerly_scope, experimental_run_tf_function_scope = _eagerly.scope, _as_function.scope
model_type_scope, get_model_type = _kind.scope, _kind.get


def should_run_eagerly():
    """Tests whether models run without a graph.

    Returns:
        False: there are only graphs.

    Raises:
        ValueError: No scope says so.
    """
    return _eagerly.get() and False


def should_run_tf_function():
    """Tests whether models run as functions of TensorFlow 2.

    Returns:
        False: there are only graphs.

    Raises:
        ValueError: No scope says so.
    """
    return _as_function.get() and False


class _Subclass(keras.Model):
    """A model of a class, which applies layers in turn.

    Args:
        layers: The layers, a list.
        late: Whether build() takes them up, a bool.
        inputs: Its input, a tensor. None: that of the first batch.
        name: Name of the model, a str.
    """

    def __init__(self, layers, late=False, inputs=None, name=None):
        super().__init__(name=name)
        self._later = lambda: layers  # not an attribute with layers
        self.all_layers = None if late else list(layers)
        if inputs is not None:
            self._set_inputs(inputs)

    def build(self, input_shape):
        if self.all_layers is None:
            self.all_layers = list(self._later())

    def call(self, inputs, **kwargs):
        return _applied(self.all_layers, inputs)


class _TwoBranches(keras.Model):
    """A model of a class with two branches.

    Args:
        branches: Lists of layers: before both branches, the two, behind both.
        late: Whether build() takes them up, a bool.
    """

    def __init__(self, branches, late=False):
        super().__init__()
        self._later = lambda: branches
        self.before = self.first = self.second = self.behind = None
        if not late:
            self._take()

    def _take(self):
        self.before, self.first, self.second, self.behind = map(list, self._later())

    def build(self, input_shape):
        if self.first is None:
            self._take()

    def call(self, inputs, **kwargs):
        return _through_branches(inputs, self.before, self.first, self.second, self.behind)


def _applied(layers, value):
    for layer in layers:
        value = layer(value)
    return value


def _through_branches(inputs, before, first, second, behind):
    a, b = [_applied(before, inputs)] * 2 if before else inputs
    return _applied(behind, (_applied(first, a), _applied(second, b)))


def _dense_pair(num_hidden, num_classes, **of_first):
    last = "sigmoid" if num_classes == 1 else "softmax"
    return [
        keras.layers.Dense(num_hidden, activation="relu", **of_first),
        keras.layers.Dense(num_classes, activation=last),
    ]


def get_small_sequential_mlp(num_hidden, num_classes, input_dim=None):
    """Makes a Sequential model of two dense layers.

    Args:
        num_hidden: Units of the first layer, an int.
        num_classes: Units of the second layer, an int. 1: its activation is sigmoid, otherwise
            softmax.
        input_dim: Size of an example, an int. None: it is known at the first batch.

    Returns:
        The model.
    """
    known = {"input_dim": input_dim} if input_dim else {}
    return keras.Sequential(_dense_pair(num_hidden, num_classes, **known))


def get_small_functional_mlp(num_hidden, num_classes, input_dim):
    """Makes a functional model of two dense layers: see get_small_sequential_mlp().

    Args:
        num_hidden: Units of the first layer, an int.
        num_classes: Units of the second layer, an int.
        input_dim: Size of an example, an int.

    Returns:
        The model.
    """
    inputs = keras.Input(shape=(input_dim,))
    return keras.Model(inputs, _applied(_dense_pair(num_hidden, num_classes), inputs))


def get_small_subclass_mlp(num_hidden, num_classes):
    """Makes a model of a class with two dense layers: see get_small_sequential_mlp().

    Args:
        num_hidden: Units of the first layer, an int.
        num_classes: Units of the second layer, an int.

    Returns:
        The model.
    """
    return _Subclass(_dense_pair(num_hidden, num_classes))


def get_small_subclass_mlp_with_custom_build(num_hidden, num_classes):
    """The same as get_small_subclass_mlp(), with layers that build() takes up.

    Args:
        num_hidden: Units of the first layer, an int.
        num_classes: Units of the second layer, an int.

    Returns:
        The model.
    """
    return _Subclass(_dense_pair(num_hidden, num_classes), late=True)


def _of_kind(makers):
    """Calls what makes a model of the kind that the scope has."""
    kind = get_model_type()
    if kind not in makers:
        raise ValueError(f"Unknown model type {kind}")
    return makers[kind]()


def get_small_mlp(num_hidden, num_classes, input_dim):
    """Makes a model of two dense layers, of the kind that model_type_scope() has.

    Args:
        num_hidden: Units of the first layer, an int.
        num_classes: Units of the second layer, an int.
        input_dim: Size of an example, an int.

    Returns:
        The model.

    Raises:
        ValueError: No scope is open, or there is no such kind.
    """
    sizes = num_hidden, num_classes
    return _of_kind({
        "functional": lambda: get_small_functional_mlp(*sizes, input_dim),
        "sequential": lambda: get_small_sequential_mlp(*sizes, input_dim),
        "subclass": lambda: get_small_subclass_mlp(*sizes),
        "subclass_custom_build": lambda: get_small_subclass_mlp_with_custom_build(*sizes),
    })  # fmt: skip


def get_model_from_layers(layers, input_shape=None, input_dtype=None, name=None,
                          input_ragged=None, input_sparse=None):  # fmt: skip
    """Makes a model of layers, of the kind that model_type_scope() has.

    Args:
        layers: The layers, a list.
        input_shape: Shape of an example. None: it is known at the first batch; not for functional
            models.
        input_dtype: Dtype of the input. None: float32.
        name: Name of the model, a str.
        input_ragged: Whether the input is a RaggedTensor, a bool.
        input_sparse: Whether the input is a SparseTensor, a bool.

    Returns:
        The model.

    Raises:
        ValueError: No scope is open, there is no such kind, or the shape is missing.
    """
    kinds = {key: True for key, given in
             (("ragged", input_ragged), ("sparse", input_sparse)) if given}  # fmt: skip
    input_of = {"dtype": input_dtype, **kinds}

    def subclass():
        inputs = keras.Input(shape=input_shape, **input_of) if kinds else None
        return _Subclass(layers, inputs=inputs, name=name)

    def sequential():
        first = []
        if input_shape:
            first = [keras.layers.InputLayer(input_shape=input_shape, **input_of)]
        return keras.Sequential([*first, *layers], name=name)

    def functional():
        if not input_shape:
            raise ValueError("Cannot create a functional model from layers with no input shape.")
        inputs = keras.Input(shape=input_shape, **input_of)
        return keras.Model(inputs, _applied(layers, inputs), name=name)

    return _of_kind({
        "functional": functional, "sequential": sequential, "subclass": subclass,
        "subclass_custom_build": lambda: _Subclass(layers, late=True, name=name),
    })  # fmt: skip


def get_multi_io_model(branch_a, branch_b, shared_input_branch=None, shared_output_branch=None):
    """Makes a model with two branches, of the kind that model_type_scope() has.

    Args:
        branch_a: The layers of a branch, a list. Without shared_input_branch the first is an
            Input.
        branch_b: The layers of the other one.
        shared_input_branch: An Input and layers whose result both branches take. None: there are
            two inputs.
        shared_output_branch: Layers that take a pair of both results. None: there are two outputs.

    Returns:
        The model.

    Raises:
        ValueError: No scope is open, or there is no such kind.
    """
    before, behind = shared_input_branch or [], shared_output_branch or []
    if before:
        inputs, before = before[0], before[1:]
    else:
        inputs, branch_a, branch_b = (branch_a[0], branch_b[0]), branch_a[1:], branch_b[1:]
    branches = before, branch_a, branch_b, behind

    def functional():
        return keras.Model(inputs, _through_branches(inputs, *branches))

    def sequential():
        raise ValueError("Cannot use `get_multi_io_model` to construct sequential models")

    return _of_kind({
        "functional": functional, "sequential": sequential,
        "subclass": lambda: _TwoBranches(branches),
        "subclass_custom_build": lambda: _TwoBranches(branches, late=True),
    })  # fmt: skip


def get_test_data(train_samples, test_samples, input_shape, num_classes, random_seed=None):
    """Makes examples of classes, each with a pattern of its own and noise.

    Args:
        train_samples: How many examples there are for training, an int.
        test_samples: How many further ones there are, an int.
        input_shape: Shape of an example, a tuple.
        num_classes: How many classes there are, an int.
        random_seed: Seed of numpy.random, an int. None: it goes on.

    Returns:
        Two pairs of arrays: examples, float32 [n, *input_shape], and their classes, int64 [n].
    """
    if random_seed is not None:
        np.random.seed(random_seed)
    count = train_samples + test_samples
    patterns = 2 * num_classes * np.random.random((num_classes, *input_shape))
    classes = np.random.randint(0, num_classes, size=(count,))
    noisy = [patterns[c] + np.random.normal(0, 1.0, input_shape) for c in classes]
    examples = np.array(noisy, np.float32).reshape(count, *input_shape)
    train, test = slice(train_samples), slice(train_samples, None)
    return (examples[train], classes[train]), (examples[test], classes[test])


def get_v2_optimizer(name, **kwargs):
    """Makes an optimizer of Keras.

    Args:
        name: Its name in small letters, a str.
        **kwargs: Its arguments.

    Returns:
        The optimizer.

    Raises:
        ValueError: The name is not known.
    """
    if name not in _OPTIMIZERS:
        raise ValueError(
            f"Could not find requested v2 optimizer: {name}\nValid choices: {list(_OPTIMIZERS)}"
        )
    return _OPTIMIZERS[name](**kwargs)


def get_expected_metric_variable_names(var_names, name_suffix=""):
    """Returns the names that variables of metrics have in a graph.

    Args:
        var_names: The names without what makes them unique, a list of str.
        name_suffix: What makes them unique, a str.

    Returns:
        A list of str.
    """
    return [f"{name}{name_suffix}:0" for name in var_names]


NAMES = {
    function.__name__: function
    for function in (
        get_expected_metric_variable_names, get_model_from_layers,
        get_multi_io_model, get_small_functional_mlp, get_small_mlp, get_small_sequential_mlp,
        get_small_subclass_mlp, get_small_subclass_mlp_with_custom_build, get_test_data,
        get_v2_optimizer, should_run_eagerly, should_run_tf_function,
    )
} | {
    "get_model_type": get_model_type, "model_type_scope": model_type_scope,
    "run_eagerly_scope": run_eagerly_scope,
    "experimental_run_tf_function_scope": experimental_run_tf_function_scope,
    "enable_v2_dtype_behavior": unchanged, "disable_v2_dtype_behavior": unchanged,
}  # fmt: skip
