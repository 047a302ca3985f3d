"""Compilers' test suites as tasks; see tools/verify/torture/run."""
