"""The subjects of tools/plugin/test/run."""
