# SPDX-License-Identifier: Apache-2.0
"""Data that is made batch by batch."""


class Sequence:
    """Batches by their number. Derived classes define __getitem__() and __len__()."""

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__()")

    def __len__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __len__()")

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def on_epoch_end(self):
        """Does nothing. It is called after each epoch."""
