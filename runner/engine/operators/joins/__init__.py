"""What the joins share: the form, and one module for each kind."""
