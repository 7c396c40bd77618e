"""Users, sign-in, tokens and the audit over HTTP. Begin with `permissions.py`, which checks each request.

It may use the designer, whose `rights` it enforces, and no job or run.

- `views`, `services`, `throttle`: sign in by password or link, and slow down guessing.
- `provider`, `provider_views`: sign in with an OpenID Connect provider.
- `people`, `people_api`, `tokens`, `api`: users, groups, roles and tokens.
- `audit_api`, `entrance`: the audit, and who signed in or out.
"""
