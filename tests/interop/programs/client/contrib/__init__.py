# SPDX-License-Identifier: Apache-2.0
"""Programs with modules of contrib."""
