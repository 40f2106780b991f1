# SPDX-License-Identifier: Apache-2.0
"""What contrib has, and no other public module: a folder for each of its modules."""
