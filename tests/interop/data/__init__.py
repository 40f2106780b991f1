# SPDX-License-Identifier: Apache-2.0
"""Tables that tests read, and what writes them."""
