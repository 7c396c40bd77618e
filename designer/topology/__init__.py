"""A topology as a plain value, and what an operator declares of itself. It knows no Django and no expressions.

It imports `values` and the words of issues. Begin with `graph.py`: nodes, edges and config.

- `catalogue`: what an operator is; the classes themselves are in `runner/engine/operators`.
- `ports`: the types of ports, and which may be joined.
- `forms`, `zones`: the kinds of field that a form has.
- `bypassing`, `differences`: a graph without its bypassed nodes, and what two graphs differ in.
- `user_code`: Python that users write, checked without running it.
"""
