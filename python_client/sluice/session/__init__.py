# SPDX-License-Identifier: Apache-2.0
"""Sessions, what they fetch, and clusters."""
