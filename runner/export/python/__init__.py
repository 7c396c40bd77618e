"""Topologies as Python: `builder` draws one, `writing` writes the program that draws one."""
