"""What the compiler's checks cost; see tools/overhead/measure."""
