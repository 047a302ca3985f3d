"""The cost of the compiler's checks; see tools/measure/overhead/measure."""
