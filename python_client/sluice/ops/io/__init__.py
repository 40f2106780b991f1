# SPDX-License-Identifier: Apache-2.0
"""Files and encodings as operations."""
