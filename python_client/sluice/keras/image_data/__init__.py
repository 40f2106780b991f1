# SPDX-License-Identifier: Apache-2.0
"""Images as arrays: files, random changes, batches."""
