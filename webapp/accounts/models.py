from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Who signs in. A model of our own from the start, so that roles can be added to it."""
