"""The rules of the code that a program can check; see tools/checks/rules/check."""
