# SPDX-License-Identifier: Apache-2.0
"""Signatures: which tensors of a graph are the inputs and outputs of a call."""

from .. import dtypes
from ..graph.default_graph import get_default_graph
from ..graph.elements import Operation, Tensor
from ..messages import SignatureDef, TensorInfo
from ..ops.sparse.sparse_tensor import SparseTensor
from . import keys


def build_tensor_info(tensor):
    """Describes a tensor by its name, dtype and shape.

    Args:
        tensor: A tensor or a SparseTensor.

    Returns:
        A TensorInfo.
    """
    info = TensorInfo(dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum)
    info.tensor_shape.CopyFrom(tensor.get_shape().as_proto())
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def _full(name, import_scope):
    return f"{import_scope}/{name}" if import_scope else name


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """Finds the tensor that a TensorInfo describes.

    Args:
        tensor_info: The TensorInfo.
        graph: The Graph. None: the default graph.
        import_scope: Name scope under which the graph was imported, a str. None: none.

    Returns:
        A tensor or a SparseTensor.

    Raises:
        KeyError: The graph has no such tensor.
        ValueError: The TensorInfo names none.
    """
    graph = graph or get_default_graph()
    kind = tensor_info.WhichOneof("encoding")
    if kind == "name":
        return graph.get_tensor_by_name(_full(tensor_info.name, import_scope))
    if kind == "coo_sparse":
        coo = tensor_info.coo_sparse
        names = coo.indices_tensor_name, coo.values_tensor_name, coo.dense_shape_tensor_name
        return SparseTensor(*(graph.get_tensor_by_name(_full(n, import_scope)) for n in names))
    raise ValueError(f"the TensorInfo names no tensor: {tensor_info}")


def element_of(tensor_info, import_scope=None):
    """The tensor or operation of the default graph that a TensorInfo names."""
    return get_default_graph().as_graph_element(_full(tensor_info.name, import_scope))


def operation_signature(operation, key):
    """A signature whose only output is an operation."""
    made = SignatureDef()
    made.outputs[key].name = operation.name
    made.outputs[key].tensor_shape.unknown_rank = True
    return made


def build_signature_def(inputs=None, outputs=None, method_name=None):
    """Makes a signature.

    Args:
        inputs: A dict: name -> TensorInfo. None: none.
        outputs: A dict: name -> TensorInfo. None: none.
        method_name: Name of the method that serves it, a str. None: none.

    Returns:
        A SignatureDef.
    """
    made = SignatureDef(method_name=method_name or "")
    for into, infos in ((made.inputs, inputs), (made.outputs, outputs)):
        for name, info in (infos or {}).items():
            into[name].CopyFrom(info)
    return made


def _infos(tensors):
    return {key: build_tensor_info(tensor) for key, tensor in tensors.items()}


def _examples(examples, what):
    if not isinstance(examples, Tensor) or examples.dtype.base_dtype != dtypes.string:
        raise ValueError(f"{what} examples must be a string tensor, not {examples!r}")
    return build_tensor_info(examples)


def _of_dtype(tensor, dtype, what):
    if dtypes.as_dtype(tensor.dtype) != dtype:
        raise ValueError(f"{what} must be a {dtype.name} tensor, not {tensor!r}")
    return build_tensor_info(tensor)


def regression_signature_def(examples, predictions):
    """Makes the signature of a regression of serialised Examples.

    Args:
        examples: A string tensor.
        predictions: A float32 tensor.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: A tensor is missing or has another dtype.
    """
    inputs = {keys.REGRESS_INPUTS: _examples(examples, "regression")}
    if predictions is None:
        raise ValueError("regression predictions must be given")
    found = _of_dtype(predictions, dtypes.float32, "regression predictions")
    return build_signature_def(inputs, {keys.REGRESS_OUTPUTS: found}, keys.REGRESS_METHOD_NAME)


def classification_signature_def(examples, classes, scores):
    """Makes the signature of a classification of serialised Examples.

    Args:
        examples: A string tensor.
        classes: A string tensor: the classes. None: none.
        scores: A float32 tensor: their scores. None: none.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: A tensor is missing or has another dtype.
    """
    if classes is None and scores is None:
        raise ValueError("classification classes or scores must be given")
    inputs, outputs = {keys.CLASSIFY_INPUTS: _examples(examples, "classification")}, {}
    if classes is not None:
        outputs[keys.CLASSIFY_OUTPUT_CLASSES] = _of_dtype(
            classes, dtypes.string, "classification classes"
        )
    if scores is not None:
        outputs[keys.CLASSIFY_OUTPUT_SCORES] = _of_dtype(
            scores, dtypes.float32, "classification scores"
        )
    return build_signature_def(inputs, outputs, keys.CLASSIFY_METHOD_NAME)


def predict_signature_def(inputs, outputs):
    """Makes the signature of a prediction.

    Args:
        inputs: A dict: name -> tensor.
        outputs: A dict: name -> tensor.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: One of the two is empty.
    """
    if not inputs:
        raise ValueError("prediction inputs must not be empty")
    if not outputs:
        raise ValueError("prediction outputs must not be empty")
    return build_signature_def(_infos(inputs), _infos(outputs), keys.PREDICT_METHOD_NAME)


def supervised_signature(method_name, inputs, *outputs):
    """The signature of a step of training or evaluation; outputs are dicts, or None."""
    if not inputs:
        raise ValueError(f"inputs of {method_name} must not be empty")
    all_outputs = {}
    for group in outputs:
        all_outputs.update(_infos(group or {}))
    return build_signature_def(_infos(inputs), all_outputs, method_name)


_VALID = {  # method -> (names of inputs, dtypes of outputs); None: any
    keys.PREDICT_METHOD_NAME: (None, None),
    keys.REGRESS_METHOD_NAME: (keys.REGRESS_INPUTS, {keys.REGRESS_OUTPUTS: dtypes.float32}),
    keys.CLASSIFY_METHOD_NAME: (
        keys.CLASSIFY_INPUTS,
        {
            keys.CLASSIFY_OUTPUT_CLASSES: dtypes.string,
            keys.CLASSIFY_OUTPUT_SCORES: dtypes.float32,
        },
    ),
}


def is_valid_signature(signature_def):
    """Tests whether a signature can be served.

    Args:
        signature_def: A SignatureDef, or None.

    Returns:
        A bool.
    """
    if signature_def is None or signature_def.method_name not in _VALID:
        return False
    wanted, allowed = _VALID[signature_def.method_name]
    if not signature_def.inputs or not signature_def.outputs:
        return False
    if wanted is None:
        return True
    if set(signature_def.inputs) != {wanted}:
        return False
    if signature_def.inputs[wanted].dtype != dtypes.string.as_datatype_enum:
        return False
    return all(
        name in allowed and info.dtype == allowed[name].as_datatype_enum
        for name, info in signature_def.outputs.items()
    )


def check_tensor_infos(signature_def_map):
    """Raises AssertionError for a signature that does not name its tensors, KeyError for a key that
    is taken."""
    for key, signature in signature_def_map.items():
        for infos in (signature.inputs, signature.outputs):
            for name, info in infos.items():
                if info.WhichOneof("encoding") is None or not info.dtype:
                    raise AssertionError(
                        f"{name} of signature {key} must have a tensor's name and its dtype: {info}"
                    )
    for reserved in (keys.INIT_OP_SIGNATURE_KEY, keys.TRAIN_OP_SIGNATURE_KEY):
        if reserved in signature_def_map:
            raise KeyError(f'the key "{reserved}" is reserved: name the signature otherwise')


def check_operation(op, what):
    """TypeError: it is not an operation."""
    if not isinstance(op, Operation):
        raise TypeError(f"{what} must be an Operation, not {op!r}")


__all__ = """
    build_signature_def build_tensor_info classification_signature_def get_tensor_from_tensor_info
    is_valid_signature predict_signature_def regression_signature_def
""".split()
