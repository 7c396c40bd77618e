"""Turns a graph into a layout: sub-topologies, the shuffles between them, and stores. Begin with `lay_out.py`."""
