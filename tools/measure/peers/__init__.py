"""The peers: other ways to have tasks on the host, measured beside Heddle; see tools/measure/peers/run."""
