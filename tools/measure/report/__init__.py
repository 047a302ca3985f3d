"""What `make report` makes of the results in build/bench/."""
