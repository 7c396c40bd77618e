"""Projects of users: their topologies, versions, drafts and test cases, who may do what with them, and the audit.

- `models`: the tables. `services` holds the writes of topologies, versions and drafts, `cases` those of test cases.
- `projects`, `roles`, `permissions`: projects, the roles of users in them, and what a request needs.
- `code_permission`: who may run Python.
- `exchange`: topologies as files. `presentation` is the catalogue of operators as JSON.
- `api`, `schemas`, `requests`, `routing`: the contract over HTTP. `comments`: comments on nodes.
- `audit`, `audit_messages`: what was changed, by whom.
"""
