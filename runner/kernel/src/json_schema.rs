//! JSON that a JSON Schema accepts, by rules that `runner/engine/kernel/json_schema.py` made of common keywords. What
//! a rule does not surely accept is `Unsure`: the Python engine judges it, and says why it is refused.

use std::cell::Cell;

use crate::frame::Frame;
use crate::json::{self, Decimals, Pool, Reads, Type};
use crate::value::{Member, Sure, UNNAMED, Unsure, Val};

/// Integers up to here are doubles, too.
const EXACT: u64 = 1 << 53;
/// Any number of so many characters is the nearest one to some double.
const MAX_DIGITS: usize = 15;

/// One side of a topic in JSON with a schema.
#[derive(Debug)]
pub struct JsonSchema {
    pub frame: Frame,
    pub type_: Type,
    pub rule: Rule,
}

/// What a schema says of a value. Each part only judges values of its own kind.
#[derive(Debug)]
pub struct Rule {
    /// JSON's own types, or any if there are none.
    pub words: Vec<Word>,
    /// True if null is accepted, whatever else is said.
    pub takes_null: bool,
    /// The only values, if they are listed.
    pub choices: Option<Vec<Val<'static>>>,
    pub members: Vec<Property>,
    pub others: Others,
    pub item: Option<Box<Rule>>,
    pub item_count: Limits,
    /// The number of characters of a text.
    pub length: Limits,
    pub bounds: Vec<(Bound, Val<'static>)>,
}

#[derive(Debug)]
pub struct Property {
    pub id: u32,
    pub name: String,
    pub is_required: bool,
    pub rule: Rule,
}

/// Members of an object that are not named.
#[derive(Debug)]
pub enum Others {
    Taken,
    Refused,
    By(Box<Rule>),
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub least: usize,
    pub most: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Least,
    Most,
    Above,
    Below,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Array,
    Object,
}

impl JsonSchema {
    /// The value of bytes, whose record has these headers.
    pub fn decode<'a>(&'a self, data: &'a [u8], headers: Option<&str>, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        let start = self.frame.open(data, headers)?.start;
        let value = json::read_some(&data[start..], &self.type_, true, &Reads::All, pool)?;
        // an unchanged value leaves with its bytes, and equal scalars may be one object in Python
        let is_whole = matches!(value, Val::Struct(_) | Val::List(_));
        if is_whole && self.is_valid(&value, data) { Ok(value) } else { Err(Unsure) }
    }

    /// Appends the bytes of a value.
    pub fn encode(&self, value: &Val, out: &mut Vec<u8>) -> Sure<()> {
        out.extend(&self.frame.prefix);
        let start = out.len();
        json::write_with(value, Decimals::AsNumbers, out)?;
        if self.is_valid(value, &out[start..]) { Ok(()) } else { Err(Unsure) }
    }

    /// True if the schema surely accepts a value with this text.
    fn is_valid(&self, value: &Val, data: &[u8]) -> bool {
        let is_at_limit = Cell::new(false);
        self.rule.accepts(value, &is_at_limit) && !(is_at_limit.get() && has_long_numbers(data))
    }
}

impl Rule {
    /// True if the schema surely accepts a value. `is_at_limit` is set if a double equals a limit: then all digits
    /// decide, of which a double may have lost some.
    fn accepts(&self, value: &Val, is_at_limit: &Cell<bool>) -> bool {
        if value.is_null() && self.takes_null {
            return true;
        }
        if !self.words.is_empty() && !self.words.iter().any(|word| word.holds(value)) {
            return false;
        }
        if let Some(choices) = &self.choices
            && !choices.iter().any(|choice| is_same_scalar(choice, value))
        {
            return false;
        }
        match value {
            Val::Null | Val::Bool(_) => true,
            Val::Int(_) | Val::Double(_) => {
                self.bounds.iter().all(|(bound, limit)| bound.holds(value, limit, is_at_limit))
            }
            Val::Str(text) => self.length.hold(|| text.chars().count()),
            Val::List(items) => {
                self.item_count.hold(|| items.len())
                    && self.item.as_ref().is_none_or(|rule| items.iter().all(|item| rule.accepts(item, is_at_limit)))
            }
            Val::Struct(members) => self.accepts_members(members, is_at_limit),
            Val::Decimal(_) | Val::Bytes(_) | Val::Windowed(_) => false,
        }
    }

    fn accepts_members(&self, members: &[Member], is_at_limit: &Cell<bool>) -> bool {
        let mut found = 0;
        for (place, member) in members.iter().enumerate() {
            let is_its = |property: &&Property| {
                property.id == member.id || (member.id == UNNAMED && *property.name == *member.name)
            };
            let usual = self.members.get(place).filter(is_its);
            let accepted = match usual.or_else(|| self.members.iter().find(is_its)) {
                Some(property) => {
                    found += usize::from(property.is_required);
                    property.rule.accepts(&member.value, is_at_limit)
                }
                None => match &self.others {
                    Others::Taken => true,
                    Others::Refused => false,
                    Others::By(rule) => rule.accepts(&member.value, is_at_limit),
                },
            };
            if !accepted {
                return false;
            }
        }
        found == self.members.iter().filter(|property| property.is_required).count()
    }
}

impl Word {
    fn holds(self, value: &Val) -> bool {
        match value {
            Val::Null => self == Word::Null,
            Val::Bool(_) => self == Word::Boolean,
            Val::Int(_) => matches!(self, Word::Integer | Word::Number),
            Val::Double(number) => self == Word::Number && number.is_finite(),
            Val::Str(_) => self == Word::Text,
            Val::List(_) => self == Word::Array,
            Val::Struct(_) => self == Word::Object,
            Val::Decimal(_) | Val::Bytes(_) | Val::Windowed(_) => false,
        }
    }
}

impl Limits {
    fn hold(self, count: impl FnOnce() -> usize) -> bool {
        if self.least == 0 && self.most.is_none() {
            return true;
        }
        let count = count();
        count >= self.least && self.most.is_none_or(|most| count <= most)
    }
}

impl Bound {
    fn holds(self, value: &Val, limit: &Val, is_at_limit: &Cell<bool>) -> bool {
        let order = match (value, limit) {
            (Val::Int(value), Val::Int(limit)) => Some(value.cmp(limit)),
            _ => match (to_double(value), to_double(limit)) {
                (Some(value), Some(limit)) => {
                    is_at_limit.set(is_at_limit.get() || value == limit);
                    value.partial_cmp(&limit)
                }
                _ => None,
            },
        };
        order.is_some_and(|order| match self {
            Bound::Least => order.is_ge(),
            Bound::Most => order.is_le(),
            Bound::Above => order.is_gt(),
            Bound::Below => order.is_lt(),
        })
    }
}

/// The number as a double, if that is exact.
fn to_double(value: &Val) -> Option<f64> {
    match value {
        Val::Int(number) if number.unsigned_abs() <= EXACT => Some(*number as f64),
        Val::Double(number) => Some(*number),
        _ => None,
    }
}

fn is_same_scalar(choice: &Val, value: &Val) -> bool {
    match (choice, value) {
        (Val::Null, Val::Null) => true,
        (Val::Bool(one), Val::Bool(other)) => one == other,
        (Val::Int(one), Val::Int(other)) => one == other,
        (Val::Str(one), Val::Str(other)) => **one == **other,
        _ => false,
    }
}

/// True if a text may have numbers with more digits than a double holds, or with an exponent.
fn has_long_numbers(data: &[u8]) -> bool {
    let mut length = 0;
    data.iter().any(|byte| match byte {
        b'0'..=b'9' | b'.' => {
            length += 1;
            length > MAX_DIGITS
        }
        b'e' | b'E' if length > 0 => true,
        _ => {
            length = 0;
            false
        }
    })
}
