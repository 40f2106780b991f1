# SPDX-License-Identifier: Apache-2.0
"""What programs and tests use of the functions of Keras that prepare data for training."""

import enum

import numpy as np

from .. import nest
from ..data.iterators import Iterator
from ..graph.elements import Operation, Tensor
from ..keras.models import checks, feeding, sources
from ..ops.state.variables import Variable


def has_tensors(ls):
    """Tests whether there is a tensor in a list or dict.

    Args:
        ls: The list or dict, or a single value.

    Returns:
        A bool.
    """
    values = ls.values() if isinstance(ls, dict) else ls if isinstance(ls, (list, tuple)) else [ls]
    return any(isinstance(value, (Tensor, Variable)) for value in values)


def check_steps_argument(input_data, steps, steps_name):
    """Checks that the number of steps is given where data has no size.

    Args:
        input_data: The data.
        steps: How many batches there are, an int or None.
        steps_name: Name of the argument, a str for the error.

    Returns:
        Whether the number of steps is needed. A bool.

    Raises:
        ValueError: It is needed, and not given.
    """
    endless = isinstance(input_data, Iterator)
    no_data = input_data is None or isinstance(input_data, list) and not input_data
    if endless or no_data or has_tensors(input_data):
        if steps is None:
            what = "a Dataset iterator" if endless else "data tensors"
            raise ValueError(
                f"When using {what} as input to a model, you should specify the `{steps_name}` "
                "argument."
            )
        return True
    if sources.is_stream(input_data):
        return True
    if steps is not None:
        checks.warn_of_steps()
    return False


def check_num_samples(ins, batch_size=None, steps=None, steps_name="steps"):
    """Counts samples.

    Args:
        ins: The data, a list of arrays or tensors.
        batch_size: Size of a batch, an int. None: not given.
        steps: How many batches there are, an int. None: not given.
        steps_name: Name of the argument `steps`, a str for errors.

    Returns:
        An int. None: the number of steps says it.

    Raises:
        ValueError: Both batch_size and steps are given, or steps is needed and not given.
    """
    if steps is not None and batch_size is not None:
        raise ValueError(f"If {steps_name} is set, the `batch_size` must be None.")
    if check_steps_argument(ins, steps, steps_name):
        return None
    return int(ins[0].shape[0]) if hasattr(ins[0], "shape") else None


def check_array_lengths(inputs, targets, weights=None):
    """Raises ValueError where arrays do not have the same number of samples.

    Args:
        inputs: The inputs, a list of arrays. None: none.
        targets: The targets, a list of arrays. None: none.
        weights: The weights of samples, a list of arrays. None: none.
    """
    given = ([a for a in x or () if not has_tensors(a)] for x in (inputs, targets, weights))
    checks.check_lengths(*given)


def batch_shuffle(index_array, batch_size):
    """Puts batches in another order; what does not fill a batch stays at the end.

    Args:
        index_array: Indices, an array.
        batch_size: Size of a batch, an int.

    Returns:
        An array.
    """
    return sources.shuffled_batches(index_array, batch_size, np.random)


def standardize_weights(y, sample_weight=None, class_weight=None, sample_weight_mode=None):
    """Makes weights of samples of what fit() takes.

    Args:
        y: The targets, an array.
        sample_weight: The weights of samples, an array, or a tuple of one. None: none.
        class_weight: A dict: class -> weight. None: none.
        sample_weight_mode: "temporal", "samplewise" or None.

    Returns:
        An array, or None.

    Raises:
        ValueError: The weights do not fit the targets.
    """
    given = sample_weight[0] if isinstance(sample_weight, tuple) else sample_weight
    feeding.check_weights(given, y, sample_weight_mode)
    return feeding.weights_of(given, class_weight, y)


def standardize_sample_weights(sample_weight, output_names):
    """Returns the weights of samples for each output.

    Args:
        sample_weight: An array, or a list or dict of arrays. None: none.
        output_names: Names of the outputs, a list of str.

    Returns:
        A list.
    """
    return feeding.for_each(sample_weight, output_names, "sample_weight")


def standardize_class_weights(class_weight, output_names):
    """Returns the weights of classes for each output.

    Args:
        class_weight: A dict: class -> weight, or a list or dict of these. None: none.
        output_names: Names of the outputs, a list of str.

    Returns:
        A list.
    """
    return feeding.for_each(class_weight, output_names, "class_weight")


def get_reachable_from_inputs(inputs, targets=None):
    """Finds what follows from some tensors.

    Args:
        inputs: Tensors, variables and operations, a list.
        targets: The search ends when these tensors are found, a list. None: it finds all.

    Returns:
        A set of the inputs, and of the tensors and operations that they lead to.

    Raises:
        TypeError: An input is something else.
    """
    waiting = list(nest.flatten(inputs))
    found, wanted = set(waiting), set(nest.flatten(targets or []))
    while waiting:
        following = _after(waiting.pop(0))
        waiting += [end for end in following if end not in found]
        found.update(following)
        wanted -= found
        if targets and not wanted:
            break
    return found


def _after(end):
    """What directly follows from a tensor, a variable or an operation, a list."""
    if isinstance(end, Operation):
        after = [op for op in end.graph.get_operations() if end in op.control_inputs]
        return [*end.outputs, *after]
    if isinstance(end, Variable):
        return [end.op]
    if not isinstance(end, Tensor):
        raise TypeError(f"Expected Operation, Variable, or Tensor, got {end}")
    return end.consumers()


class AUCCurve(enum.Enum):
    """The kinds of curves of the metric AUC."""

    ROC = "ROC"
    PR = "PR"

    @staticmethod
    def from_str(key):
        """Returns the kind of a name. ValueError: it is not known."""
        if key not in ("pr", "PR", "roc", "ROC"):
            raise ValueError(f'Invalid AUC curve value "{key}".')
        return AUCCurve(key.upper())


class AUCSummationMethod(enum.Enum):
    """How the metric AUC sums an area."""

    INTERPOLATION = "interpolation"
    MAJORING = "majoring"
    MINORING = "minoring"

    @staticmethod
    def from_str(key):
        """Returns the method of a name. ValueError: it is not known."""
        known = [method.value for method in AUCSummationMethod]
        if key not in (*known, *(name.capitalize() for name in known)):
            raise ValueError(f'Invalid AUC summation method value "{key}".')
        return AUCSummationMethod(key.lower())


NAMES = {
    "keras.engine.training_utils": {
        function.__name__: function
        for function in (
            batch_shuffle,
            check_array_lengths,
            check_num_samples,
            check_steps_argument,
            has_tensors,
            standardize_class_weights,
            standardize_sample_weights,
            standardize_weights,
        )  # fmt: skip
    },
    "keras.utils.metrics_utils": {"AUCCurve": AUCCurve, "AUCSummationMethod": AUCSummationMethod},
    "keras.utils.tf_utils": {"get_reachable_from_inputs": get_reachable_from_inputs},
}
