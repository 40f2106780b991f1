# SPDX-License-Identifier: Apache-2.0
"""What programs and tests use of TensorFlow's sources for training, clusters and files."""

import functools
from unittest import mock

from ..contrib_parts.training.evaluation import wait_for_new_checkpoint
from ..files.tensors import make_ndarray
from ..graph.default_graph import control_dependencies
from ..graph.tensor_shape import TensorShape
from ..ops.control_flow.grouping import group
from ..ops.state.initializing import report_uninitialized_variables
from ..ops.state.module import Module
from ..ops.state.variables import Variable
from ..saving import builder, keys, loader, signatures
from ..session.session import BaseSession
from ..training import (
    global_step,
    imported_meta_graph,
    meta_graph,
    moving_averages,
    resources,
    saveable_objects,
    slots,
)
from ..training.checkpoints import state as checkpoint_state
from ..training.object_checkpoint import Checkpoint, ObjectSaver
from ..training.op_list import names_of_ops, ops_of
from ..training.sessions.monitored_session import USE_DEFAULT


def _increment_global_step(increment, graph=None):
    """Adds an operation that counts steps, after hooks have read the count: the new one."""
    step = global_step.get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step() before "
            "calling increment."
        )
    with step.graph.as_default(), control_dependencies([_step_to_read(graph)]):
        return step.assign_add(increment)


def _step_to_read(graph=None):
    """The global step as a tensor; the graph gets one if it has none."""
    global_step.get_or_create_global_step(graph)
    return global_step.global_step_read(graph)


def unknown_shape(rank=None, **kwargs):
    """Returns a TensorShape.

    Args:
        rank: How many dimensions it has, an int. None: not known.
        **kwargs: ndims: older name of rank.
    """
    rank = kwargs.get("ndims", rank)
    return TensorShape(None if rank is None else [None] * rank)


def _initialize_resources(resource_list, name="init"):
    return group(*[resource.create for resource in resource_list], name=name)


NAMES = {
    **saveable_objects.NAMES,
    "client.session": {"BaseSession": BaseSession},
    "framework.meta_graph": {
        **{
            function.__name__: function
            for function in (
                imported_meta_graph.copy_scoped_meta_graph,
                imported_meta_graph.import_scoped_meta_graph,
                imported_meta_graph.import_scoped_meta_graph_with_return_elements,
                meta_graph.export_scoped_meta_graph,
            )
        },
        "read_meta_graph_file": imported_meta_graph.read_meta_graph,
        "ops_used_by_graph_def": names_of_ops, "stripped_op_list_for_graph": ops_of,
    },
    "framework.tensor_shape": {
        "matrix": lambda rows, cols: TensorShape([rows, cols]), "scalar": lambda: TensorShape([]),
        "unknown_shape": unknown_shape, "vector": lambda length: TensorShape([length]),
    },
    "framework.tensor_util": {"MakeNdarray": make_ndarray},
    "ops.resources": {
        "initialize_resources": _initialize_resources,
        "register_resource": resources.register_resource,
    },
    "ops.variables": {
        "VariableV1": Variable, "report_uninitialized_variables": report_uninitialized_variables,
    },
    "ops.variable_scope": {"variable": Variable},
    "platform.test": {"mock": mock}, "eager.test": {"mock": mock},
    "saved_model.main_op": {
        "main_op": builder.main_op, "main_op_with_restore": builder.main_op_with_restore,
    },
    "saved_model.loader_impl": {"parse_saved_model": loader.read},
    "saved_model.signature_def_utils": {
        "supervised_train_signature_def": functools.partial(
            signatures.supervised_signature, keys.SUPERVISED_TRAIN_METHOD_NAME
        ),
        "supervised_eval_signature_def": functools.partial(
            signatures.supervised_signature, keys.SUPERVISED_EVAL_METHOD_NAME
        ),
    },
    "training.checkpoint_management": {
        "meta_graph_filename": checkpoint_state.meta_graph_path,
        "update_checkpoint_state_internal": checkpoint_state.update_checkpoint_state,
    },
    "training.checkpoint_utils": {"wait_for_new_checkpoint": wait_for_new_checkpoint},
    "training.monitored_session": {"USE_DEFAULT": USE_DEFAULT},
    "training.moving_averages": {
        "assign_moving_average": moving_averages.assign_moving_average,
        "weighted_moving_average": moving_averages.weighted_moving_average,
    },
    "training.slot_creator": {
        "create_slot": slots.create_slot, "create_zeros_slot": slots.create_zeros_slot,
        "create_slot_with_initializer": slots.create_slot_with_initializer,
    },
    "training.tracking.tracking": {"AutoTrackable": Module},
    "training.tracking.util": {"CheckpointV1": Checkpoint, "TrackableSaver": ObjectSaver},
    "training.training_util": {
        "_get_global_step_read": global_step.global_step_read,
        "_get_or_create_global_step_read": _step_to_read,
        "_increment_global_step": _increment_global_step,
    },
}  # fmt: skip
