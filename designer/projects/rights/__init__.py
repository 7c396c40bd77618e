"""Who may do what: one table of rights. Begin with `table.py`.

`needs.py` names roles and rights, for the models too. `permissions.py` beside this package asks the table and refuses a
request.
"""
