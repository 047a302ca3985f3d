"""Proof beyond `make test`; see README.md."""
