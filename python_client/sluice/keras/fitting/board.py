# SPDX-License-Identifier: Apache-2.0
"""A callback that writes what TensorBoard shows."""

import os

import numpy as np

from ... import dtypes
from ...graph.convert import placeholder
from ...graph.default_graph import name_scope
from ...graph.elements import IndexedSlices
from ...messages import Summary
from ...ops import array as arrays
from ...ops.state.variables import Variable
from ...tensorboard import visualize_embeddings
from ...training import summary as summaries
from ...training.saver import Saver
from ..base import state
from .callbacks import Callback

_NOT_VALUES = ("batch", "size", "num_steps")


class TensorBoard(Callback):
    """Writes what TensorBoard shows: the values of epochs or batches, the graph, histograms and
    images of variables, histograms of the outputs of layers, and embeddings.

    Histograms and images are computed for each batch of validation.

    Args:
        log_dir: The directory, a str.
        histogram_freq: In which epochs histograms are written, an int n: every n-th. 0: none.
        batch_size: How many examples of embeddings_data a step has, an int.
        write_graph: Whether the graph is written. A bool.
        write_grads: Whether histograms of gradients are written, with the others. A bool.
        write_images: Whether variables are written as images, with the histograms. A bool.
        embeddings_freq: In which epochs embeddings are written, an int n: every n-th. 0: none.
        embeddings_layer_names: The layers whose outputs are the embeddings, a list of str. None:
            the Embedding layers.
        embeddings_metadata: The file with what each example is, a str; or a dict: name of a layer
            -> file. None: none.
        embeddings_data: The examples whose embeddings are written, an array or a list of arrays.
        update_freq: "epoch", "batch", or after how many examples values are written, an int.
        profile_batch: Accepted. Steps are not traced.
    """

    def __init__(self, log_dir="./logs", histogram_freq=0, batch_size=32, write_graph=True,
                 write_grads=False, write_images=False, embeddings_freq=0,
                 embeddings_layer_names=None, embeddings_metadata=None, embeddings_data=None,
                 update_freq="epoch", profile_batch=2):  # fmt: skip
        super().__init__()
        self.log_dir, self.histogram_freq = os.fspath(log_dir), histogram_freq
        self.batch_size, self.write_graph = batch_size, write_graph
        self.write_grads, self.write_images = write_grads, write_images
        self.embeddings_freq, self.embeddings_layer_names = embeddings_freq, embeddings_layer_names
        self.embeddings_metadata, self.embeddings_data = embeddings_metadata, embeddings_data
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.writer = self.merged = self._embeddings = None
        self._seen = self._validated = self._examples = self._written = 0

    def set_model(self, model):
        """Keeps the model, and begins a file with its graph.

        Args:
            model: The model.
        """
        super().set_model(model)
        graph = state.get_session().graph
        self.writer = summaries.FileWriter(self.log_dir, graph if self.write_graph else None)
        with graph.as_default(), name_scope(""):
            if self.histogram_freq and self.merged is None:
                self._make_summaries()
            self.merged = summaries.merge_all()
            if self.embeddings_freq and self.embeddings_data is not None:
                self._embeddings = _Embeddings(self)

    def _make_summaries(self):
        """Makes the histograms and images of all layers."""
        for layer in self.model.layers:
            for variable in layer.weights:
                name = variable.name.replace(":", "_")
                summaries.histogram(name, variable)
                image = _as_image(variable) if self.write_images else None
                if image is not None:
                    summaries.image(name, image)
            if self.write_grads:
                for variable in layer.trainable_weights:
                    self._make_gradients(variable)
            outputs = getattr(layer, "output", None)
            for number, output in enumerate(outputs if isinstance(outputs, list) else []):
                summaries.histogram(f"{layer.name}_out_{number}", output)
            if outputs is not None and not isinstance(outputs, list):
                summaries.histogram(f"{layer.name}_out", outputs)

    def _make_gradients(self, variable):
        found = self.model.optimizer.get_gradients(self.model.total_loss, variable)
        found = [g.values if isinstance(g, IndexedSlices) else g for g in found]
        summaries.histogram(f"{variable.name.replace(':', '_')}_grad", found)

    def _write(self, step, logs, prefix):
        for name, value in logs.items():
            if name not in _NOT_VALUES:
                found = Summary()
                found.value.add(tag=prefix + name, simple_value=float(np.asarray(value)))
                self.writer.add_summary(found, step)
        self.writer.flush()

    def _write_validated(self, summary):
        self.writer.add_summary(summary, self._validated)
        self._validated += 1

    def on_batch_end(self, batch, logs=None):
        self._examples += (logs or {}).get("size", 1)
        if self.update_freq != "epoch" and self._examples - self._written >= self.update_freq:
            self._write(self._seen, logs or {}, "batch_")
            self._written = self._examples
        self._seen += 1

    def on_epoch_begin(self, epoch, logs=None):
        if self.histogram_freq and epoch % self.histogram_freq == 0 and self.merged is not None:
            function = self.model.test_function().made
            if self.merged not in function.fetches:
                function.fetches.append(self.merged)
                function.fetch_callbacks[self.merged] = self._write_validated

    def on_epoch_end(self, epoch, logs=None):
        step = epoch if self.update_freq == "epoch" else self._examples
        self._write(step, logs or {}, "epoch_")
        if self.histogram_freq and self.merged is not None:
            function = self.model.test_function().made
            if self.merged in function.fetches:
                function.fetches.remove(self.merged)
                function.fetch_callbacks.pop(self.merged, None)
        if self.embeddings_freq and self.embeddings_data is None:
            raise ValueError("To visualize embeddings, embeddings_data must be provided.")
        if self._embeddings is not None and epoch % self.embeddings_freq == 0:
            self._embeddings.write(epoch)

    def on_train_end(self, logs=None):
        self.writer.close()


class _Embeddings:
    """The outputs of layers for chosen examples, as variables of a checkpoint."""

    def __init__(self, board):
        self._board, model = board, board.model
        names = board.embeddings_layer_names or [
            layer.name for layer in model.layers if type(layer).__name__ == "Embedding"
        ]
        self._data = _listed(board.embeddings_data, model.input_names)
        self._first = placeholder(dtypes.int32, [])
        self._size = placeholder(dtypes.int32, [])
        self._assigned, variables = [], {}
        for layer in (one for one in model.layers if one.name in names):
            width = int(np.prod(layer.output.shape.as_list()[1:]))
            rows = arrays.reshape(layer.output, arrays.stack([self._size, width]))
            variables[layer.name] = variable = Variable(
                arrays.zeros([len(self._data[0]), width]), name=f"{layer.name}_embedding"
            )
            state.track_variable(variable)
            places = arrays.range(self._first, self._first + self._size)
            self._assigned.append(variable.scatter_update(IndexedSlices(rows, places)))
        self._saver = Saver(list(variables.values()))
        self._describe(variables)

    def _describe(self, variables):
        """Writes which tensors of the checkpoint are embeddings."""
        metadata = self._board.embeddings_metadata or {}
        if isinstance(metadata, str):
            metadata = dict.fromkeys(variables, metadata)
        visualize_embeddings(self._board.log_dir, [
            {"tensor_name": variable.name,
             **({"metadata_path": metadata[name]} if name in metadata else {})}
            for name, variable in variables.items()
        ])  # fmt: skip

    def write(self, epoch):
        """Computes the embeddings, and writes the checkpoint of an epoch."""
        board, session = self._board, state.get_session()
        inputs = board.model.input
        inputs = inputs if isinstance(inputs, list) else [inputs]
        for first in range(0, len(self._data[0]), board.batch_size):
            parts = [data[first : first + board.batch_size] for data in self._data]
            fed = {**dict(zip(inputs, parts)), self._first: first, self._size: len(parts[0])}
            session.run(self._assigned, fed)
        self._saver.save(session, os.path.join(board.log_dir, "keras_embedding.ckpt"), epoch)


def _listed(data, names):
    """Arrays in the order of the inputs of a model, vectors as columns."""
    if isinstance(data, dict):
        data = [data[name] for name in names]
    data = data if isinstance(data, (list, tuple)) else [data]
    return [one[:, np.newaxis] if np.ndim(one) == 1 else np.asarray(one) for one in data]


def _as_image(variable):
    """A variable as images [images, height, width, 1]; None if it has too many dimensions."""
    image = arrays.squeeze(variable)
    sizes = image.shape.as_list()
    if len(sizes) == 2:
        rows = arrays.transpose(image) if sizes[0] > sizes[1] else image
        return arrays.reshape(rows, [1, *sorted(sizes), 1])
    if len(sizes) == 3:
        return arrays.reshape(arrays.transpose(image, [2, 0, 1]), [sizes[2], *sizes[:2], 1])
    if len(sizes) == 1:
        return arrays.reshape(image, [1, *sizes, 1, 1])
    return None


__all__ = ["TensorBoard"]
