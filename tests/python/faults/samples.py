# SPDX-License-Identifier: Apache-2.0
"""Samples of what servers hold, as plots in text and as pictures."""

import os

import numpy as np

_BARS = " .:-=+*#%@"


class Samples:
    """Values of each of `rows`, such as tasks, by quantity, after a number of steps."""

    def __init__(self, rows):
        self._rows = list(rows)
        self._steps, self._values = [], {}  # quantity -> samples of a value for each row

    def add(self, more_steps, values):
        """`values` is {quantity: [a value for each row]}."""
        self._steps.append(more_steps + (self._steps[-1] if self._steps else 0))
        for quantity, row in values.items():
            self._values.setdefault(quantity, []).append(row)

    def growth(self):
        """{quantity: the most that the median of a row's last quarter exceeds its second one}."""
        quarter = len(self._steps) // 4
        return {
            quantity: max(
                np.median(column[-quarter:]) - np.median(column[quarter : 2 * quarter])
                for column in np.array(values).T
            )
            for quantity, values in self._values.items()
        }

    def text(self, title):
        """A line for each row and quantity: a character for each sample, from 0 to the largest."""
        lines = [title]
        for quantity, values in self._values.items():
            for name, column in zip(self._rows, np.array(values).T):
                most = max(column.max(), 1)
                bars = "".join(_BARS[int(v / most * (len(_BARS) - 1))] for v in column)
                ends = (
                    f"{column[0]:.0f} -> {column[-1]:.0f}, {column.min():.0f} to {column.max():.0f}"
                )
                lines.append(f"  {quantity:11} {name}  |{bars}|  {ends}")
        return "\n".join(lines)

    def draw(self, path):
        """Writes path.png and path.svg; returns their names."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 3 * len(self._values)), layout="constrained")
        plots = figure.subplots(len(self._values), sharex=True)
        for axes, (quantity, values) in zip(np.atleast_1d(plots), self._values.items()):
            for name, column in zip(self._rows, np.array(values).T):
                axes.plot(self._steps, column, label=name)
            axes.set_ylabel(quantity)
            axes.set_ylim(bottom=0)
            axes.grid(True, alpha=0.3)
        axes.set_xlabel("steps")
        axes.legend(fontsize="small")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        names = [f"{path}.{ending}" for ending in ("png", "svg")]
        for name in names:
            figure.savefig(name, dpi=150)
        return ", ".join(names)
