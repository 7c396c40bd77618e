"""Who may do what: one table of rights, and the wall that asks it. Begin with `table.py`.

`needs.py` names roles and rights, for the models too. `wall.py` refuses a request without its right.
"""
