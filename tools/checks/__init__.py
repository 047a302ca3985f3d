"""The groups of `make test`; see tools/test."""
