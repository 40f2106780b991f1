# SPDX-License-Identifier: Apache-2.0
"""Programs with names that few programs use."""
