"""What the compiler's checks cost; see tools/measure/overhead/measure."""
