# SPDX-License-Identifier: Apache-2.0
"""Programs with linear operators and distributions."""
