"""Users, sign-in, tokens and the audit over HTTP. Begin with `permissions.py`, which checks each request.

- `views`, `services`, `throttle`: sign in by password or link, and slow down guessing.
- `provider`, `provider_views`: sign in with an OpenID Connect provider.
- `people`, `people_api`, `tokens`, `api`: users, groups, roles and tokens.
- `share_links`, `share_links_api`: links with which anybody reads one topology.
- `audit_api`, `audit_things`, `entrance`: the audit, what its entries are about, and who signed in or out.
"""
