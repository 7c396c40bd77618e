"""Codes of refusals of requests, accounts and tokens."""

from designer.refusal_codes import RefusalCode


class WebCode(RefusalCode):
    """Codes of refusals of requests, accounts and tokens."""

    NOT_SIGNED_IN = ("not_signed_in", "The request has no session and no token.")
    FORBIDDEN = ("forbidden", "The request is not from a page of this server.")
    NOT_ALLOWED = ("not_allowed", "The address does not accept this method.")
    FAILED = ("failed", "The server failed. Its log has the cause.")
    REQUEST_MALFORMED = ("request.malformed", "The body or the query does not fit the schema. `places` says where.")
    REQUEST_MEDIA_TYPE = ("request.media_type", "The API takes JSON only.")
    REQUEST_NOT_JSON = ("request.not_json", "The body is not valid JSON.")
    REQUEST_TOO_SLOW = ("request.too_slow", "The body did not arrive in time.")
    RIGHTS_UNKNOWN = ("rights.unknown", "No route says who may call the address.")
    TOKEN_UNKNOWN = ("token.unknown", "There is no such token, or it has expired.")
    PASSWORD_REFUSED = ("password.refused", "The old password is wrong, or the new one is easy to guess.")
    LOGIN_TOO_MANY = ("login.too_many", "There were too many tries to sign in.")
    LOGIN_UNAVAILABLE = ("login.unavailable", "Redis, which counts tries to sign in, does not answer.")
    PROVIDER_REFUSED = ("provider.refused", "The identity provider's user may not sign in here.")
    PROVIDER_UNREACHABLE = ("provider.unreachable", "The identity provider gave no valid OpenID Connect answer.")
    SHARED_UNKNOWN = ("shared.unknown", "There is no such share link, it has expired, or it was revoked.")
    SHARED_NO_RECORDS = ("shared.no_records", "The share link does not show records.")
    SHARED_TOO_MANY = ("shared.too_many", "An address asked too often with share links.")
    SHARED_UNAVAILABLE = ("shared.unavailable", "Redis, which counts the readers of share links, does not answer.")
