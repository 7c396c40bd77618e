//! What reads any part of a plan: members, lists and numbers of JSON, and the numbers of names.

use crate::decimal::Digits;
use crate::plan::{Known, Unknown};
use crate::value::{UNNAMED, Val};

#[derive(Default)]
pub(super) struct Reader {
    names: Vec<String>,
}

impl Reader {
    pub(super) fn list<T>(&mut self, json: &Val, read: impl Fn(&mut Reader, &Val) -> Known<T>) -> Known<Vec<T>> {
        items(json)?.iter().map(|item| read(self, item)).collect()
    }

    pub(super) fn optional<T>(&mut self, json: &Val, read: impl Fn(&mut Reader, &Val) -> Known<T>) -> Known<Option<T>> {
        if json.is_null() { Ok(None) } else { read(self, json).map(Some) }
    }

    pub(super) fn id(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|each| each == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u32::try_from(place).unwrap_or(UNNAMED)
    }
}

pub(super) fn get<'v, 'a>(json: &'v Val<'a>, name: &str) -> Known<&'v Val<'a>> {
    match json {
        Val::Struct(members) => members
            .iter()
            .find(|member| *member.name == *name)
            .map(|member| &member.value)
            .ok_or_else(|| Unknown(format!("a plan without {name}"))),
        _ => Err(Unknown(format!("a plan that is no object beside {name}"))),
    }
}

pub(super) fn items<'v, 'a>(json: &'v Val<'a>) -> Known<&'v [Val<'a>]> {
    match json {
        Val::List(items) => Ok(items),
        _ => Err(Unknown("a plan without a list".into())),
    }
}

pub(super) fn at<'v, 'a>(items: &'v [Val<'a>], place: usize) -> Known<&'v Val<'a>> {
    items.get(place).ok_or_else(|| Unknown("a plan with a short list".into()))
}

pub(super) fn text_of<'v>(json: &'v Val) -> Known<&'v str> {
    match json {
        Val::Str(text) => Ok(text),
        _ => Err(Unknown("a plan without a text".into())),
    }
}

pub(super) fn int(json: &Val) -> Known<i64> {
    match json {
        Val::Int(number) => Ok(*number),
        _ => Err(Unknown("a plan without a number".into())),
    }
}

/// The digits of a decimal type: its name, its precision and its scale.
pub(super) fn digits(parts: &[Val]) -> Known<Digits> {
    Ok(Digits { precision: number(at(parts, 1)?)?, scale: number(at(parts, 2)?)? })
}

pub(super) fn number<T: TryFrom<i64>>(json: &Val) -> Known<T> {
    T::try_from(int(json)?).map_err(|_| Unknown("a number in a plan that is too large".into()))
}

pub(super) fn index(json: &Val) -> Known<usize> {
    number(json)
}

pub(super) fn flag(json: &Val) -> Known<bool> {
    match json {
        Val::Bool(value) => Ok(*value),
        _ => Err(Unknown("a plan without true or false".into())),
    }
}
