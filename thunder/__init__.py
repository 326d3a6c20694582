"""Thunder-DeID: de-identification of Korean court judgments by the court rule."""

__version__ = "0.1.0"
