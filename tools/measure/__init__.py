"""Measurements of Heddle; see README.md."""
