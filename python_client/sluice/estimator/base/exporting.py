# SPDX-License-Identifier: Apache-2.0
"""Writes the SavedModel of an estimator."""

import os
import time

from ... import errors
from ...files import gfile
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.keys import GraphKeys
from ...saving import keys
from ...saving.builder import Builder
from ...session.session import Session
from ...training.global_step import create_global_step
from ...training.saver import Saver
from ...training.scaffold import Scaffold
from .export_outputs import outputs_of_spec, signatures_of
from .modes import ModeKeys

_TAGS = {
    ModeKeys.TRAIN: [keys.TRAINING],
    ModeKeys.EVAL: [keys.EVAL],
    ModeKeys.PREDICT: [keys.SERVING],
}


def export(estimator, base, receiver_fns, assets_extra, as_text, checkpoint_path):
    """Writes a SavedModel with a graph for each mode; the path of its directory, bytes."""
    modes = [mode for mode in _TAGS if receiver_fns.get(mode)]
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {list(receiver_fns)}.")
    folder = _free_folder(os.fsdecode(base))
    unfinished = os.path.join(os.path.dirname(folder), f"temp-{os.path.basename(folder)}")
    builder = Builder(unfinished)
    for mode in modes:
        _add(estimator, builder, mode, receiver_fns[mode], checkpoint_path, mode == modes[0])
    builder.save(as_text)
    for name, source in (assets_extra or {}).items():
        target = os.path.join(unfinished, keys.EXTRA_ASSETS_DIRECTORY, os.fsdecode(name))
        gfile.makedirs(os.path.dirname(target))
        gfile.copy(os.fsdecode(source), target)
    gfile.rename(unfinished, folder)
    return folder.encode()


def _free_folder(base):
    """A folder named by the time, which is later than those that are there."""
    for _ in range(10):
        folder = os.path.join(base, str(int(time.time())))
        if not gfile.exists(folder):
            return folder
        time.sleep(1)
    raise RuntimeError(f"found no free name for a SavedModel in {base}")


def _add(estimator, builder, mode, receiver_fn, checkpoint_path, with_variables):
    with Graph().as_default() as graph:
        create_global_step(graph)
        graph.seed = estimator.config.tf_random_seed
        receiver = receiver_fn()
        spec = estimator.model_fn(
            receiver.features, getattr(receiver, "labels", None), mode, estimator.config
        )
        signatures = signatures_of(
            receiver.receiver_tensors, outputs_of_spec(spec),
            getattr(receiver, "receiver_tensors_alternatives", None), mode == ModeKeys.PREDICT,
        )  # fmt: skip
        with Session(config=estimator.config.session_config) as session:
            init_op = spec.scaffold.local_init_op
            init_op = Scaffold.default_local_init_op() if init_op is None else init_op
            saver = spec.scaffold.saver or Saver(sharded=True)
            try:
                saver.restore(session, checkpoint_path)
            except errors.NotFoundError as e:
                raise ValueError(
                    f"the checkpoint {checkpoint_path} lacks a variable of the model in mode"
                    f" {mode}: {e}"
                ) from None
            builder.add_train_op(spec.train_op)
            given = dict(
                tags=_TAGS[mode], signature_def_map=signatures, main_op=init_op, saver=saver,
                strip_default_attrs=True,
                assets_collection=get_default_graph().get_collection(GraphKeys.ASSET_FILEPATHS),
            )  # fmt: skip
            if with_variables:
                builder.add_meta_graph_and_variables(session, **given)
            else:
                builder.add_meta_graph(**given)
