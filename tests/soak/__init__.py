"""Long tests: `make soak`. Its parts import models, so Django is set up first, as in every other process."""

import logging
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
django.setup()
logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each request hides what the tests say
