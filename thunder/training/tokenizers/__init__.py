"""Tokenizers trained, and set beside others."""
