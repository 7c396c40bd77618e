"""A topology as a plain value, and the declarations of operators. It knows no Django and no expressions.

It imports `values` and the words of issues. Begin with `graph.py`: nodes, edges and config.

- `catalogue`: the definition of an operator; the classes themselves are in `runner/engine/operators`.
- `ports`: the types of ports, and which ones an edge may join.
- `forms`, `zones`: the kinds of field that a form has.
- `bypassing`, `differences`: a graph without its bypassed nodes, and the differences of two graphs.
- `user_code`: Python that users write, checked without running it.
"""
