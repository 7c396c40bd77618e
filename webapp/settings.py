"""Django's settings. `webapp/variables.py` lists what an administrator may change, and how."""

import os

import dj_database_url
from csp.constants import NONCE
from django.core.management.utils import get_random_secret_key

from designer.topology.user_code import ALLOW
from webapp.local import environment, places
from webapp.periodic import Every
from webapp.variables import read_variables

BASE_DIR = places.ROOT
HOME = places.HOME.resolve()
os.umask(0o077)  # files below the home folder hold records and secrets, for its user only
environment.load(HOME)
VARIABLES = read_variables()
# the same for every process below this one
os.environ |= {"STREAMWRIGHT_HOME": str(HOME), ALLOW: str(int(VARIABLES.allow_python))}
FRONTEND_DIST = VARIABLES.pages
SITE = places.SITE


def _read_secret_keys() -> list[str]:
    path = VARIABLES.secret_key_file or HOME / "secret-key"
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(get_random_secret_key())
        keys = [line.strip() for line in path.read_text().splitlines() if line.strip()]
    except OSError as error:
        variable = "SECRET_KEY_FILE" if VARIABLES.secret_key_file else "STREAMWRIGHT_HOME"
        raise SystemExit(
            f"Streamwright cannot start: the secret key {path} can be neither read nor made ({error.strerror}). Make "
            f"room for it, or let {variable} name another place."
        ) from None
    if not keys:
        raise SystemExit(
            f"Streamwright cannot start: the secret key {path} is empty. Put back your copy of it. If no cluster has a "
            "password yet, remove the file, and the next start makes a new one."
        )
    return keys


SECRET_KEY, *SECRET_KEY_FALLBACKS = _read_secret_keys()
DEBUG = False
ALLOWED_HOSTS = VARIABLES.allowed_hosts
# uvicorn trusts every process on its machine: each attempt to sign in could then claim another address.
TRUSTED_PROXIES = VARIABLES.trusted_proxies
CSRF_TRUSTED_ORIGINS = VARIABLES.trusted_origins

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "channels",
    "ninja",
    "webapp",
    "webapp.accounts",
    "designer.projects",
    "runner.apps.RunnerConfig",
    "runner.apps.ClustersConfig",
    "runner.apps.JobsConfig",
    "runner.apps.WatchConfig",
    "runner.apps.DeadLettersConfig",
    "runner.apps.AlertsConfig",
    "runner.apps.HistoryConfig",
    "runner.apps.LineageConfig",
    "runner.apps.ProvingConfig",
    "runner.apps.BreakpointsConfig",
    "runner.apps.PastConfig",
    "runner.apps.TopicsConfig",
    "runner.apps.SamplesConfig",
    *(["tests.conformance"] if (BASE_DIR / "tests" / "conformance").is_dir() else []),
]

MIDDLEWARE = [
    "webapp.refusals.refuse_in_json",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "webapp.accounts.permissions.PermissionMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# the server's requests share a pool (webapp/asgi.py)
DATABASES = {"default": dj_database_url.parse(VARIABLES.database_url, conn_max_age=0)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "webapp.accounts.passwords.VarietyValidator"},
]
OIDC_ISSUER = VARIABLES.oidc_issuer.rstrip("/")
OIDC_NAME = VARIABLES.oidc_name
OIDC_GROUPS_CLAIM = VARIABLES.oidc_groups_claim
OIDC_ADMINISTRATORS = VARIABLES.oidc_administrators
SOCIALACCOUNT_ADAPTER = "webapp.accounts.provider_views.Entrance"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "SCOPE": VARIABLES.oidc_scopes,
        "APPS": [
            {
                "provider_id": "provider",
                "name": OIDC_NAME,
                "client_id": VARIABLES.oidc_client_id,
                "secret": VARIABLES.oidc_client_secret.get_secret_value(),
                "settings": {"server_url": OIDC_ISSUER},
            }
        ],
    }
}
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"

STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.exists() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/"  # the build puts a hash of the content into these names

REDIS_URL = VARIABLES.redis_url
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": 3, "socket_connect_timeout": 3},
    }
}
# An idle socket blocks in Redis for 5 s at a time, which must stay below the time-out of reads.
REDIS_FOR_CHANNELS = {"address": REDIS_URL, "socket_timeout": 15}
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_FOR_CHANNELS]}}
}

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_TIME_LIMIT = 60
CELERY_BEAT_SCHEDULER = "webapp.beat:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(HOME / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {
    "reconcile": {"task": "jobs.reconcile_all", "schedule": Every(5.0), "options": {"expires": 5}},
    "redrive": {"task": "letters.carry_on_all", "schedule": Every(5.0), "options": {"expires": 5}},
    "breakpoints": {"task": "breakpoints.look", "schedule": Every(3.0), "options": {"expires": 3}},
    "samples": {"task": "samples.carry_on", "schedule": Every(5.0), "options": {"expires": 5}},
    "keep": {"task": "history.keep", "schedule": Every(60.0), "options": {"expires": 30}},
    "look": {"task": "alerts.look", "schedule": Every(5.0), "options": {"expires": 5}},
    "clusters": {"task": "clusters.ask", "schedule": Every(15.0), "options": {"expires": 15}},
    "certificates": {"task": "clusters.look_at_certificates", "schedule": Every(600.0), "options": {"expires": 300}},
    "runs": {"task": "jobs.forget_runs", "schedule": Every(3_600.0), "options": {"expires": 3_600}},
    "prune": {"task": "accounts.prune_audit", "schedule": Every(3_600.0), "options": {"expires": 3_600}},
    "sessions": {"task": "accounts.prune_sessions", "schedule": Every(3_600.0), "options": {"expires": 3_600}},
    "deliver": {"task": "alerts.deliver", "schedule": Every(5.0), "options": {"expires": 5}},
}

OPENLINEAGE = bool(VARIABLES.openlineage_url or VARIABLES.openlineage_config)
OPENLINEAGE_NAMESPACE = VARIABLES.openlineage_namespace
if OPENLINEAGE:
    CELERY_BEAT_SCHEDULE["lineage"] = {"task": "lineage.send", "schedule": Every(10.0), "options": {"expires": 10}}

if VARIABLES.schema_guard_seconds:
    CELERY_BEAT_SCHEDULE["schemas"] = {
        "task": "topics.notice_schemas",
        "schedule": Every(float(VARIABLES.schema_guard_seconds)),
        "options": {"expires": VARIABLES.schema_guard_seconds},
    }

KAFKA_BOOTSTRAP_SERVERS = VARIABLES.kafka_servers
SCHEMA_REGISTRY_URL = VARIABLES.registry_url
REGISTRY = VARIABLES.registry
PREFIX = VARIABLES.prefix
CHECKPOINTS = VARIABLES.checkpoints
SPARK_MASTER = VARIABLES.spark_master
SPARK_CHECKPOINTS = VARIABLES.spark_checkpoints
STANDBY = VARIABLES.standby and not SPARK_MASTER
QUOTAS = VARIABLES.quotas
AUDIT_DAYS = VARIABLES.audit_days
HOST = VARIABLES.host
METRICS_TOKEN = VARIABLES.metrics_token
ADDRESS = VARIABLES.address
PORT = VARIABLES.port

EMAIL_HOST = VARIABLES.email_host
EMAIL_PORT = VARIABLES.email_port
EMAIL_HOST_USER = VARIABLES.email_user
EMAIL_HOST_PASSWORD = VARIABLES.email_password.get_secret_value()
EMAIL_USE_TLS = VARIABLES.email_security == "starttls"
EMAIL_USE_SSL = VARIABLES.email_security == "tls"
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = VARIABLES.email_from

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
HTTPS = VARIABLES.https
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^health$"]  # probes ask a process directly, not through the proxy that ends TLS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", NONCE],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": VARIABLES.log_level},
    # a closed or slow page is not worth a report: it asks for missed messages
    "loggers": {"channels_redis": {"level": "WARNING"}},
}
