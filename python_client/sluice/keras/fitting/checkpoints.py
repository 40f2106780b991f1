# SPDX-License-Identifier: Apache-2.0
"""A callback that saves the model while it is trained."""

import os
import re

from ... import logging
from ...training.checkpoints.state import latest_checkpoint
from .callbacks import Callback, better, known_mode


def newest_matching(pattern):
    """Finds the file that was saved last.

    Args:
        pattern: Path of the file, a str, in which {} stand for any text.

    Returns:
        Its path, or None if there is none. Of a checkpoint it is the prefix.
    """
    folder, name = os.path.split(pattern)
    matches = re.compile("^" + re.sub("{.*}", ".*", name) + "$").match
    newest = latest_checkpoint(folder or ".")
    if newest is not None and matches(os.path.basename(newest)):
        return newest
    known = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    paths = [os.path.join(folder, f) for f in known if matches(f)]
    return max(paths, key=lambda path: (os.path.getmtime(path), path), default=None)


class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    Args:
        filepath: Path of the file, a str, which may have {epoch} and names of values.
        monitor: Name of the value that decides with save_best_only, a str.
        verbose: 1: it says what it does.
        save_best_only: Whether only better models are saved. A bool.
        save_weights_only: Whether variables are saved, not the model. A bool.
        mode: "min", "max" or "auto": which values are better.
        save_freq: "epoch", or after how many examples it saves, an int.
        **kwargs: period: older form of save_freq: how many epochs. load_weights_on_restart: whether
            training begins with the variables of the newest file, a bool.

    Raises:
        ValueError: save_freq is not one of these.
    """

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False,
                 save_weights_only=False, mode="auto", save_freq="epoch", **kwargs):  # fmt: skip
        super().__init__()
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")
        self.filepath, self.monitor, self.verbose = filepath, monitor, verbose
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self.save_freq, self.period = save_freq, kwargs.get("period", 1)
        self.load_weights_on_restart = kwargs.get("load_weights_on_restart", False)
        self.monitor_op, self.best = better(known_mode(mode, "ModelCheckpoint"), monitor)
        self._epochs, self._samples, self._epoch = 0, 0, 0

    def on_train_begin(self, logs=None):
        saved = newest_matching(self.filepath) if self.load_weights_on_restart else None
        if saved is not None:
            self.model.load_weights(saved)

    def on_epoch_begin(self, epoch, logs=None):
        self._epoch = epoch

    def on_batch_end(self, batch, logs=None):
        if isinstance(self.save_freq, int):
            self._samples += (logs or {}).get("size", 1)
            if self._samples >= self.save_freq:
                self._samples = 0
                self._save(self._epoch, logs or {})

    def on_epoch_end(self, epoch, logs=None):
        self._epochs += 1
        if self.save_freq == "epoch" and self._epochs >= self.period:
            self._epochs = 0
            self._save(epoch, logs or {})

    def _save(self, epoch, logs):
        path = self.filepath.format(epoch=epoch + 1, **logs)
        if self.save_best_only:
            value = logs.get(self.monitor)
            if value is None:
                logging.warning(
                    "Can save best model only with %s available, skipping.", self.monitor
                )
                return
            is_better = self.monitor_op(value, self.best)
            if self.verbose:
                result = f"improved from {self.best:0.5f} to {value:0.5f}, saving model to {path}"
                result = result if is_better else f"did not improve from {self.best:0.5f}"
                print(f"\nEpoch {epoch + 1:05d}: {self.monitor} {result}")
            if not is_better:
                return
            self.best = value
        elif self.verbose:
            print(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


__all__ = ["ModelCheckpoint"]
