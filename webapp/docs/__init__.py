"""The site of docs/: pages made from the code (`reference.py`), built by MkDocs (`hooks.py`), served at /docs."""
