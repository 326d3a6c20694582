"""What holds for all tests: thunder is there before any library that it keeps silent."""

import thunder  # noqa: F401
