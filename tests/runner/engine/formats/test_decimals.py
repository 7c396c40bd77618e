from decimal import Decimal

import pytest

from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Kind, Type, decimal, map_of, struct
from runner.engine.formats import DecodeError, get_format
from runner.engine.formats.display import write_shown
from runner.engine.records.codecs import change_codec, make_value_codec
from runner.engine.records.plain import NotPlain, copy_value, make_fitter

JSON = get_format("json")
PAYMENT = struct(id=INTEGER, amount=decimal(20, 2), rate=DOUBLE, note=STRING)


def test_a_decimal_keeps_digits_that_a_double_would_lose():
    data = b'{"id":1,"amount":12345678901234567.89,"rate":0.1,"note":"x"}'

    payment = JSON.make_decoder(PAYMENT)(data)

    assert payment == {"id": 1, "amount": Decimal("12345678901234567.89"), "rate": 0.1, "note": "x"}
    assert JSON.make_encoder(PAYMENT)(payment) == data


@pytest.mark.parametrize(
    ("written", "digits"),
    [("7", "7.00"), ("0.1", "0.10"), ("-1.50", "-1.50"), ("1.500", "1.50"), ("1e2", "100.00"), ("-0", "0.00")],
)
def test_a_decimal_is_written_with_the_digits_of_its_scale(written: str, digits: str):
    payment = JSON.make_decoder(PAYMENT)(f'{{"amount": {written}}}'.encode())

    assert JSON.make_encoder(PAYMENT)(payment) == f'{{"amount":{digits}}}'.encode()


def test_a_text_that_holds_a_number_is_read_as_one_and_null_stays():
    decode = JSON.make_decoder(PAYMENT)

    assert decode(b'{"amount": "12345678901234567.89"}') == {"amount": Decimal("12345678901234567.89")}
    assert decode(b'{"amount": null}') == {"amount": None}
    assert decode(b"{}") == {}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("1.005", r"Field `amount` is 1\.005; decimal\(20,2\) has 2 digits after the point"),
        ("1000000000000000000", r"Field `amount` is 1000000000000000000, which does not fit into decimal\(20,2\)"),
        ('"ten"', r"Field `amount` is text; expected decimal\(20,2\)"),
        ('"1.5 "', r"Field `amount` is text; expected decimal\(20,2\)"),
        ("true", r"Field `amount` is true or false; expected decimal\(20,2\)"),
        ("[1]", r"Field `amount` is a list; expected decimal\(20,2\)"),
        ("NaN", "Not valid JSON"),
        ("1" + "0" * 5_000, "5,001 digits"),
    ],
)
def test_what_is_no_decimal_of_that_size_names_its_field(written: str, message: str):
    with pytest.raises(DecodeError, match=message):
        JSON.make_decoder(PAYMENT)(f'{{"amount": {written}}}'.encode())


def test_decimals_stand_anywhere_in_a_value():
    price = decimal(4, 2)
    held = struct(lines=Type(Kind.LIST, item=struct(price=price)), by_name=map_of(price), alone=price)

    data = b'{"lines":[{"price":0.10},null],"by_name":{"a":0.20,"b":null},"alone":0.30}'
    value = JSON.make_decoder(held)(data)

    assert value["lines"][0]["price"] + value["by_name"]["a"] == value["alone"]
    assert JSON.make_encoder(held)(value) == data
    assert JSON.make_encoder(price)(JSON.make_decoder(price)(b"1")) == b"1.00"


def test_a_text_of_another_shape_than_declared_is_an_error_as_ever():
    with pytest.raises(DecodeError, match="expected struct"):
        JSON.make_decoder(PAYMENT)(b"[0.1]")
    with pytest.raises(DecodeError, match="Field `a` is an object; expected list"):
        JSON.make_decoder(struct(a=Type(Kind.LIST, item=decimal(4, 2))))(b'{"a": {"b": 0.1}}')
    with pytest.raises(DecodeError, match="nested deeper than 200 levels"):
        JSON.make_decoder(PAYMENT)(b'{"x":' + b"[" * 1_000 + b"]" * 1_000 + b"}")


@pytest.mark.parametrize("held", [PAYMENT, ANY])
def test_stored_and_shuffled_values_keep_their_decimals(held: Type):
    pack, unpack = make_value_codec(held)
    pack_change, unpack_change = change_codec(held)
    value = {"id": 1, "amount": Decimal("12345678901234567.80"), "rate": 0.1, "\0": ["1.5"], "more": {"\0": ["1.5"]}}

    stored, (new, old) = unpack(pack(value)), unpack_change(pack_change(value, value))

    assert stored == new == old == value
    assert str(stored["amount"]) == "12345678901234567.80"
    assert stored["more"] == {"\0": ["1.5"]}


def test_a_decimal_is_shown_as_a_number_with_all_its_digits():
    value = {"amount": Decimal("12345678901234567.80"), "small": Decimal("0.0000000")}

    assert write_shown(value) == '{"amount":12345678901234567.80,"small":0.0000000}'


def test_code_of_users_gets_and_gives_decimals():
    fit = make_fitter(PAYMENT)

    assert copy_value({"amount": [Decimal("1.50")]}) == {"amount": [Decimal("1.50")]}
    assert str(fit({"amount": Decimal("1.5")})["amount"]) == "1.50"
    assert str(fit({"amount": 2})["amount"]) == "2.00"
    with pytest.raises(DecodeError, match=r"a float, which has no exact digits; expected decimal\(20,2\), a Decimal"):
        fit({"amount": 1.5})
    with pytest.raises(NotPlain, match="NaN is not a decimal"):
        fit({"amount": Decimal("NaN")})


@pytest.mark.parametrize("content", ["\U0001f600", "YQ==", "a"])
def test_a_member_with_the_name_of_the_tag_is_kept_between_tasks(content: str):
    pack, unpack = make_value_codec(struct(free=map_of(STRING)))

    assert unpack(pack({"free": {"\0": content}})) == {"free": {"\0": content}}
