"""Foreign test suites of compilers as tasks; see tools/torture/run."""
