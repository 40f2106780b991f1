# SPDX-License-Identifier: Apache-2.0
"""Variables, their scopes and their initial values."""
