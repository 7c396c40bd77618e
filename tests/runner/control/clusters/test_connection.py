"""What is wrong with a connection is said before anyone is asked."""

import pytest

from runner.control.clusters.connection import check_settings
from runner.kafka import BadConnection, SettingNotAllowed
from runner.outgoing import AddressRefused

SASL = {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.username": "ada", "sasl.password": "x"}
TOKENS = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.oauthbearer.client.id": "job",
    "sasl.oauthbearer.client.secret": "x",
    "sasl.oauthbearer.token.endpoint.url": "https://id/token",
}
TLS = {"security.protocol": "SSL", "ssl.certificate.pem": "c", "ssl.key.pem": "k", "ssl.ca.pem": "a"}


@pytest.mark.parametrize("servers", ["kafka:9092", "kafka1:9092, kafka2:9092", "10.0.0.1:9092", "[::1]:9092"])
@pytest.mark.parametrize(
    "config",
    [{}, SASL, TLS, TLS | SASL, {"security.protocol": "SSL"}, TOKENS, TOKENS | {"sasl.oauthbearer.scope": "kafka"}],
)
def test_a_whole_connection_is_accepted(servers: str, config: dict[str, str]):
    check_settings(servers, config)


@pytest.mark.parametrize(
    ("servers", "config", "setting", "message"),
    [
        ("kafka", {}, "bootstrap.servers", "`kafka` is not a broker address."),
        ("kafka:9092,", {}, "bootstrap.servers", "An address is missing."),
        ("http://kafka:9092", {}, "bootstrap.servers", "`http://kafka:9092` is not a broker address."),
        ("k:1", {"security.protocol": "TLS"}, "security.protocol", "There is no security protocol `TLS`."),
        (
            "k:1",
            {name: text for name, text in SASL.items() if name != "sasl.password"},
            "sasl.password",
            "`sasl.password` is missing, which SASL_SSL needs.",
        ),
        ("k:1", SASL | {"sasl.mechanism": "X"}, "sasl.mechanism", "The mechanism `X` is not known."),
        ("k:1", SASL | {"sasl.mechanism": "GSSAPI"}, "sasl.mechanism", "Kerberos (GSSAPI) is not supported."),
        (
            "k:1",
            SASL | {"sasl.mechanism": "AWS_MSK_IAM"},
            "sasl.mechanism",
            "AWS_MSK_IAM is not supported. MSK also offers SCRAM-SHA-512.",
        ),
        (
            "k:1",
            SASL | {"sasl.mechanism": "OAUTHBEARER"},
            "sasl.oauthbearer.client.id",
            "`sasl.oauthbearer.client.id` is missing, which SASL_SSL needs.",
        ),
        ("k:1", TOKENS | {"sasl.username": "ada"}, "sasl.username", "`sasl.username` is not used with OAUTHBEARER."),
        ("k:1", SASL | {"https.ca.pem": "x"}, "https.ca.pem", "`https.ca.pem` is not used with PLAIN."),
        (
            "k:1",
            TOKENS | {"sasl.oauthbearer.method": "default"},
            "sasl.oauthbearer.method",
            "The only method is `oidc`.",
        ),
        (
            "k:1",
            TOKENS | {"sasl.oauthbearer.token.endpoint.url": "id/token"},
            "sasl.oauthbearer.token.endpoint.url",
            "`id/token` is not the address of a token endpoint.",
        ),
        ("k:1", {"sasl.password": "x"}, "sasl.password", "`sasl.password` is not used with PLAINTEXT."),
        ("k:1", {"ssl.ca.pem": "x"}, "ssl.ca.pem", "`ssl.ca.pem` is not used with PLAINTEXT."),
        ("k:1", TLS | {"security.protocol": "SASL_PLAINTEXT"}, "sasl.mechanism", None),
        (
            "k:1",
            {"security.protocol": "SSL", "ssl.certificate.pem": "c"},
            "ssl.key.pem",
            "`ssl.key.pem` is missing.",
        ),
    ],
)
def test_what_cannot_work_is_named(servers: str, config: dict[str, str], setting: str, message: str | None):
    with pytest.raises(BadConnection) as refusal:
        check_settings(servers, config)

    assert refusal.value.details["setting"] == setting
    assert message in (None, refusal.value.message)
    assert refusal.value.hint


@pytest.mark.parametrize("name", ["plugin.library.paths", "ssl.ca.location", "sasl.oauthbearer.config", "debug"])
def test_a_setting_that_could_load_code_or_files_is_none_of_a_cluster(name: str):
    with pytest.raises(SettingNotAllowed, match=name):
        check_settings("kafka:9092", {name: "/tmp/evil.so"})


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "[64:ff9b::169.254.169.254]"]
)
def test_no_token_comes_from_the_metadata_of_a_cloud(host: str) -> None:
    with pytest.raises(AddressRefused):
        check_settings("k:1", TOKENS | {"sasl.oauthbearer.token.endpoint.url": f"http://{host}/token"})
