"""Installs and runs everything that Streamwright needs on one machine, without Docker. It imports no Django.

Begin with `up.py`: `manage.py up` starts the parts in order, and `supervisor.py` keeps them running.

- `install`, `steps`: install what is missing, once.
- `java`, `jars`, `chromium`, `npm`, `wheel`: the installed parts.
- `postgres`, `redis`, `kafka`, `apicurio`, `parts`, `service`: what is started; `ledger` remembers their processes.
"""
