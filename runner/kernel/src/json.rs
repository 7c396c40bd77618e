//! JSON as orjson reads and writes it. Whatever the Python engine might read otherwise is `Unsure`.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::decimal::{Decimal, Digits};
use crate::value::{Blob, Member, Sure, Text, UNNAMED, Unsure, Val};

/// Most lists and objects around a value that is read.
pub const MAX_DEPTH: usize = 64;
/// Most lists and objects in each other that are written. Python refuses more in JSON, and packs them in another way.
const MAX_LEVELS: usize = 200;
const MAX_UNNAMED: usize = 256;
/// Most declared members of a document of which some are left out: one bit tells of each if it was there.
const MAX_PRUNED: usize = 64;
/// A number of so many characters is in the range of 64-bit integers, or of doubles.
const MAX_SHORT_NUMBER: usize = 18;

/// Most digits of an exponent.
const MAX_EXPONENT: usize = 9;

/// The declared type of a value.
#[derive(Debug, Clone)]
pub enum Type {
    Any,
    Bool,
    Int,
    Double,
    Decimal(Digits),
    Str,
    /// Only in packed values.
    Bytes,
    List(Box<Type>),
    Map(Box<Type>),
    Struct(Vec<Field>),
    /// A list whose items have a type each, of which only the engine makes some.
    Tuple(Vec<Type>),
}

impl Type {
    /// True if a part of its values may be of any type.
    pub fn holds_any(&self) -> bool {
        match self {
            Type::Any => true,
            Type::List(item) | Type::Map(item) => item.holds_any(),
            Type::Struct(fields) => fields.iter().any(|field| field.type_.holds_any()),
            Type::Tuple(items) => items.iter().any(Type::holds_any),
            Type::Bool | Type::Int | Type::Double | Type::Decimal(_) | Type::Str | Type::Bytes => false,
        }
    }
}

/// A declared member of a struct.
#[derive(Debug, Clone)]
pub struct Field {
    pub id: u32,
    pub name: String,
    pub type_: Type,
    /// False if no node reads this member, so its value is checked and not kept.
    pub is_read: bool,
    /// The name as most texts begin the member: `"name":`.
    start: Vec<u8>,
}

/// The members of a document that nodes read.
#[derive(Debug, Clone)]
pub enum Reads {
    All,
    /// Of declared members, those with `is_read`. Of others, those with these names.
    Some(Vec<Arc<str>>),
}

/// Structs of rows that are done, whose memory is used again.
#[derive(Debug, Default)]
pub struct Pool<'a>(Vec<Arc<Vec<Member<'a>>>>);

impl<'a> Pool<'a> {
    /// An empty struct that nobody else has.
    pub fn take(&mut self, capacity: usize) -> Arc<Vec<Member<'a>>> {
        self.0.pop().unwrap_or_else(|| Arc::new(Vec::with_capacity(capacity)))
    }

    /// Takes back the memory of a value, unless somebody else still has it.
    pub fn give(&mut self, value: Val<'a>) {
        const MOST: usize = 16;
        if let Val::Struct(mut shared) = value
            && self.0.len() < MOST
            && let Some(members) = Arc::get_mut(&mut shared)
        {
            members.clear();
            self.0.push(shared);
        }
    }
}

impl Field {
    pub fn new(id: u32, name: &str, type_: Type) -> Field {
        let mut start = Vec::new();
        write_text(name, &mut start);
        start.push(b':');
        Field { id, name: name.to_owned(), type_, is_read: true, start }
    }
}

/// Reads one document whole. With `checks` its values must be of the type (formats), otherwise the type only says which
/// names to number (packed values).
pub fn read<'a>(data: &'a [u8], type_: &'a Type, checks: bool) -> Sure<Val<'a>> {
    read_some(data, type_, checks, &Reads::All, &mut Pool::default())
}

/// Reads a packed value with its tags, which look like objects.
pub fn read_tagged(data: &[u8]) -> Sure<Val<'_>> {
    let text = std::str::from_utf8(data).map_err(|_| Unsure)?;
    let mut pool = Pool::default();
    let mut reader = Reader { text, bytes: data, at: 0, checks: false, takes_tags: true, pool: &mut pool };
    let value = reader.value(&Type::Any, 0)?;
    if reader.at == data.len() { Ok(value) } else { Err(Unsure) }
}

/// Reads one document, of which only some members are kept. All of it is checked.
pub fn read_some<'a>(
    data: &'a [u8],
    type_: &'a Type,
    checks: bool,
    reads: &'a Reads,
    pool: &mut Pool<'a>,
) -> Sure<Val<'a>> {
    if !checks && data.first() == Some(&b'{') && reads_nothing(type_, reads) {
        return Ok(Val::Struct(pool.take(0))); // a packed value is known to be right
    }
    let text = std::str::from_utf8(data).map_err(|_| Unsure)?;
    let mut reader = Reader { text, bytes: data, at: 0, checks, takes_tags: false, pool };
    reader.skip();
    let is_object = reader.bytes.get(reader.at) == Some(&b'{');
    let value = match (type_, reads) {
        (Type::Struct(fields), Reads::Some(others)) if is_object && fields.len() <= MAX_PRUNED => {
            reader.some_members(fields, &Type::Any, others)?
        }
        (Type::Map(item), Reads::Some(others)) if is_object => reader.some_members(&[], item, others)?,
        (Type::Any, Reads::Some(others)) if is_object => reader.some_members(&[], &Type::Any, others)?,
        _ => reader.value(type_, 0)?,
    };
    reader.skip();
    if reader.at == data.len() { Ok(value) } else { Err(Unsure) }
}

/// True if no node reads a member of a struct.
fn reads_nothing(type_: &Type, reads: &Reads) -> bool {
    let Reads::Some(others) = reads else { return false };
    let is_read = match type_ {
        Type::Struct(fields) => fields.len() > MAX_PRUNED || fields.iter().any(|field| field.is_read),
        Type::Map(_) | Type::Any => false,
        _ => true,
    };
    others.is_empty() && !is_read
}

struct Reader<'a, 'r> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    checks: bool,
    /// True if members may have the name of tags of packed values.
    takes_tags: bool,
    pool: &'r mut Pool<'a>,
}

impl<'a> Reader<'a, '_> {
    fn skip(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Sure<()> {
        self.skip();
        if self.bytes.get(self.at) == Some(&byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Unsure)
        }
    }

    fn word(&mut self, word: &str, value: Val<'a>) -> Sure<Val<'a>> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(Unsure)
        }
    }

    fn value(&mut self, type_: &'a Type, depth: usize) -> Sure<Val<'a>> {
        if depth > MAX_DEPTH {
            return Err(Unsure);
        }
        self.skip();
        let fits = |right: bool| if right || !self.checks || matches!(type_, Type::Any) { Ok(()) } else { Err(Unsure) };
        match self.bytes.get(self.at) {
            Some(b'"') => {
                fits(matches!(type_, Type::Str))?;
                Ok(Val::Str(self.string()?))
            }
            Some(b'{') if !self.checks && self.bytes[self.at..].starts_with(TAGGED.0.as_bytes()) => self.tagged(),
            Some(b'{') if !self.checks && matches!(type_, Type::Bytes) => self.tagged_bytes(),
            Some(b'{') => {
                fits(matches!(type_, Type::Struct(_) | Type::Map(_)))?;
                self.object(type_, depth)
            }
            Some(b'[') => {
                fits(matches!(type_, Type::List(_) | Type::Tuple(_)))?;
                self.list(type_, depth)
            }
            Some(b'n') => self.word("null", Val::Null),
            Some(b't') => {
                fits(matches!(type_, Type::Bool))?;
                self.word("true", Val::Bool(true))
            }
            Some(b'f') => {
                fits(matches!(type_, Type::Bool))?;
                self.word("false", Val::Bool(false))
            }
            Some(b'-' | b'0'..=b'9') => match type_ {
                Type::Decimal(digits) if self.checks => self.exact(*digits),
                _ => self.number(type_),
            },
            _ => Err(Unsure),
        }
    }

    /// A decimal with the tag of packed values.
    fn tagged(&mut self) -> Sure<Val<'a>> {
        let rest = &self.text[self.at + TAGGED.0.len()..];
        let (text, rest) = rest.split_at(rest.find('"').ok_or(Unsure)?);
        self.at = self.text.len() - rest.strip_prefix(TAGGED.1).ok_or(Unsure)?.len();
        Decimal::read_str(text).map(Val::Decimal)
    }

    /// Bytes with the tag of packed values.
    fn tagged_bytes(&mut self) -> Sure<Val<'a>> {
        let rest = self.text[self.at..].strip_prefix(TAGGED_BYTES.0).ok_or(Unsure)?;
        let (text, rest) = rest.split_at(rest.find('"').ok_or(Unsure)?);
        self.at = self.text.len() - rest.strip_prefix(TAGGED_BYTES.1).ok_or(Unsure)?.len();
        Ok(Val::Bytes(Blob::Shared(STANDARD.decode(text).map_err(|_| Unsure)?.into())))
    }

    /// A number that is declared as a decimal.
    fn exact(&mut self, digits: Digits) -> Sure<Val<'a>> {
        let rest = &self.text[self.at..];
        let is_part = |char: char| matches!(char, '-' | '+' | '.' | 'e' | 'E' | '0'..='9');
        let text = &rest[..rest.find(|char| !is_part(char)).unwrap_or(rest.len())];
        let whole = text.trim_start_matches('-');
        if whole.len() > 1 && whole.starts_with('0') && !whole.starts_with("0.") {
            return Err(Unsure);
        }
        self.at += text.len();
        Decimal::read(text)?.fit(digits).map(Val::Decimal)
    }

    fn number(&mut self, type_: &Type) -> Sure<Val<'a>> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        let first = self.at;
        let digits = self.digits()?;
        if digits > 1 && self.bytes[first] == b'0' {
            return Err(Unsure);
        }
        let mut is_integer = true;
        if self.bytes.get(self.at) == Some(&b'.') {
            is_integer = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            is_integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            if self.digits()? > MAX_EXPONENT {
                return Err(Unsure); // Python refuses a text whose numbers no decimal holds
            }
        }
        let text = &self.text[start..self.at];
        let of_double = self.checks && matches!(type_, Type::Double);
        if is_integer && text != "-0" && !of_double {
            let right = !self.checks || matches!(type_, Type::Int | Type::Any);
            return if right { text.parse().map(Val::Int).map_err(|_| Unsure) } else { Err(Unsure) };
        }
        if text == "-0" || !(of_double || !self.checks || matches!(type_, Type::Any)) {
            return Err(Unsure);
        }
        let number: f64 = text.parse().map_err(|_| Unsure)?;
        if !number.is_finite() || (!of_double && zmij::Buffer::new().format_finite(number) != text) {
            return Err(Unsure); // the Python engine keeps the digits of a number of unknown type
        }
        Ok(Val::Double(number))
    }

    fn digits(&mut self) -> Sure<usize> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        if self.at > start { Ok(self.at - start) } else { Err(Unsure) }
    }

    fn string(&mut self) -> Sure<Text<'a>> {
        self.at += 1;
        let start = self.at;
        while let Some(chunk) = self.bytes[self.at..].first_chunk() {
            let special = find_special(u64::from_le_bytes(*chunk));
            if special != 0 {
                self.at += special.trailing_zeros() as usize / 8;
                break;
            }
            self.at += 8;
        }
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    let text = &self.text[start..self.at];
                    self.at += 1;
                    return Ok(Text::Lent(text));
                }
                Some(b'\\') => return self.escaped(start),
                Some(0x20..) => self.at += 1,
                _ => return Err(Unsure),
            }
        }
    }

    fn escaped(&mut self, start: usize) -> Sure<Text<'a>> {
        let mut text = self.text[start..self.at].to_owned();
        loop {
            let plain = self.at;
            while matches!(self.bytes.get(self.at), Some(byte) if *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
                self.at += 1;
            }
            text.push_str(&self.text[plain..self.at]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text.into());
                }
                Some(b'\\') => {
                    let escape = *self.bytes.get(self.at + 1).ok_or(Unsure)?;
                    self.at += 2;
                    text.push(match escape {
                        b'"' | b'\\' | b'/' => char::from(escape),
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'n' => '\n',
                        b'r' => '\r',
                        b't' => '\t',
                        b'u' => self.unicode()?,
                        _ => return Err(Unsure),
                    });
                }
                _ => return Err(Unsure),
            }
        }
    }

    fn unicode(&mut self) -> Sure<char> {
        let first = self.hex()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(Unsure);
        }
        if !self.bytes[self.at..].starts_with(b"\\u") {
            return Err(Unsure);
        }
        self.at += 2;
        let second = self.hex()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(Unsure);
        }
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(Unsure)
    }

    fn hex(&mut self) -> Sure<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).ok_or(Unsure)?;
        self.at += 4;
        digits.iter().try_fold(0, |number, byte| Ok(number << 4 | char::from(*byte).to_digit(16).ok_or(Unsure)?))
    }

    fn list(&mut self, type_: &'a Type, depth: usize) -> Sure<Val<'a>> {
        let item_at = |place: usize| match type_ {
            Type::List(item) => item,
            Type::Tuple(items) => items.get(place).unwrap_or(&Type::Any),
            _ => &Type::Any,
        };
        let mut items = Vec::new();
        self.at += 1;
        self.skip();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return Ok(Val::List(Arc::new(items)));
        }
        loop {
            items.push(self.value(item_at(items.len()), depth + 1)?);
            self.skip();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Val::List(Arc::new(items)));
                }
                _ => return Err(Unsure),
            }
        }
    }

    fn object(&mut self, type_: &'a Type, depth: usize) -> Sure<Val<'a>> {
        let fields: &[Field] = if let Type::Struct(fields) = type_ { fields } else { &[] };
        let other = if let Type::Map(item) = type_ { item } else { &Type::Any };
        let mut object = self.pool.take(fields.len().max(4));
        let members = Arc::get_mut(&mut object).ok_or(Unsure)?;
        self.at += 1;
        self.skip();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return Ok(Val::Struct(object));
        }
        let (mut next, mut is_in_order) = (0, true);
        loop {
            self.skip();
            let usual = fields.get(next).filter(|field| self.bytes[self.at..].starts_with(&field.start));
            if is_in_order && let Some(field) = usual {
                self.at += field.start.len();
                next += 1;
                let value = self.value(&field.type_, depth + 1)?;
                members.push(Member { id: field.id, name: Text::Lent(&field.name), value });
                if self.is_end()? {
                    return Ok(Val::Struct(object));
                }
                continue;
            }
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(Unsure);
            }
            let name = self.string()?;
            if name.starts_with('\0') && !self.takes_tags {
                return Err(Unsure); // the tag of packed values
            }
            self.expect(b':')?;
            let found = fields.iter().find(|field| *field.name == *name);
            let (id, of) = found.map_or((UNNAMED, other), |field| (field.id, &field.type_));
            is_in_order &= found.is_some_and(|field| fields.get(next).is_some_and(|expected| expected.id == field.id));
            let may_repeat = !is_in_order && members.iter().any(|each| each.id == id && *each.name == *name);
            if may_repeat || members.len() > MAX_UNNAMED {
                return Err(Unsure); // the last of several members of one name counts
            }
            next += 1;
            let value = self.value(of, depth + 1)?;
            members.push(Member { id, name: found.map_or(name, |field| Text::Lent(&field.name)), value });
            if self.is_end()? {
                return Ok(Val::Struct(object));
            }
        }
    }

    /// An object of which only members with `is_read`, and others with these names, are kept. All members are checked
    /// as in `object`, but a member that nobody reads may repeat if no type declares it.
    fn some_members(&mut self, fields: &'a [Field], other: &'a Type, others: &[Arc<str>]) -> Sure<Val<'a>> {
        let mut object = self.pool.take(fields.len().max(4));
        let members = Arc::get_mut(&mut object).ok_or(Unsure)?;
        self.at += 1;
        self.skip();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return Ok(Val::Struct(object));
        }
        let (mut next, mut seen) = (0, 0_u64);
        loop {
            self.skip();
            let usual = fields.get(next).filter(|field| self.bytes[self.at..].starts_with(&field.start));
            let found = if let Some(field) = usual {
                self.at += field.start.len();
                Ok(field)
            } else {
                if self.bytes.get(self.at) != Some(&b'"') {
                    return Err(Unsure);
                }
                let name = self.string()?;
                if name.starts_with('\0') {
                    return Err(Unsure); // the tag of packed values
                }
                self.expect(b':')?;
                match fields.iter().position(|field| *field.name == *name) {
                    Some(place) => {
                        next = place;
                        Ok(&fields[place])
                    }
                    None => Err(name),
                }
            };
            match found {
                Ok(field) => {
                    if seen & (1 << next) != 0 {
                        return Err(Unsure); // the last of several members of one name counts
                    }
                    seen |= 1 << next;
                    next += 1;
                    if field.is_read {
                        let value = self.value(&field.type_, 1)?;
                        members.push(Member { id: field.id, name: Text::Lent(&field.name), value });
                    } else {
                        self.check(&field.type_, 1)?;
                    }
                }
                Err(name) if others.iter().any(|each| **each == *name) => {
                    if members.iter().any(|each| each.id == UNNAMED && *each.name == *name) {
                        return Err(Unsure);
                    }
                    let value = self.value(other, 1)?;
                    members.push(Member { id: UNNAMED, name, value });
                }
                Err(_) => self.check(other, 1)?,
            }
            if self.is_end()? {
                return Ok(Val::Struct(object));
            }
        }
    }

    /// Goes over a value that nobody reads. It is `Unsure` where `value` is, but for digits that a double would lose.
    fn check(&mut self, type_: &'a Type, depth: usize) -> Sure<()> {
        self.skip();
        let start = self.at;
        match (self.bytes.get(self.at), type_) {
            (Some(b'"'), Type::Str) => self.string().map(|_| ()),
            (Some(b'0'..=b'9'), Type::Int | Type::Double) => {
                let digits = self.digits()?;
                if digits > 1 && self.bytes[start] == b'0' {
                    return Err(Unsure);
                }
                let is_double = matches!(type_, Type::Double);
                if is_double && self.bytes.get(self.at) == Some(&b'.') {
                    self.at += 1;
                    self.digits()?;
                }
                // short ones without an exponent are in range and need no more
                if self.at - start <= MAX_SHORT_NUMBER && !matches!(self.bytes.get(self.at), Some(b'.' | b'e' | b'E')) {
                    return Ok(());
                }
                self.at = start;
                self.number(type_).map(|_| ())
            }
            _ => {
                let value = self.value(type_, depth)?;
                self.pool.give(value);
                Ok(())
            }
        }
    }

    /// True after the last member of an object, false after another.
    fn is_end(&mut self) -> Sure<bool> {
        self.skip();
        let is_end = match self.bytes.get(self.at) {
            Some(b',') => false,
            Some(b'}') => true,
            _ => return Err(Unsure),
        };
        self.at += 1;
        Ok(is_end)
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Marks the first byte of a word that is 0, by its highest bit. Later marks may be wrong.
fn find_zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & (ONES << 7)
}

/// Marks the first byte of a word that is a control character.
fn find_below_20(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & (ONES << 7)
}

/// Marks the first byte of a word that JSON escapes in texts, by its highest bit. Later marks may be wrong.
fn find_special(word: u64) -> u64 {
    find_zero(word ^ (ONES * 0x22)) | find_zero(word ^ (ONES * 0x5C)) | find_below_20(word)
}

/// A tag before and after the digits of a decimal in packed values (`runner/engine/records/tagging.py`).
const TAGGED: (&str, &str) = ("{\"\\u0000\":[\"", "\"]}");

/// The same of bytes.
const TAGGED_BYTES: (&str, &str) = ("{\"\\u0000\":\"", "\"}");

/// How decimals are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimals {
    /// Not at all.
    Refused,
    AsNumbers,
    /// With the tag of packed values, as bytes are.
    Tagged,
}

/// Writes a value as orjson does. Windowed keys, bytes and decimals without tags, and numbers that are not finite are `Unsure`.
pub fn write(value: &Val, out: &mut Vec<u8>) -> Sure<()> {
    write_with(value, Decimals::Refused, out)
}

/// True if more than so many lists and objects of a value are in each other.
pub fn is_deeper(value: &Val, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Val::List(_) | Val::Struct(_), None) => true,
        (Val::List(items), Some(rest)) => items.iter().any(|item| is_deeper(item, rest)),
        (Val::Struct(members), Some(rest)) => members.iter().any(|member| is_deeper(&member.value, rest)),
        _ => false,
    }
}

/// The same with decimals.
pub fn write_with(value: &Val, decimals: Decimals, out: &mut Vec<u8>) -> Sure<()> {
    write_levels(value, decimals, MAX_LEVELS, out)
}

fn write_levels(value: &Val, decimals: Decimals, levels: usize, out: &mut Vec<u8>) -> Sure<()> {
    match value {
        Val::Decimal(number) => match decimals {
            Decimals::Refused => return Err(Unsure),
            Decimals::AsNumbers => number.write(out),
            Decimals::Tagged => {
                out.extend(TAGGED.0.as_bytes());
                number.write_str(out);
                out.extend(TAGGED.1.as_bytes());
            }
        },
        Val::Null => out.extend(b"null"),
        Val::Bool(true) => out.extend(b"true"),
        Val::Bool(false) => out.extend(b"false"),
        Val::Int(number) => out.extend(itoa::Buffer::new().format(*number).as_bytes()),
        Val::Double(number) if number.is_finite() => {
            out.extend(zmij::Buffer::new().format_finite(*number).as_bytes());
        }
        Val::Str(text) => write_text(text, out),
        Val::List(items) => {
            let rest = levels.checked_sub(1).ok_or(Unsure)?;
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_levels(item, decimals, rest, out)?;
            }
            out.push(b']');
        }
        Val::Struct(members) => {
            let rest = levels.checked_sub(1).ok_or(Unsure)?;
            out.push(b'{');
            for (index, member) in members.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_text(&member.name, out);
                out.push(b':');
                write_levels(&member.value, decimals, rest, out)?;
            }
            out.push(b'}');
        }
        Val::Bytes(bytes) if decimals == Decimals::Tagged => {
            out.extend(TAGGED_BYTES.0.as_bytes());
            out.extend(STANDARD.encode(bytes.as_ref()).as_bytes());
            out.extend(TAGGED_BYTES.1.as_bytes());
        }
        Val::Double(_) | Val::Bytes(_) | Val::Windowed(_) => return Err(Unsure),
    }
    Ok(())
}

pub fn write_text(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        out.reserve(text.len() + 2);
        out.push(b'"');
        out.extend(text.as_bytes());
        out.push(b'"');
    } else {
        write_escaped(text, out);
    }
}

/// True if JSON escapes nothing of a text.
fn is_plain(text: &[u8]) -> bool {
    let Some(last) = text.last_chunk() else {
        return text.iter().all(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\');
    };
    let words = text.as_chunks().0.iter().chain([last]);
    words.fold(0, |found, word| found | find_special(u64::from_le_bytes(*word))) == 0
}

fn write_escaped(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut plain = 0;
    let mut index = 0;
    while index < bytes.len() {
        if let Some(chunk) = bytes[index..].first_chunk() {
            let special = find_special(u64::from_le_bytes(*chunk));
            if special == 0 {
                index += 8;
                continue;
            }
            index += special.trailing_zeros() as usize / 8;
        }
        let byte = bytes[index];
        index += 1;
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend(&bytes[plain..index - 1]);
        plain = index;
        match byte {
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            0x08 => out.extend(b"\\b"),
            0x09 => out.extend(b"\\t"),
            0x0A => out.extend(b"\\n"),
            0x0C => out.extend(b"\\f"),
            0x0D => out.extend(b"\\r"),
            _ => out.extend(&[b'\\', b'u', b'0', b'0', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
        }
    }
    out.extend(&bytes[plain..]);
    out.push(b'"');
}
