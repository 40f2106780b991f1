# SPDX-License-Identifier: Apache-2.0
"""The metrics of models."""


class Measured:
    """What a model measures: the metrics of compile(), of the model and of its layers."""

    @property
    def metrics_names(self):
        """The names of the values that evaluate() returns, a list of str."""
        names = ["loss"]
        names += [f"{o.name}_loss" for o in self._of_outputs if o.loss_metric is not None]
        names += [name for output in self._of_outputs for name, _, _ in output.metrics]
        return names + [metric.name for metric, _ in self.added_metrics()]

    def added_metrics(self):
        """Returns the metrics that layers added.

        Returns:
            A list of pairs of a metric and its result.
        """
        kept = [id(part) for part in self._kept_metrics()]  # these come first, in their order
        own = sorted(
            self.measured,
            key=lambda pair: kept.index(id(pair[0])) if id(pair[0]) in kept else len(kept),
        )
        return [*own, *(pair for layer in self._parts() for pair in layer.measured)]

    def own_metrics(self):
        """Returns the metrics of the model and its layers, without those of compile().

        Returns:
            A list.
        """
        parts, own = self._parts(), self._kept_metrics()
        own += [metric for metric, _ in self.measured if not any(metric is m for m in own)]
        nested = (p.own_metrics() if isinstance(p, Measured) else p.metrics for p in parts)
        return own + [metric for found in nested for metric in found]

    @property
    def metrics(self):
        """All metrics but those of the losses of outputs, a list."""
        found = [metric for output in self._of_outputs for _, metric, _ in output.metrics]
        return found + self.own_metrics()

    def reset_metrics(self):
        """Sets all metrics to their first values."""
        of_losses = [o.loss_metric for o in self._of_outputs if o.loss_metric is not None]
        for metric in [*of_losses, *self.metrics]:
            metric.reset_states()
