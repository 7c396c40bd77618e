//! Functions of expressions, as `designer/expressions/functions/` defines them. One that is not here runs in Python.

mod times;

use std::sync::Arc;

use crate::expr::{Cast, Compare, compare, join, to_double};
use crate::json;
use crate::value::{Sure, Text, Unsure, Val};

pub type Function = for<'a> fn(&[Val<'a>]) -> Sure<Val<'a>>;

/// A known function by name, with whether it takes nulls.
pub fn find(name: &str) -> Option<(Function, bool)> {
    FUNCTIONS.iter().find(|each| each.0 == name).map(|each| (each.1, each.2))
}

/// The names of all known functions.
pub fn names() -> Vec<&'static str> {
    FUNCTIONS.iter().map(|each| each.0).collect()
}

const FUNCTIONS: &[(&str, Function, bool)] = &[
    ("length", length, false),
    ("char_length", length, false),
    ("character_length", length, false),
    ("len", length, false),
    ("lower", lower, false),
    ("lcase", lower, false),
    ("upper", upper, false),
    ("ucase", upper, false),
    ("trim", |v| trim(v, true, true), false),
    ("ltrim", |v| trim(v, true, false), false),
    ("rtrim", |v| trim(v, false, true), false),
    ("substring", substring, false),
    ("substr", substring, false),
    ("left", left, false),
    ("right", right, false),
    ("concat", join, false),
    ("concat_ws", concat_ws, true),
    ("replace", replace, false),
    ("split_part", split_part, false),
    ("substring_index", substring_index, false),
    ("lpad", |v| pad(v, true), false),
    ("rpad", |v| pad(v, false), false),
    ("startswith", |v| Ok(Val::Bool(text(v, 0)?.starts_with(text(v, 1)?))), false),
    ("endswith", |v| Ok(Val::Bool(text(v, 0)?.ends_with(text(v, 1)?))), false),
    ("contains", |v| Ok(Val::Bool(text(v, 0)?.contains(text(v, 1)?))), false),
    ("instr", |v| Ok(Val::Int(find_text(text(v, 0)?, text(v, 1)?, 0) + 1)), false),
    ("locate", locate, false),
    ("position", locate, false),
    ("reverse", |v| Ok(Val::text(text(v, 0)?.chars().rev().collect())), false),
    ("ascii", |v| Ok(Val::Int(text(v, 0)?.chars().next().map_or(0, |c| i64::from(u32::from(c))))), false),
    ("abs", absolute, false),
    ("sign", sign, false),
    ("signum", sign, false),
    ("ceil", |v| round_with(v, f64::ceil), false),
    ("ceiling", |v| round_with(v, f64::ceil), false),
    ("floor", |v| round_with(v, f64::floor), false),
    ("try_divide", try_divide, false),
    ("sqrt", |v| to_double(&v[0]).map(|n| Val::Double(if n < 0.0 { f64::NAN } else { n.sqrt() })), false),
    ("pi", |_| Ok(Val::Double(std::f64::consts::PI)), false),
    ("greatest", |v| extreme(v, Compare::Greater), true),
    ("least", |v| extreme(v, Compare::Less), true),
    ("nullif", nullif, true),
    ("isnan", isnan, true),
    ("typeof", type_of, true),
    ("split", split, false),
    ("sequence", sequence, false),
    ("to_json", to_json, false),
    ("parse_json", |v| Ok(json::read(text(v, 0)?.as_bytes(), &json::Type::Any, true)?.keep()), false),
    ("array", |v| Ok(Val::List(Arc::new(v.to_vec()))), true),
    ("size", size, false),
    ("cardinality", size, false),
    ("array_size", size, false),
    ("get", |v| Ok(find_item(v, int(v, 1)?)?.unwrap_or(Val::Null)), false),
    ("element_at", |v| item_at(v)?.ok_or(Unsure), false),
    ("try_element_at", |v| Ok(item_at(v)?.unwrap_or(Val::Null)), false),
    ("year", times::year, false),
    ("quarter", times::quarter, false),
    ("month", times::month, false),
    ("day", times::day, false),
    ("dayofmonth", times::day, false),
    ("hour", times::hour, false),
    ("minute", times::minute, false),
    ("second", times::second, false),
    ("dayofyear", times::day_of_year, false),
    ("dayofweek", times::day_of_week, false),
    ("weekday", times::weekday, false),
    ("weekofyear", times::week_of_year, false),
    ("unix_seconds", times::unix_seconds, false),
    ("unix_millis", |v| int(v, 0).map(Val::Int), false),
    ("timestamp_seconds", times::timestamp_seconds, false),
    ("date_trunc", times::date_trunc, false),
    ("date_format", times::date_format, false),
    ("to_iso", times::to_iso, false),
    ("to_timestamp_ms", times::to_timestamp_ms, false),
    ("try_to_timestamp_ms", times::try_to_timestamp_ms, false),
    (
        "nanvl",
        |v| to_double(&v[0]).and_then(|n| if n.is_nan() { to_double(&v[1]) } else { Ok(n) }).map(Val::Double),
        false,
    ),
];

fn text<'v>(values: &'v [Val], at: usize) -> Sure<&'v str> {
    match values.get(at) {
        Some(Val::Str(text)) => Ok(text),
        _ => Err(Unsure),
    }
}

fn int(values: &[Val], at: usize) -> Sure<i64> {
    match values.get(at) {
        Some(Val::Int(number)) => Ok(*number),
        _ => Err(Unsure),
    }
}

/// Most items of a list that a function makes.
pub const MAX_ITEMS: usize = 100_000;

fn items<'v, 'a>(values: &'v [Val<'a>]) -> Sure<&'v [Val<'a>]> {
    match values.first() {
        Some(Val::List(items)) => Ok(items),
        _ => Err(Unsure),
    }
}

fn find_item<'a>(values: &[Val<'a>], index: i64) -> Sure<Option<Val<'a>>> {
    let items = items(values)?;
    Ok(usize::try_from(index).ok().and_then(|index| items.get(index)).cloned())
}

/// The item at a position from 1, or from the end if it is negative.
fn item_at<'a>(values: &[Val<'a>]) -> Sure<Option<Val<'a>>> {
    match int(values, 1)? {
        0 => Err(Unsure),
        position if position > 0 => find_item(values, position - 1),
        position => find_item(values, items(values)?.len() as i64 + position),
    }
}

fn size<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    match &values[0] {
        Val::List(items) => Ok(Val::Int(items.len() as i64)),
        Val::Struct(members) => Ok(Val::Int(members.len() as i64)),
        _ => Err(Unsure),
    }
}

fn type_of<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let name = match &values[0] {
        Val::Null => "void",
        Val::Bool(_) => "boolean",
        Val::Int(_) => "bigint",
        Val::Double(_) => "double",
        Val::Str(_) => "string",
        Val::Bytes(_) => "binary",
        Val::List(_) => "array",
        Val::Struct(_) => "struct",
        Val::Decimal(_) | Val::Windowed(_) => return Err(Unsure),
    };
    Ok(Val::Str(Text::Lent(name)))
}

/// Splits a text at another one, which is no pattern.
fn split<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (whole, by) = (text(values, 0)?, text(values, 1)?);
    let limit = if values.len() > 2 { usize::try_from(int(values, 2)?).unwrap_or(0) } else { 0 };
    if values.len() > 3 && whole.len() > usize::try_from(int(values, 3)?).unwrap_or(0) {
        return Err(Unsure); // Python finds a pattern only in shorter texts
    }
    let most = if limit > 0 { limit } else { usize::MAX };
    let parts: Vec<Val<'a>> = match &values[0] {
        Val::Str(Text::Lent(whole)) => whole.splitn(most, by).map(|part| Val::Str(Text::Lent(part))).collect(),
        _ => whole.splitn(most, by).map(|part| Val::text(part.to_owned())).collect(),
    };
    if by.is_empty() || parts.len() > MAX_ITEMS { Err(Unsure) } else { Ok(Val::List(Arc::new(parts))) }
}

/// The integers from one to another, both included.
fn sequence<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (start, stop) = (int(values, 0)?, int(values, 1)?);
    let by = if values.len() > 2 {
        int(values, 2)?
    } else if stop >= start {
        1
    } else {
        -1
    };
    if start == stop {
        return Ok(Val::List(Arc::new(vec![Val::Int(start)])));
    }
    let steps = stop.checked_sub(start).ok_or(Unsure)?.checked_div(by).ok_or(Unsure)?;
    if (by > 0) != (stop > start) || usize::try_from(steps).map_err(|_| Unsure)? >= MAX_ITEMS {
        return Err(Unsure);
    }
    Ok(Val::List(Arc::new((0..=steps).map(|number| Val::Int(start + by * number)).collect())))
}

fn to_json<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let mut data = Vec::new();
    json::write_with(&values[0], json::Decimals::AsNumbers, &mut data)?;
    limit(String::from_utf8(data).map_err(|_| Unsure)?, 0)
}

fn count(text: &str) -> i64 {
    if text.is_ascii() { text.len() as i64 } else { text.chars().count() as i64 }
}

fn length<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    match &values[0] {
        Val::Str(text) => Ok(Val::Int(count(text))),
        Val::Bytes(bytes) => Ok(Val::Int(bytes.len() as i64)),
        _ => Err(Unsure),
    }
}

fn lower<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let text = text(values, 0)?;
    if text.is_ascii() { Ok(Val::text(text.to_ascii_lowercase())) } else { Err(Unsure) }
}

fn upper<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let text = text(values, 0)?;
    if text.is_ascii() { Ok(Val::text(text.to_ascii_uppercase())) } else { Err(Unsure) }
}

fn trim<'a>(values: &[Val<'a>], start: bool, end: bool) -> Sure<Val<'a>> {
    let mut text = text(values, 0)?;
    if start {
        text = text.trim_start_matches(' ');
    }
    if end {
        text = text.trim_end_matches(' ');
    }
    Ok(Val::text(text.to_owned()))
}

/// The characters from `first` to before `last`, as Python's slices with positions that are not negative.
fn slice(text: &str, first: i64, last: i64) -> String {
    let (first, last) = (first.max(0), last.max(0));
    if last <= first {
        return String::new();
    }
    text.chars().skip(first as usize).take((last - first) as usize).collect()
}

fn substring<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (of, start) = (text(values, 0)?, int(values, 1)?);
    let size = count(of);
    let first = if start > 0 {
        start - 1
    } else if start < 0 {
        size.checked_add(start).ok_or(Unsure)?
    } else {
        0
    };
    let last = if values.len() > 2 { first.checked_add(int(values, 2)?).ok_or(Unsure)? } else { size };
    Ok(Val::text(slice(of, first, last)))
}

fn left<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    Ok(Val::text(slice(text(values, 0)?, 0, int(values, 1)?)))
}

fn right<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (of, length) = (text(values, 0)?, int(values, 1)?);
    let size = count(of);
    Ok(Val::text(if length > 0 { slice(of, size.saturating_sub(length), size) } else { String::new() }))
}

fn concat_ws<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    if values[0].is_null() {
        return Ok(Val::Null);
    }
    let separator = text(values, 0)?;
    let mut result = String::new();
    let mut is_first = true;
    for value in &values[1..] {
        match value {
            Val::Null => {}
            Val::Str(part) => {
                if !is_first {
                    result.push_str(separator);
                }
                is_first = false;
                result.push_str(part);
            }
            _ => return Err(Unsure),
        }
    }
    limit(result, separator.len() * values.len())
}

/// The text, unless it may be too long for the Python engine.
fn limit<'a>(text: String, more: usize) -> Sure<Val<'a>> {
    if text.len() + more > 1 << 20 { Err(Unsure) } else { Ok(Val::text(text)) }
}

fn replace<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (of, old) = (text(values, 0)?, text(values, 1)?);
    let new = if values.len() > 2 { text(values, 2)? } else { "" };
    if old.is_empty() {
        return Ok(values[0].clone());
    }
    limit(of.replace(old, new), 0)
}

fn split_part<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (of, delimiter, part) = (text(values, 0)?, text(values, 1)?, int(values, 2)?);
    if part == 0 {
        return Err(Unsure);
    }
    let mut parts: Box<dyn Iterator<Item = &str>> =
        if delimiter.is_empty() { Box::new(std::iter::once(of)) } else { Box::new(of.split(delimiter)) };
    let found = if part > 0 {
        parts.nth(usize::try_from(part - 1).map_err(|_| Unsure)?)
    } else {
        let all: Vec<&str> = parts.collect();
        let back = usize::try_from(part.unsigned_abs()).map_err(|_| Unsure)?;
        all.len().checked_sub(back).map(|at| all[at])
    };
    Ok(Val::text(found.unwrap_or("").to_owned()))
}

fn substring_index<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (of, delimiter, wanted) = (text(values, 0)?, text(values, 1)?, int(values, 2)?);
    if delimiter.is_empty() || wanted == 0 {
        return Ok(Val::text(String::new()));
    }
    if wanted < 0 {
        return Err(Unsure);
    }
    let end = of.match_indices(delimiter).nth((wanted - 1) as usize).map_or(of.len(), |(at, _)| at);
    Ok(Val::text(of[..end].to_owned()))
}

fn pad<'a>(values: &[Val<'a>], on_left: bool) -> Sure<Val<'a>> {
    let (of, length) = (text(values, 0)?, int(values, 1)?);
    let fill = if values.len() > 2 { text(values, 2)? } else { " " };
    let missing = length.checked_sub(count(of)).ok_or(Unsure)?;
    if length > 10_000 {
        return Err(Unsure);
    }
    let filling: String = fill.chars().cycle().take(missing.max(0) as usize).collect();
    let kept = slice(of, 0, length);
    Ok(Val::text(if on_left { filling + &kept } else { kept + &filling }))
}

/// The position of a part in characters from `from`, or -1.
fn find_text(of: &str, part: &str, from: usize) -> i64 {
    let Some((start, _)) =
        of.char_indices().nth(from).or_else(|| (count(of) as usize == from).then_some((of.len(), ' ')))
    else {
        return -1;
    };
    of[start..].find(part).map_or(-1, |at| count(&of[..start + at]))
}

fn locate<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (part, of) = (text(values, 0)?, text(values, 1)?);
    let start = if values.len() > 2 { int(values, 2)? } else { 1 };
    if start <= 0 {
        return Ok(Val::Int(0));
    }
    Ok(Val::Int(find_text(of, part, usize::try_from(start - 1).map_err(|_| Unsure)?) + 1))
}

fn absolute<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    match &values[0] {
        Val::Int(number) => number.checked_abs().map(Val::Int).ok_or(Unsure),
        Val::Double(number) => Ok(Val::Double(number.abs())),
        _ => Err(Unsure),
    }
}

fn sign<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let number = to_double(&values[0])?;
    if number.is_nan() {
        return Err(Unsure);
    }
    Ok(Val::Double(if number == 0.0 { 0.0 } else { number.signum() }))
}

#[allow(clippy::cast_possible_truncation)]
fn round_with<'a>(values: &[Val<'a>], round: fn(f64) -> f64) -> Sure<Val<'a>> {
    match &values[0] {
        Val::Int(number) => Ok(Val::Int(*number)),
        Val::Double(number) => {
            let whole = round(*number);
            if whole.abs() < 9e18 { Ok(Val::Int(whole as i64)) } else { Err(Unsure) }
        }
        _ => Err(Unsure),
    }
}

fn try_divide<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    if let (Val::Int(left), Val::Int(right)) = (&values[0], &values[1])
        && (left.abs_diff(0) > 1 << 53 || right.abs_diff(0) > 1 << 53)
    {
        return Err(Unsure);
    }
    let (number, divisor) = (to_double(&values[0])?, to_double(&values[1])?);
    Ok(if divisor == 0.0 { Val::Null } else { Val::Double(number / divisor) })
}

/// The first value that no other one exceeds. NaN is larger than all numbers.
fn extreme<'a>(values: &[Val<'a>], wins: Compare) -> Sure<Val<'a>> {
    let mut best: Option<&Val> = None;
    for value in values.iter().filter(|value| !value.is_null()) {
        match best {
            None => best = Some(value),
            Some(present) => {
                let (larger, smaller) = if wins == Compare::Less { (present, value) } else { (value, present) };
                if compare(wins, value, present)? || is_nan(larger) && !is_nan(smaller) {
                    best = Some(value);
                }
            }
        }
    }
    Ok(best
        .map_or(Val::Null, |best| values.iter().find(|each| std::ptr::eq(*each, best)).unwrap_or(&Val::Null).clone()))
}

fn is_nan(value: &Val) -> bool {
    matches!(value, Val::Double(number) if number.is_nan())
}

fn nullif<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    if values[0].is_null() || values[1].is_null() {
        return Ok(values[0].clone());
    }
    Ok(if compare(Compare::Equal, &values[0], &values[1])? { Val::Null } else { values[0].clone() })
}

fn isnan<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    match &values[0] {
        Val::Null | Val::Int(_) => Ok(Val::Bool(false)),
        Val::Double(number) => Ok(Val::Bool(number.is_nan())),
        _ => Err(Unsure),
    }
}

/// CAST, and TRY_CAST if `is_safe`. A cast that fails is `Unsure`.
#[allow(clippy::cast_possible_truncation)]
pub fn cast(to: Cast, is_safe: bool, value: Val) -> Sure<Val> {
    let _ = is_safe;
    Ok(match (to, value) {
        (_, Val::Null) => Val::Null,
        (Cast::Int, Val::Int(number)) => Val::Int(number),
        (Cast::Int, Val::Bool(value)) => Val::Int(i64::from(value)),
        (Cast::Int, Val::Double(number)) if number.abs() < 9e18 => Val::Int(number as i64),
        (Cast::Int, Val::Str(text)) => {
            let digits = text.trim_matches(' ');
            let plain = digits.strip_prefix('-').unwrap_or(digits);
            if plain.is_empty() || plain.len() > 18 || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Unsure);
            }
            Val::Int(digits.parse().map_err(|_| Unsure)?)
        }
        (Cast::Double, Val::Double(number)) => Val::Double(number),
        (Cast::Double, value @ Val::Int(_)) => Val::Double(to_double(&value)?),
        (Cast::Double, Val::Bool(value)) => Val::Double(if value { 1.0 } else { 0.0 }),
        (Cast::Bool, Val::Bool(value)) => Val::Bool(value),
        (Cast::Bool, Val::Int(number)) => Val::Bool(number != 0),
        (Cast::Bool, Val::Double(number)) => Val::Bool(number != 0.0),
        (Cast::Text, Val::Str(text)) => Val::Str(text),
        (Cast::Text, Val::Bool(value)) => Val::text(value.to_string()),
        (Cast::Text, Val::Int(number)) => Val::text(number.to_string()),
        // below and above, Java writes an exponent that zmij writes otherwise
        (Cast::Text, Val::Double(number)) if number == 0.0 || (1e-3..1e7).contains(&number.abs()) => {
            Val::text(zmij::Buffer::new().format_finite(number).to_owned())
        }
        _ => return Err(Unsure),
    })
}
