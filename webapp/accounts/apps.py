from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "webapp.accounts"
    label = "accounts"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from webapp.accounts import entrance

        user_logged_in.connect(entrance.note_sign_in)
        user_logged_out.connect(entrance.note_sign_out)
