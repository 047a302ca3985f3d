"""What tools/run, tools/test and the other tools share."""
