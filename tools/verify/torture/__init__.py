"""Foreign test suites of compilers as tasks; see tools/verify/torture/run."""
