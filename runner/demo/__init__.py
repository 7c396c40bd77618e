"""What the product shows itself with: the sample topology, the feed that it reads, and the gallery."""
