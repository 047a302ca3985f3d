"""Libraries that know nothing of Heddle, as tasks."""
