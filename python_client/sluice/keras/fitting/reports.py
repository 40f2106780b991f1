# SPDX-License-Identifier: Apache-2.0
"""Callbacks that report how training goes: to files for TensorBoard, and to a server."""

import json
import os
import urllib.parse
import urllib.request

import numpy as np

from ...graph.default_graph import name_scope
from ...messages import Summary
from ...ops import array as arrays
from ...training import summary as summaries
from ..base import state
from .callbacks import Callback

_NOT_VALUES = ("batch", "size", "num_steps")


class TensorBoard(Callback):
    """Writes what TensorBoard shows: the values of epochs or batches, the graph, and histograms
    and images of variables.

    Args:
        log_dir: The directory, a str.
        histogram_freq: After how many epochs histograms are written, an int. 0: never.
        batch_size: Accepted. It has no effect.
        write_graph: Whether the graph is written. A bool.
        write_grads: Accepted if it is False.
        write_images: Whether kernels are written as images, with the histograms. A bool.
        embeddings_freq: Must be 0.
        embeddings_layer_names: Accepted. It has no effect.
        embeddings_metadata: Accepted. It has no effect.
        embeddings_data: Accepted. It has no effect.
        update_freq: "epoch", "batch", or after how many examples values are written, an int.
        profile_batch: Accepted. Steps are not traced.

    Raises:
        NotImplementedError: An argument is not supported.
    """

    def __init__(self, log_dir="./logs", histogram_freq=0, batch_size=32, write_graph=True,
                 write_grads=False, write_images=False, embeddings_freq=0,
                 embeddings_layer_names=None, embeddings_metadata=None, embeddings_data=None,
                 update_freq="epoch", profile_batch=2):  # fmt: skip
        super().__init__()
        if write_grads or embeddings_freq:
            raise NotImplementedError("write_grads and embeddings_freq are not there yet")
        self.log_dir, self.histogram_freq = os.fspath(log_dir), histogram_freq
        self.write_graph, self.write_images = write_graph, write_images
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._writer = self._merged = None
        self._seen = self._examples = self._written = 0

    def set_model(self, model):
        """Keeps the model, and begins a file with its graph.

        Args:
            model: The model.
        """
        super().set_model(model)
        session = state.get_session()
        graph = session.graph if self.write_graph else None
        self._writer = summaries.FileWriter(self.log_dir, graph)

    def _make_summaries(self):
        """The operation that computes the histograms and images of all variables."""
        made = []
        with state.get_session().graph.as_default(), name_scope(""):
            for layer in self.model.layers:
                for variable in layer.weights:
                    name = variable.name.replace(":", "_")
                    made.append(summaries.histogram(name, variable, collections=[]))
                    image = _as_image(variable) if self.write_images else None
                    if image is not None:
                        made.append(summaries.image(name, image, collections=[]))
            return summaries.merge(made, collections=[]) if made else None

    def _write(self, step, logs, prefix):
        for name, value in logs.items():
            if name not in _NOT_VALUES:
                found = Summary()
                found.value.add(tag=prefix + name, simple_value=float(np.asarray(value)))
                self._writer.add_summary(found, step)
        self._writer.flush()

    def on_batch_end(self, batch, logs=None):
        self._seen += 1
        self._examples += (logs or {}).get("size", 1)
        if self.update_freq != "epoch" and self._examples - self._written >= self.update_freq:
            self._written = self._examples
            self._write(self._seen, logs or {}, "batch_")

    def on_epoch_end(self, epoch, logs=None):
        step = epoch if self.update_freq == "epoch" else self._examples
        self._write(step, logs or {}, "epoch_")
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            if self._merged is None:
                self._merged = self._make_summaries()
            if self._merged is not None:
                self._writer.add_summary(state.get_session().run(self._merged), epoch)

    def on_train_end(self, logs=None):
        self._writer.close()


def _as_image(variable):
    """A variable as images [images, height, width, 1]; None if it has too many dimensions."""
    sizes = variable.shape.as_list()
    if len(sizes) == 2:
        rows = arrays.transpose(variable) if sizes[0] > sizes[1] else arrays.identity(variable)
        return arrays.reshape(rows, [1, *sorted(sizes), 1])
    if len(sizes) == 3:
        return arrays.reshape(arrays.transpose(variable, [2, 0, 1]), [sizes[2], *sizes[:2], 1])
    if len(sizes) == 1:
        return arrays.reshape(variable, [1, *sizes, 1, 1])
    return None


class RemoteMonitor(Callback):
    """Posts what the epochs give to a server, as JSON.

    Args:
        root: The server, a str.
        path: Path on the server, a str.
        field: Name of the field of the form, a str.
        headers: Headers of the request, a dict. None: none.
        send_as_json: Whether the body is JSON, not a form. A bool.
    """

    def __init__(self, root="http://localhost:9000", path="/publish/epoch/end/", field="data",
                 headers=None, send_as_json=False):  # fmt: skip
        super().__init__()
        self.root, self.path, self.field = root, path, field
        self.headers, self.send_as_json = headers, send_as_json

    def on_epoch_end(self, epoch, logs=None):
        sent = {"epoch": epoch, **{k: float(np.asarray(v)) for k, v in (logs or {}).items()}}
        body, kind = json.dumps(sent), "application/json"
        if not self.send_as_json:
            body = urllib.parse.urlencode({self.field: body})
            kind = "application/x-www-form-urlencoded"
        headers = {"Content-Type": kind, **(self.headers or {})}
        request = urllib.request.Request(self.root + self.path, body.encode(), headers)
        try:
            urllib.request.urlopen(request, timeout=10).close()
        except OSError as e:
            print(f"Warning: could not reach RemoteMonitor root server at {self.root}: {e}")


__all__ = ["RemoteMonitor", "TensorBoard"]
