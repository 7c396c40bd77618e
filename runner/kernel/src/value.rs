//! Values of records. Text and bytes of a batch are borrowed from its buffers; those of stores are shared.

use std::ops::Deref;
use std::sync::Arc;

use crate::decimal::Decimal;
use crate::json::Type;

/// The kernel is not certain to do what the Python engine does. The record goes to the Python engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsure;

pub type Sure<T> = Result<T, Unsure>;

/// Text that a batch lends, or that values share.
#[derive(Debug, Clone)]
pub enum Text<'a> {
    Lent(&'a str),
    Shared(Arc<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Text::Lent(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text::Shared(text.into())
    }
}

/// Bytes that a batch lends, or that values share.
#[derive(Debug, Clone)]
pub enum Blob<'a> {
    Lent(&'a [u8]),
    Shared(Arc<[u8]>),
}

impl Deref for Blob<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Blob::Lent(bytes) => bytes,
            Blob::Shared(bytes) => bytes,
        }
    }
}

/// The number of a name that the plan does not use.
pub const UNNAMED: u32 = u32::MAX;

/// One member of a struct. `id` is the number of its name in the plan, or `UNNAMED`.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    pub id: u32,
    pub name: Text<'a>,
    pub value: Val<'a>,
}

/// A value as the Python engine has it: integers and doubles are distinct, structs keep the order of their members.
#[derive(Debug, Clone)]
pub enum Val<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Decimal(Decimal),
    Str(Text<'a>),
    Bytes(Blob<'a>),
    List(Arc<Vec<Val<'a>>>),
    Struct(Arc<Vec<Member<'a>>>),
    /// A key with the start and end of its window.
    Windowed(Arc<(Val<'a>, i64, i64)>),
}

impl<'a> Val<'a> {
    pub fn is_null(&self) -> bool {
        matches!(self, Val::Null)
    }

    pub fn text(text: String) -> Val<'a> {
        Val::Str(text.into())
    }

    /// An equal value that is not the same object.
    pub fn copy(&self) -> Val<'a> {
        match self {
            Val::List(items) => Val::List(Arc::new(items.to_vec())),
            Val::Struct(members) => Val::Struct(Arc::new(members.to_vec())),
            other => other.clone(),
        }
    }

    /// A copy that borrows nothing, for stores.
    pub fn keep(&self) -> Val<'static> {
        match self {
            Val::Null => Val::Null,
            Val::Bool(value) => Val::Bool(*value),
            Val::Int(value) => Val::Int(*value),
            Val::Double(value) => Val::Double(*value),
            Val::Decimal(value) => Val::Decimal(*value),
            Val::Str(text) => Val::Str(keep_text(text)),
            Val::Bytes(bytes) => Val::Bytes(Blob::Shared(match bytes {
                Blob::Lent(bytes) => Arc::from(*bytes),
                Blob::Shared(bytes) => bytes.clone(),
            })),
            Val::List(items) => Val::List(Arc::new(items.iter().map(Val::keep).collect())),
            Val::Struct(members) => Val::Struct(Arc::new(
                members
                    .iter()
                    .map(|each| Member { id: each.id, name: keep_text(&each.name), value: each.value.keep() })
                    .collect(),
            )),
            Val::Windowed(key) => Val::Windowed(Arc::new((key.0.keep(), key.1, key.2))),
        }
    }

    /// The same, but the names of declared members are lent by their type.
    pub fn keep_as<'p>(&self, type_: &'p Type) -> Val<'p> {
        match (self, type_) {
            (Val::Struct(members), Type::Struct(fields)) => {
                let keep = |member: &Member<'a>| match fields.iter().find(|field| field.id == member.id) {
                    None => Member { id: member.id, name: keep_text(&member.name), value: member.value.keep() },
                    Some(field) => Member {
                        id: member.id,
                        name: Text::Lent(&field.name),
                        value: member.value.keep_as(&field.type_),
                    },
                };
                Val::Struct(Arc::new(members.iter().map(keep).collect()))
            }
            _ => self.keep(),
        }
    }

    /// The member with that number and name, or null. Members that no type declares have no number.
    pub fn member(&self, id: u32, name: &str) -> Sure<Val<'a>> {
        let Val::Struct(members) = self else { return Err(Unsure) };
        let numbered = members.iter().find(|each| each.id == id);
        let found = numbered.or_else(|| members.iter().find(|each| each.id == UNNAMED && *each.name == *name));
        Ok(found.map_or(Val::Null, |each| each.value.clone()))
    }

    /// The member of that name in a struct that no type declares.
    pub fn named(&self, name: &str) -> Sure<&Val<'a>> {
        let Val::Struct(members) = self else { return Err(Unsure) };
        members.iter().find(|each| *each.name == *name).map(|each| &each.value).ok_or(Unsure)
    }

    /// True if both are the same object, as Python's `is` tells of values that no node changed.
    pub fn is_same(&self, other: &Val) -> bool {
        if std::ptr::eq(std::ptr::from_ref(self).cast::<u8>(), std::ptr::from_ref(other).cast::<u8>()) {
            return true;
        }
        match (self, other) {
            (Val::List(one), Val::List(two)) => Arc::as_ptr(one).cast::<u8>() == Arc::as_ptr(two).cast::<u8>(),
            (Val::Struct(one), Val::Struct(two)) => Arc::as_ptr(one).cast::<u8>() == Arc::as_ptr(two).cast::<u8>(),
            _ => false,
        }
    }
}

fn keep_text(text: &Text) -> Text<'static> {
    Text::Shared(match text {
        Text::Lent(text) => Arc::from(*text),
        Text::Shared(text) => text.clone(),
    })
}
