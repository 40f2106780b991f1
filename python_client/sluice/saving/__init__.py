# SPDX-License-Identifier: Apache-2.0
"""SavedModels: graphs with signatures, variables and files, which TensorFlow reads and writes."""
