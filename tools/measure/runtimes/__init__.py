"""The papers' locks in other runtimes than Heddle; see measure."""
