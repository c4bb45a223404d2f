# SPDX-License-Identifier: Apache-2.0
"""What a capture reports."""


class CaptureError(Exception):
    """A capture can't be made as asked: what was wrong, and where."""


class CaptureWarning(UserWarning):
    """A capture saw less than one would expect."""
