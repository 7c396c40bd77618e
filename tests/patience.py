"""How long tests wait for what must come: a wait that is met costs nothing, and a shared machine may stand still for
a minute. What a promise says of time is measured by `make bench`."""

PATIENCE_SECONDS = 300.0
