"""What proves more than `make test` does; see README.md."""
