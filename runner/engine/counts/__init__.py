"""What happened to each record: counted, dropped with a reason, or logged."""
