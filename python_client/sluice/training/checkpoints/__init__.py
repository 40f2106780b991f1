# SPDX-License-Identifier: Apache-2.0
"""Files of checkpoints, and what a directory of them says of itself."""
