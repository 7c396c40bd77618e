"""What all websockets share. Begin with `viewer.py`: who may look, and how long.

- `tailing`, `shared_reads`: follow something that grows, read once for all viewers.
- `messages`: what every tail says beside its lines.
"""
