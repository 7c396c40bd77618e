"""What became of each record: counted, dropped with a reason, or logged."""
