# SPDX-License-Identifier: Apache-2.0
"""What programs give to models, as lists of arrays in the order of the model's inputs."""

import numpy as np

from ... import nest
from ...graph.convert import placeholder
from ...ops.functions.functions import TensorSpec
from ..base.sparse_rows import rows_of


def as_arrays(data, names, shapes, kind):
    """A list of arrays.

    Args:
        data: An array, a list of arrays, a dict name -> array, or None. SparseTensorValues and
            matrices of SciPy may stand for arrays.
        names: Names of the inputs or outputs, a list of str.
        shapes: Their shapes, lists of ints and None; None: any.
        kind: "input" or "target", for errors.

    Raises:
        ValueError: There are not as many arrays as names, or an array has a wrong shape.
    """
    if not names:
        if hasattr(data, "__len__") and len(data):
            raise ValueError(f"Error when checking model {kind}: expected no data, but got:", data)
        return []
    arrays = [_column(a) for a in _listed(data, names, kind)]
    if all(shape is not None for shape in shapes):
        arrays = arrays[: len(names)]  # TensorFlow leaves out those that are too many
    if len(arrays) != len(names):
        raise ValueError(
            f"Error when checking model {kind}: the list of Numpy arrays that you are passing to "
            f"your model is not the size the model expected. Expected to see {len(names)} array(s),"
            f" but instead got the following list of {len(arrays)} arrays: {str(arrays)[:200]}..."
        )
    for array, name, shape in zip(arrays, names, shapes):
        _check(array, name, shape, kind)
    return arrays


def _listed(data, names, kind):
    if data is None:
        raise ValueError(f"the model takes the {kind}s {names}, but was given none")
    if isinstance(data, dict):
        lacking = [n for n in names if n not in data]
        if lacking:
            raise ValueError(f'No data provided for "{lacking[0]}". Need data for each key in: '
                             f"{names}")  # fmt: skip
        return [_array(data[name]) for name in names]
    if not isinstance(data, (list, tuple)) or rows_of(data) is not None:
        return [_array(data)]
    if len(names) == 1 and data and isinstance(data[0], (int, float, np.generic)):
        return [np.asarray(data)]
    if len(data) == 1 and len(names) > 1 and not hasattr(data[0], "shape"):
        raise ValueError(
            f"Error when checking model {kind}: you are passing a list as input to your model, but "
            f"the model expects a list of {len(names)} Numpy arrays instead. The list you passed "
            f"was: {str(data)[:200]}"
        )
    return [_array(d) for d in data]


def _array(data):
    """An array, or the SparseRows of what is sparse."""
    rows = rows_of(data)
    if rows is None and not isinstance(data, (list, tuple)) and not hasattr(data, "shape"):
        raise AttributeError(f"{type(data).__name__!r} object has no attribute 'shape'")
    return np.asarray(data) if rows is None else rows


def _column(array):
    return np.expand_dims(array, 1) if array.ndim == 1 else array


def _check(array, name, shape, kind):
    if shape is None or array.dtype == object:
        return
    if len(shape) != array.ndim:
        raise ValueError(
            f"Error when checking {kind}: expected {name} to have {len(shape)} dimensions, but got "
            f"array with shape {array.shape}"
        )
    wanted = tuple(shape[1:])
    if any(w is not None and w != have for w, have in zip(wanted, array.shape[1:])):
        raise ValueError(
            f"Error when checking {kind}: expected {name} to have shape {wanted} but got array "
            f"with shape {array.shape[1:]}"
        )


def as_weights(sample_weight, class_weight, targets, names, modes):
    """A list with an array of weights, or None, for each output.

    Args:
        sample_weight: An array, a list or dict of arrays, or None.
        class_weight: A dict class -> weight, or a list or dict of these, or None.
        targets: The targets, a list of arrays.
        names: Names of the outputs, a list of str.
        modes: The sample_weight_mode of each output, a list.

    Raises:
        ValueError: A class has no weight, or weights have a wrong shape.
    """
    given = for_each(sample_weight, names, "sample_weight")
    classes = for_each(class_weight, names, "class_weight")
    given = [g if g is None else _array(g) for g in given]
    for own, target, mode in zip(given, targets, modes):
        check_weights(own, target, mode)
    return [weights_of(g, c, y) for g, c, y in zip(given, classes, targets)]


def with_ones(weights, targets, modes):
    """The weights of as_weights(), a list; ones for outputs that have none."""
    shapes = [y.shape[: 2 if mode == "temporal" else 1] for y, mode in zip(targets, modes)]
    return [np.ones(s, "float32") if w is None else w for w, s in zip(weights, shapes)]


def with_weights(arrays, inputs, outputs):
    """Adds weights of ones to what is fed for a batch.

    Args:
        arrays: The inputs and the targets, a list of arrays.
        inputs: How many inputs there are, an int.
        outputs: The outputs that have a loss, a list.

    Returns:
        A list of arrays.
    """
    targets, modes = arrays[inputs:], [output.weight_mode for output in outputs]
    return [*arrays, *with_ones([None] * len(targets), targets, modes)]


def check_weights(given, target, mode):
    """Raises ValueError where weights of samples do not fit the targets.

    Args:
        given: The weights, an array or None.
        target: The targets, an array.
        mode: The sample_weight_mode, a str or None.
    """
    temporal = mode == "temporal"
    if mode not in (None, "samplewise", "temporal"):
        raise ValueError(f'"sample_weight_mode should be None or "temporal". Found: {mode}')
    if temporal and target.ndim < 3:
        raise ValueError(
            f"Found a sample_weight array for an input with shape {target.shape}. Timestep-wise "
            'sample weighting (use of sample_weight_mode="temporal") is restricted to outputs that '
            "are at least 3D, i.e. that have a time dimension."
        )
    if given is None:
        return
    if given.ndim != (2 if temporal else 1):
        what = (
            "In order to use timestep-wise sample weighting, you should pass a 2D sample_weight "
            "array." if temporal else
            'In order to use timestep-wise sample weights, you should specify sample_weight_mode='
            '"temporal" in compile(). If you just mean to use sample-wise weights, make sure your '
            "sample_weight array is 1D."
        )  # fmt: skip
        raise ValueError(f"Found a sample_weight array with shape {given.shape}. {what}")
    if target.shape[: given.ndim] != given.shape:
        raise ValueError(
            f"Found a sample_weight array with shape {given.shape} for an input with shape "
            f"{target.shape}. sample_weight cannot be broadcast."
        )


def for_each(value, names, what):
    """A value for each output, of a list, a dict, or one for all.

    Args:
        value: The value, or None.
        names: Names of the outputs, a list of str.
        what: Name of the argument, a str.

    Returns:
        A list.

    Raises:
        ValueError: There are not as many values as outputs, or a name is not known.
        TypeError: There are several outputs, and the value is neither a list nor a dict.
    """
    if value is None or what == "sample_weight" and isinstance(value, dict) and not value:
        return [None] * len(names)
    if len(names) == 1:
        listed = isinstance(value, (list, tuple)) and len(value) == 1
        return [value[0]] if listed else [value[names[0]]] if _has(value, names[0]) else [value]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            raise ValueError(
                f"Provided `{what}` was a list of {len(value)} elements, but the model has "
                f"{len(names)} outputs. You should provide one `{what}`array per model output."
            )
        return list(value)
    if not isinstance(value, dict):
        raise TypeError(
            f"The model has multiple outputs, so `{what}` should be either a list or a dict. "
            f"Provided `{what}` type not understood: {value}"
        )
    check_names(value, what, names)
    return [value.get(n) for n in names]


def _has(value, name):
    return isinstance(value, dict) and name in value


def check_names(given, what, names):
    """Raises ValueError where a dict has keys that are not names of outputs.

    Args:
        given: The dict.
        what: Name of the argument, a str.
        names: The names, a list of str.
    """
    unknown = set(given) - set(names)
    if unknown:
        raise ValueError(
            f"Unknown entries in {what} dictionary: {sorted(unknown)}. Only expected following "
            f"keys: {list(names)}"
        )


def weights_of(given, classes, target):
    """The weights of samples, of classes, or their product.

    Args:
        given: The weights of samples, an array or None.
        classes: A dict: class -> weight. Anything else: none.
        target: The targets, an array.

    Returns:
        An array, or None.

    Raises:
        ValueError: A class has no weight, or the targets have more than two dimensions.
    """
    if not isinstance(classes, dict):
        return given
    if target.ndim > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    several = target.ndim == 2 and target.shape[1] > 1
    labels = np.argmax(target, 1) if several else target.reshape(-1)
    lacking = set(labels.tolist()) - set(classes)
    if lacking:
        raise ValueError(
            f"`class_weight` must contain all classes in the data. The classes {lacking} exist in "
            "the data but not in `class_weight`."
        )
    of_classes = np.asarray([classes[c] for c in labels.tolist()])
    return of_classes if given is None else of_classes * given


def placeholders_of(x):
    """Makes the inputs of a model of what the first batch is like.

    Args:
        x: An array or a TensorSpec, or a list, tuple or dict of them.

    Returns:
        Placeholders in the same structure.
    """
    given = [a if isinstance(a, TensorSpec) else np.asarray(a) for a in nest.flatten(x)]
    keys = sorted(x) if isinstance(x, dict) else [f"input_{n + 1}" for n in range(len(given))]
    made = [
        placeholder(_kind(a), [None, *(tuple(a.shape)[1:] or (1,))], key)
        for a, key in zip(given, keys)
    ]
    if isinstance(x, dict):
        return dict(zip(keys, made))
    return made if isinstance(x, (list, tuple)) else made[0]


def _kind(array):
    """The name of the dtype of an input: all floats are float32."""
    if isinstance(array, TensorSpec):
        of_spec = array.dtype
        return of_spec.name if of_spec.is_integer or of_spec.name == "string" else "float32"
    kind = array.dtype.kind
    return "string" if kind in "SUO" else array.dtype.name if kind in "iu" else "float32"
