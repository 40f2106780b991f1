# SPDX-License-Identifier: Apache-2.0
"""Programs of inputs: images, data sets, examples, columns, vocabularies."""
