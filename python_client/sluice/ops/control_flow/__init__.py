# SPDX-License-Identifier: Apache-2.0
"""The order in which operations run."""
