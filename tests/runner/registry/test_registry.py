"""Questions to a real registry, directly and through a gate that asks who comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from designer.values.schemas import SchemaText
from runner.outgoing import AddressRefused, call
from runner.registry import (
    BadRegistry,
    NotJudged,
    Reference,
    Registry,
    RegistryNotAllowed,
    RegistryRefused,
    RegistryUnreachable,
    SchemaMissing,
)
from tests.gate import Gate, open_gate
from tests.openid.people import SECRET
from tests.openid.provider import OpenId
from webapp.local.apicurio import Apicurio, find_folder
from webapp.local.parts import JARS, run_part


def record(*fields: Any, name: str = "Order") -> SchemaText:
    members = [{"name": each, "type": "int"} if isinstance(each, str) else each for each in fields]
    space, _, own = name.rpartition(".")
    named = {"name": own, "namespace": space} if space else {"name": own}
    # as Apicurio 3 and Karapace write it, so that all registries return it unchanged
    return SchemaText("AVRO", json.dumps({"type": "record", **named, "fields": members}, separators=(",", ":")))


@pytest.fixture
def registry(registry_url: str) -> Registry:
    return Registry(registry_url, {}, is_internal=True)


@pytest.fixture
def gate(registry_url: str, tmp_path: Path) -> Iterator[Gate]:
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        yield gate


@pytest.fixture
def subject() -> str:
    return f"orders-{uuid4().hex[:8]}/ä-value"


def test_our_own_registry_has_its_schemas_after_a_restart_and_no_files_of_one_that_was_killed(
    registry_url: str, tmp_path: Path
):
    (tmp_path / "logs").mkdir()
    own, known = Apicurio(tmp_path, find_folder(JARS.parent), is_passing=True), list[str]()
    cache = tmp_path / "registry" / "vertx-cache"
    for subject in ("a-value", "b-value"):
        (cache / "of-a-killed-one").mkdir(parents=True)
        with run_part(own):
            assert len(list(cache.iterdir())) == 1, "only its own folder"
            registry = Registry(own.url, {}, is_internal=True)
            assert registry.subjects() == known
            assert registry.find(subject, record("id")) is None
            registry.register(subject, record("id"))
            known.append(subject)


def test_a_registered_schema_is_found_by_its_subject_its_id_and_its_text(registry: Registry, subject: str):
    schema = record("id")

    number = registry.register(subject, schema)

    assert registry.version(subject) == (subject, 1, number, schema)
    assert registry.schema(number) == schema
    assert registry.find_places(number) == [(subject, 1)]
    assert registry.find(subject, schema) == (subject, 1, number, schema)
    assert registry.find(subject, record("id", "other")) is None
    assert subject in registry.subjects() and registry.versions(subject) == [1]


def test_a_schema_comes_with_everything_it_refers_to(registry: Registry, subject: str):
    name = f"shop.Money{uuid4().hex[:8]}"
    money = record("cents", name=name)
    registry.register(name, money)
    order = record({"name": "paid", "type": name})
    body = {"schema": order.text, "references": [{"name": name, "subject": name, "version": 1}]}
    registry._send("POST", f"subjects/{subject.replace('/', '%2F')}/versions", body)

    assert registry.version(subject).schema == SchemaText("AVRO", order.text, ((name, money.text),))


def test_a_verdict_names_the_level_that_counts_and_the_field(registry: Registry, subject: str):
    registry.register(subject, record("id"))
    registry.client.set_compatibility(subject, "BACKWARD")

    refused = registry.judge(subject, record("id", "amount"))
    accepted = registry.judge(subject, record("id", {"name": "amount", "type": "int", "default": 0}))

    assert (refused.is_compatible, refused.level) == (False, "BACKWARD")
    assert "amount" in " ".join(refused.reasons)
    assert accepted == (True, "BACKWARD", (), None)
    assert registry.judge(f"{subject}-new", record("id")).is_compatible
    with pytest.raises(RegistryRefused, match="amount"):
        registry.register(subject, record("id", "amount"))


def test_a_transitive_level_counts_all_versions_although_the_registry_compares_with_one(
    registry: Registry, subject: str, gate: Gate
):
    for schema in (record("id", {"name": "note", "type": "string", "default": ""}), record("id"), record("id", "n")):
        registry.register(subject, schema)
    registry.client.set_compatibility(subject, "FULL_TRANSITIVE")
    place = f"POST /compatibility/subjects/{quote(subject, safe='')}/versions"
    # as Confluent's registry and Karapace, which compare with the version of the request only
    gate.recorded = {f"{place}/{each}?": (200, '{"is_compatible":true}') for each in ("latest", 3, 2)}
    gate.recorded |= {f"{place}/1?": (200, '{"is_compatible":false,"messages":["no default"]}')}

    verdict = Registry(gate.address, {}, is_internal=True).judge(subject, record("id", "note"))

    assert verdict == (False, "FULL_TRANSITIVE", ("no default",), 1)
    assert [asked for asked in gate.requests if asked.startswith(place)] == [
        f"{place}/{n}?verbose=true" for n in (3, 2, 1)
    ]
    assert registry.judge(f"{subject}-new", record("id")).is_compatible


def test_apicurio_3_names_its_reasons_and_follows_references_in_a_dry_run(registry_url: str, tmp_path: Path):
    subject = f"orders-{uuid4().hex[:8]}-value"
    references = [Reference("shop.Money", "shop.Money", 1)]
    refuses = {"causes": [{"description": "amount", "context": "/fields/1"}], "name": "RuleViolationException"}
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        registry = Registry(gate.address, {}, is_internal=True)
        registry.register(subject, record("id"))
        dry = f"POST /apis/registry/v3/groups/default/artifacts/{subject}/versions?dryRun=true"
        check = "POST /compatibility/"

        gate.recorded = {check: (200, '{"is_compatible":false}'), dry: (400, json.dumps(refuses))}
        alone = registry.judge(subject, record("id", "amount"))
        wrong = '{"message":"Invalid schema: Syntax violation for Avro artifact.","error_code":42201}'
        gate.recorded[check] = (422, wrong)
        refused = registry.judge(subject, record("id", "amount"), references)
        gate.recorded[dry] = (200, '{"version":"2"}')
        accepted = registry.judge(subject, record("id"), references)
        gate.recorded[dry] = (404, '{"message":"no such API"}')
        with pytest.raises(NotJudged, match="Syntax violation"):
            registry.judge(subject, record("id"), references)

    assert (alone.is_compatible, alone.reasons) == (False, ("amount at /fields/1",))
    assert (refused.is_compatible, refused.reasons) == (False, ("amount at /fields/1",))
    assert accepted.is_compatible
    assert Registry(registry_url, {}, is_internal=True).versions(subject) == [1]


def test_a_protobuf_schema_that_the_registry_cannot_compile_comes_as_text(registry_url: str, tmp_path: Path):
    text = 'syntax = "proto3"; package shop; message Order { int64 id = 1; }'
    fails = '{"message":"expected Order.proto to have a path ending with shop/Order.proto","error_code":0}'
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        registry = Registry(gate.address, {}, is_internal=True)
        number = registry.register(f"orders-{uuid4().hex[:8]}-value", SchemaText("PROTOBUF", text))
        gate.recorded = {f"GET /schemas/ids/{number}?format=serialized": (500, fails)}  # Apicurio 3.3.3

        assert registry.schema(number, is_compiled=True) == SchemaText("PROTOBUF", text)


def test_a_schema_of_another_kind_is_refused_with_a_reason(registry: Registry, subject: str):
    registry.register(subject, record("id"))
    registry.client.set_compatibility(subject, "BACKWARD")

    verdict = registry.judge(subject, SchemaText("PROTOBUF", 'syntax = "proto3"; message Order { int64 id = 1; }'))

    assert verdict == (False, "BACKWARD", ("Its newest version is AVRO, and this schema is PROTOBUF.",), None)


def test_the_global_level_counts_for_a_subject_without_its_own(registry: Registry, subject: str):
    registry.register(subject, record("id"))
    before = registry.level()
    registry.client.set_compatibility(None, "FORWARD")
    try:
        without = registry.judge(subject, record("id")), registry.level(subject)
        rule = json.dumps({"type": "COMPATIBILITY", "config": "NONE"}).encode()  # Confluent's API takes the rule away
        place = f"/apis/registry/v2/groups/default/artifacts/{quote(subject, safe='')}/rules"
        address, headers = registry.url.removesuffix("/apis/ccompat/v7"), {"Content-Type": "application/json"}
        call(f"{address}{place}", method="POST", body=rule, headers=headers, is_internal=True, seconds=9, max_bytes=99)
        own = registry.level(subject)
    finally:
        registry.client.set_compatibility(None, before)

    assert without == ((True, "FORWARD", (), None), "FORWARD")
    assert own == "NONE"


def test_what_is_not_there_is_missing(registry: Registry):
    with pytest.raises(SchemaMissing, match="has no such schema"):
        registry.schema(4_000_000)
    with pytest.raises(SchemaMissing, match="has no such schema"):
        registry.version("nowhere")
    assert registry.find_associated("orders", "value") is None


def test_a_check_says_what_the_user_may_do_and_registers_nothing(registry: Registry, gate: Gate):
    whole = registry.check()
    gate.denied = {("POST", "/subjects")}
    less = Registry(gate.address, {}, is_internal=True)

    assert (whole.may_read, whole.may_list, whole.may_register) == (True, True, True)
    assert whole.level in ("NONE", "BACKWARD") and whole.subjects == len(registry.subjects())
    assert "streamwright-probe" not in registry.subjects()
    assert (less.check().may_register, less.check().may_read) == (False, True)
    gate.denied = {("GET", ""), ("POST", "")}
    with pytest.raises(RegistryNotAllowed, match="the gate is closed"):
        less.check()


def test_a_user_signs_in_with_a_password(registry_url: str, tmp_path: Path):
    with open_gate(Gate(registry_url, password="ada:love:lace"), tmp_path) as (gate, _, _):
        config = {"basic.auth.user": "ada", "basic.auth.password": "love:lace"}

        assert Registry(gate.address, config, is_internal=True).check().may_read
        with pytest.raises(RegistryNotAllowed):
            Registry(gate.address, config | {"basic.auth.password": "no"}, is_internal=True).check()


def test_a_user_signs_in_with_a_certificate_and_trusts_an_own_authority(registry_url: str, tmp_path: Path):
    with open_gate(Gate(registry_url), tmp_path, tls=True) as (gate, certificate, key):
        config = {"ssl.ca.pem": certificate, "ssl.certificate.pem": certificate, "ssl.key.pem": key}

        assert Registry(gate.address, config, is_internal=True).check().may_read
        with pytest.raises(RegistryUnreachable):
            Registry(gate.address, {"ssl.ca.pem": certificate}, is_internal=True).check()
        with pytest.raises(RegistryUnreachable, match="is not trusted"):
            Registry(gate.address, {}, is_internal=True).check()
        with pytest.raises(RegistryRefused, match="cannot be read"):
            Registry(gate.address, config | {"ssl.key.pem": "-----BEGIN nothing"}, is_internal=True).check()


def test_a_user_signs_in_with_a_token(registry_url: str, openid: OpenId, tmp_path: Path):
    with open_gate(Gate(registry_url, keys_url=openid.keys_url), tmp_path) as (gate, _, _):
        config = {
            "bearer.auth.issuer.endpoint.url": openid.token_url,
            "bearer.auth.client.id": "operator",
            "bearer.auth.client.secret": SECRET,
            "bearer.auth.scope": "kafka",
        }

        assert Registry(gate.address, config, is_internal=True).check().may_read
        with pytest.raises(RegistryNotAllowed, match="gave no token"):
            Registry(gate.address, config | {"bearer.auth.client.secret": "no"}, is_internal=True).check()


def test_a_registry_that_is_away_or_is_none_is_told_apart(registry_url: str, gate: Gate):
    away, here = Registry("http://127.0.0.1:1", {}, is_internal=True), Registry(gate.address, {}, is_internal=True)
    with pytest.raises(RegistryUnreachable, match="refuses connections"):
        away.check()
    gate.is_away = True
    with pytest.raises(RegistryUnreachable, match="answered 503"):
        here.schema(1)
    with pytest.raises(RegistryRefused, match="did not answer as a schema registry") as refused:
        Registry(registry_url.removesuffix("/ccompat/v7"), {}, is_internal=True).check()
    assert "/apis/ccompat/v7" in refused.value.hint


def test_no_address_of_an_internal_network_is_asked_unless_confirmed_and_no_redirect_followed(gate: Gate):
    with pytest.raises(AddressRefused, match="internal network"):
        Registry(gate.address, {}).check()
    with pytest.raises(AddressRefused, match="makes no request"):
        Registry("http://169.254.169.254", {}, is_internal=True).check()
    gate.redirect = "http://169.254.169.254/latest"
    with pytest.raises(RegistryRefused, match="sends requests to another address"):
        Registry(gate.address, {}, is_internal=True).schema(1)
    assert len(gate.requests) == 1


def test_an_endless_answer_and_references_in_a_circle_are_refused(gate: Gate, monkeypatch: pytest.MonkeyPatch):
    registry = Registry(gate.address, {}, is_internal=True)
    own = {"schema": "{}", "references": [{"name": "a", "subject": "a", "version": 1}]}
    with monkeypatch.context() as patch:
        patch.setattr(Registry, "_send", lambda *_: own)
        with pytest.raises(RegistryRefused, match="refers to itself: a → a"):
            registry.schema(1)
    monkeypatch.setattr("runner.registry.registry.MAX_BYTES", 1)
    with pytest.raises(RegistryUnreachable, match="longer than 1 bytes"):
        registry.subjects()


@pytest.mark.parametrize(
    ("url", "config", "setting"),
    [
        ("registry:8081", {}, "url"),
        ("http://ada:secret@registry", {}, "url"),
        ("http://registry", {"basic.auth.user": "ada"}, "basic.auth.password"),
        ("http://registry", {"ssl.certificate.pem": "x"}, "ssl.key.pem"),
        ("http://registry", {"bearer.auth.client.id": "x"}, "bearer.auth.client.secret"),
        ("http://registry", {"ssl.ca.location": "/etc/passwd"}, "ssl.ca.location"),
        (
            "http://registry",
            {"basic.auth.user": "a", "basic.auth.password": "b", "bearer.auth.scope": "c"},
            "basic.auth.user",
        ),
    ],
)
def test_the_first_wrong_setting_is_named(url: str, config: dict[str, str], setting: str):
    with pytest.raises(BadRegistry) as refused:
        Registry(url, config)
    assert refused.value.details["setting"] == setting
