# SPDX-License-Identifier: Apache-2.0
"""What all of Keras stands on: settings, sessions, names, and objects by their names."""
