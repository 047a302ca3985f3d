"""What measures Heddle; see README.md."""
