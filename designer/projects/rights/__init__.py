"""Who may do what: one table of rights. Begin with `table.py`.

`needs.py` names roles and rights, for the models too. `designer/projects/permissions.py` asks the table and refuses a request.
"""
