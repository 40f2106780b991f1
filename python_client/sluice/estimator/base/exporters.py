# SPDX-License-Identifier: Apache-2.0
"""Which of the checkpoints that train_and_evaluate() evaluates are exported."""

import inspect
import os

from ...files import gfile
from ...files.records import summary_iterator

_RESULTS = ("best_eval_result", "current_eval_result")  # what a compare_fn takes


class Exporter:
    """The base class of what exports an estimator after an evaluation."""

    @property
    def name(self):
        """The name, a str: that of the directory of its exports."""
        raise NotImplementedError

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Exports an estimator, or not.

        Args:
            estimator: The Estimator.
            export_path: Directory of the exports, a str.
            checkpoint_path: Path of the checkpoint, a str.
            eval_result: The result of evaluate(), a dict.
            is_the_final_export: Whether it is the last evaluation. A bool.

        Returns:
            The path of the SavedModel, bytes; None if none was written.
        """
        raise NotImplementedError


class _SavedModelExporter(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra, as_text):
        self._name, self._receiver_fn = name, serving_input_receiver_fn
        self._assets_extra, self._as_text = assets_extra, as_text

    @property
    def name(self):
        """The name, a str: that of the directory of its exports."""
        return self._name

    def _export(self, estimator, export_path, checkpoint_path):
        return estimator.export_saved_model(
            export_path, self._receiver_fn, self._assets_extra, self._as_text, checkpoint_path
        )


class FinalExporter(_SavedModelExporter):
    """Exports the estimator at the end of the training.

    Args:
        name: Name of the directory, a str.
        serving_input_receiver_fn: A function without arguments that returns a ServingInputReceiver.
        assets_extra: As of Estimator.export_saved_model().
        as_text: Whether the graph is written in the text form. A bool.
    """

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Exports the estimator if it is the end: see Exporter.export().

        Args:
            estimator: The Estimator.
            export_path: Directory of the exports, a str.
            checkpoint_path: Path of the checkpoint, a str.
            eval_result: The result of evaluate(), a dict.
            is_the_final_export: Whether it is the last evaluation. A bool.

        Returns:
            The path of the SavedModel, bytes; None if none was written.
        """
        if not is_the_final_export:
            return None
        return self._export(estimator, export_path, checkpoint_path)


def _check_kept(exports_to_keep, best=False):
    if exports_to_keep is not None and exports_to_keep <= 0:
        what = f"a positive number. Got {exports_to_keep}" if best else "positive number"
        raise ValueError(f"`exports_to_keep`, if provided, must be {what}")


def _remove_old(folder, kept):
    """Removes all exports but the newest."""
    if kept is None:
        return
    names = [n.rstrip("/") for n in gfile.listdir(folder)]
    for name in sorted(n for n in names if len(n) == 10 and n.isdigit())[:-kept]:
        gfile.rmtree(os.path.join(folder, name))


class LatestExporter(_SavedModelExporter):
    """Exports the estimator after each evaluation, and keeps the newest exports.

    Args:
        name: Name of the directory, a str.
        serving_input_receiver_fn: A function without arguments that returns a ServingInputReceiver.
        assets_extra: As of Estimator.export_saved_model().
        as_text: Whether the graph is written in the text form. A bool.
        exports_to_keep: How many exports stay, an int. None: all.

    Raises:
        ValueError: exports_to_keep is not above 0.
    """

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False,
                 exports_to_keep=5):  # fmt: skip
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        _check_kept(exports_to_keep)
        self._kept = exports_to_keep

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Exports the estimator: see Exporter.export().

        Args:
            estimator: The Estimator.
            export_path: Directory of the exports, a str.
            checkpoint_path: Path of the checkpoint, a str.
            eval_result: The result of evaluate(), a dict.
            is_the_final_export: Whether it is the last evaluation. A bool.

        Returns:
            The path of the SavedModel, bytes.
        """
        made = self._export(estimator, export_path, checkpoint_path)
        _remove_old(export_path, self._kept)
        return made


def _loss_smaller(best_eval_result, current_eval_result):
    """Whether the loss fell."""
    for what, result in zip(_RESULTS, (best_eval_result, current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{what} cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModelExporter):
    """Exports the estimator after each evaluation that is better than all before.

    Args:
        name: Name of the directory, a str.
        serving_input_receiver_fn: A function without arguments that returns a ServingInputReceiver.
        event_file_pattern: Pattern of the event files below model_dir with the evaluations of an
            earlier program, a str. None: they do not count.
        compare_fn: A function of best_eval_result and current_eval_result, two dicts, that returns
            whether the second is better. Default: its loss is smaller.
        assets_extra: As of Estimator.export_saved_model().
        as_text: Whether the graph is written in the text form. A bool.
        exports_to_keep: How many exports stay, an int. None: all.

    Raises:
        ValueError: exports_to_keep is not above 0, or compare_fn has other arguments.
    """

    def __init__(self, name="best_exporter", serving_input_receiver_fn=None,
                 event_file_pattern="eval/*.tfevents.*", compare_fn=_loss_smaller,
                 assets_extra=None, as_text=False, exports_to_keep=5):  # fmt: skip
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        names = set(inspect.signature(compare_fn).parameters)
        for name in _RESULTS:
            if name not in names:
                raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
        more = sorted(names - set(_RESULTS))
        if more:
            raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {more}")
        _check_kept(exports_to_keep, best=True)
        self._is_better, self._pattern, self._kept = compare_fn, event_file_pattern, exports_to_keep
        self._best = self._model_dir = None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Exports the estimator if it is the best so far: see Exporter.export().

        Args:
            estimator: The Estimator.
            export_path: Directory of the exports, a str.
            checkpoint_path: Path of the checkpoint, a str.
            eval_result: The result of evaluate(), a dict.
            is_the_final_export: Whether it is the last evaluation. A bool.

        Returns:
            The path of the SavedModel, bytes; None if none was written.
        """
        if self._model_dir != estimator.model_dir and self._pattern:
            self._model_dir = estimator.model_dir
            self._best = self._best_before(os.path.join(self._model_dir, self._pattern))
        if self._best is not None and not self._is_better(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        self._best = eval_result
        made = self._export(estimator, export_path, checkpoint_path)
        _remove_old(export_path, self._kept)
        return made

    def _best_before(self, pattern):
        best = None
        for path in gfile.glob(pattern):
            for event in summary_iterator(path):
                values = event.summary.value if event.HasField("summary") else ()
                found = {v.tag: v.simple_value for v in values if v.HasField("simple_value")}
                if found and (
                    best is None
                    or self._is_better(best_eval_result=best, current_eval_result=found)
                ):
                    best = found
        return best
