# SPDX-License-Identifier: Apache-2.0
"""Programs that both sides run."""
