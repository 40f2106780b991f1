# SPDX-License-Identifier: Apache-2.0
"""Training, summaries and normalisation of contrib.layers."""

from . import normalization, summaries, training, volumes

NAMES = {
    name: getattr(source, name)
    for source in (normalization, summaries, training, volumes)
    for name in source.__all__
}
