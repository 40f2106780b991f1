# SPDX-License-Identifier: Apache-2.0
"""Files of any file system, and graphs in files."""
