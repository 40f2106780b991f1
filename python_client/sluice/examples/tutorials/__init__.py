# SPDX-License-Identifier: Apache-2.0
"""Parts of the tutorials of 1.x."""
