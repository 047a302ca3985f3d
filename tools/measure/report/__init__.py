"""Makes the report from the results in build/bench/ (`make report`)."""
