"""What a password must have beside Django's own rules."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

MIN_DIFFERENT = 5


class VarietyValidator:
    """Refuses passwords such as `aaaaaaaaaaaa` and `121212121212`, which are long and easy to guess."""

    def validate(self, password: str, user: Any = None) -> None:
        if len(set(password.casefold())) < MIN_DIFFERENT:
            raise ValidationError(self.get_help_text(), code="password_too_uniform")

    def get_help_text(self) -> str:
        return f"The password needs at least {MIN_DIFFERENT} different characters."
