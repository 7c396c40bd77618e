//! Protobuf's binary encoding, by messages that `runner/engine/kernel/protobuf.py` made of descriptors. Whatever the
//! Python engine refuses, and what it might read or write otherwise, is `Unsure`.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::decimal::Decimal;
use crate::frame::Frame;
use crate::json::Pool;
use crate::value::{Blob, Member, Sure, Text, UNNAMED, Unsure, Val};

/// Most levels of messages in each other.
const MAX_DEPTH: usize = 60;
/// Most entries of a map, whose keys are compared with each other.
const MAX_ENTRIES: usize = 256;
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH: u64 = 2;
const FIXED32: u64 = 5;
const MICRO: i64 = 1_000_000;
const NANO: i64 = 1_000;
/// Microseconds since 1970 of the years 1 to 9999, and of at most 10,000 years.
const TIMES: std::ops::Range<i64> = -62_135_596_800 * MICRO..253_402_300_800 * MICRO;
const LONGEST: u64 = 315_576_000_000 * MICRO.unsigned_abs();
/// The least number that a float does not hold.
const MAX_FLOAT: f64 = 3.402_823_567_797_336_6e38;

/// One side of a topic in Protobuf.
#[derive(Debug)]
pub struct Protobuf {
    pub frame: Frame,
    /// The message indexes that name the message, for each schema that records may be written with.
    pub indexes: Vec<Vec<Vec<u8>>>,
    /// The message of the side, and those inside it.
    pub messages: Vec<Message>,
}

#[derive(Debug)]
pub struct Message {
    fields: Vec<Field>,
    /// The places of fields in order of their numbers.
    by_number: Vec<usize>,
    /// True if fields are required or are maps, which is looked at when all are read.
    has_end: bool,
}

#[derive(Debug)]
pub struct Field {
    pub number: u32,
    pub id: u32,
    pub name: String,
    pub of: Of,
    pub label: Label,
    pub missing: Missing,
    pub has_presence: bool,
    pub is_required: bool,
    pub is_packed: bool,
    pub oneof: Option<u32>,
}

/// The value of a field that is not there.
#[derive(Debug)]
pub enum Missing {
    Null,
    /// The zero of its type.
    Zero,
    Default(Val<'static>),
}

#[derive(Debug)]
pub enum Label {
    One,
    List,
    /// A map with keys of this type.
    Map(Of),
}

/// The type of a field's value.
#[derive(Debug)]
pub enum Of {
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Float,
    Double,
    Bool,
    Text,
    Bytes,
    /// The names of numbers, and whether there are no others.
    Enum(Vec<(i32, String)>, bool),
    Message(usize),
    Timestamp,
    Duration,
    /// The numbers of the names of its members.
    Any([u32; 2]),
    /// A message with one field, which stands for its value.
    Wrapper(Box<Of>),
}

pub const ANY: [&str; 2] = ["type_url", "value"];

impl Message {
    pub fn new(fields: Vec<Field>) -> Message {
        let mut by_number: Vec<usize> = (0..fields.len()).collect();
        by_number.sort_by_key(|place| fields[*place].number);
        let has_end = fields.iter().any(|field| field.is_required || matches!(field.label, Label::Map(_)));
        Message { fields, by_number, has_end }
    }

    fn find(&self, number: u64) -> Option<usize> {
        let found = self.by_number.binary_search_by_key(&number, |place| u64::from(self.fields[*place].number));
        found.ok().map(|place| self.by_number[place])
    }
}

impl Protobuf {
    /// The value of bytes, whose record has these headers.
    pub fn decode<'a>(&'a self, data: &'a [u8], headers: Option<&str>, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        let frame = self.frame.open(data, headers)?;
        let mut body = &data[frame.start..];
        let mut names = self.indexes.get(frame.reader).ok_or(Unsure)?.iter();
        if let Some(indexes) = frame.behind_id {
            let first: &[u8] = &[0];
            let indexes = if indexes.is_empty() { first } else { &indexes };
            if !names.any(|each| each == indexes) {
                return Err(Unsure);
            }
        } else if frame.start > 0 {
            body = names.find_map(|each| body.strip_prefix(each.as_slice())).ok_or(Unsure)?;
        }
        self.message(0, body, 0, pool)
    }

    /// Appends the bytes of a value.
    pub fn encode(&self, value: &Val, out: &mut Vec<u8>) -> Sure<()> {
        out.extend(&self.frame.prefix);
        self.write_message(0, value, out, 0)
    }

    fn message<'a>(&'a self, place: usize, data: &'a [u8], depth: usize, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        let message = self.messages.get(place).ok_or(Unsure)?;
        if depth > MAX_DEPTH {
            return Err(Unsure);
        }
        let mut object = pool.take(message.fields.len());
        let members = Arc::get_mut(&mut object).ok_or(Unsure)?;
        members.extend(message.fields.iter().map(|field| Member {
            id: field.id,
            name: Text::Lent(&field.name),
            value: match field.label {
                Label::One => match &field.missing {
                    Missing::Null => Val::Null,
                    Missing::Zero => field.of.zero().unwrap_or(Val::Null),
                    Missing::Default(value) => value.clone(),
                },
                Label::List => Val::List(Arc::default()),
                Label::Map(_) => Val::Struct(Arc::default()),
            },
        }));
        let mut reading = Reading { data, at: 0 };
        let mut is_there = 0_u64;
        let mut next = 0;
        while reading.at < data.len() {
            let (number, wire) = reading.tag()?;
            let usual = message.fields.get(next).filter(|field| u64::from(field.number) == number);
            let Some(place) = usual.map(|_| next).or_else(|| message.find(number)) else {
                reading.skip(wire)?;
                continue;
            };
            next = place + 1;
            let field = &message.fields[place];
            let (of, is_list) = (&field.of, matches!(field.label, Label::List));
            if field.oneof.is_some() {
                for (other, each) in message.fields.iter().enumerate() {
                    if other != place && each.oneof == field.oneof {
                        members[other].value = Val::Null; // the last of a oneof counts
                    }
                }
            }
            if is_list && wire == LENGTH && of.wire() != LENGTH {
                let mut packed = Reading { data: reading.bytes()?, at: 0 };
                let items = take_list(&mut members[place].value)?;
                while packed.at < packed.data.len() {
                    items.push(packed.scalar(of)?);
                }
                continue;
            }
            if wire != of.wire() && !matches!(field.label, Label::Map(_)) {
                return Err(Unsure);
            }
            match &field.label {
                Label::Map(keys) if wire == LENGTH => {
                    let (name, value) = self.entry(keys, of, reading.bytes()?, depth, pool)?;
                    let Val::Struct(entries) = &mut members[place].value else { return Err(Unsure) };
                    let entries = Arc::get_mut(entries).ok_or(Unsure)?;
                    if entries.len() >= MAX_ENTRIES {
                        return Err(Unsure);
                    }
                    match entries.iter_mut().find(|each| *each.name == *name) {
                        Some(entry) => entry.value = value,
                        None => entries.push(Member { id: UNNAMED, name, value }),
                    }
                }
                Label::Map(_) => return Err(Unsure),
                Label::List => {
                    let value = self.value(of, &mut reading, depth, pool)?;
                    take_list(&mut members[place].value)?.push(value);
                }
                Label::One => {
                    if of.is_message() && !members[place].value.is_null() {
                        return Err(Unsure); // the parts of a message are merged
                    }
                    members[place].value = self.value(of, &mut reading, depth, pool)?;
                    if place < 64 {
                        is_there |= 1 << place;
                    }
                }
            }
        }
        if !message.has_end {
            return Ok(Val::Struct(object));
        }
        for (place, (field, member)) in message.fields.iter().zip(members).enumerate() {
            if field.is_required && (place >= 64 || is_there & (1 << place) == 0) {
                return Err(Unsure);
            }
            if let (Label::Map(keys), Val::Struct(entries)) = (&field.label, &mut member.value) {
                Arc::get_mut(entries).ok_or(Unsure)?.sort_by(|one, other| compare_keys(keys, &one.name, &other.name));
            }
        }
        Ok(Val::Struct(object))
    }

    /// The key of an entry of a map, and its value.
    fn entry<'a>(
        &'a self,
        keys: &'a Of,
        of: &'a Of,
        data: &'a [u8],
        depth: usize,
        pool: &mut Pool<'a>,
    ) -> Sure<(Text<'a>, Val<'a>)> {
        let (mut key, mut value) = (keys.zero()?, None);
        let mut reading = Reading { data, at: 0 };
        while reading.at < data.len() {
            match reading.tag()? {
                (1, wire) if wire == keys.wire() => key = reading.scalar(keys)?,
                (2, wire) if wire == of.wire() && (value.is_none() || !of.is_message()) => {
                    value = Some(self.value(of, &mut reading, depth + 1, pool)?);
                }
                _ => return Err(Unsure),
            }
        }
        let name = match key {
            Val::Str(text) if text.starts_with('\0') => return Err(Unsure), // the tag of packed values
            Val::Str(text) => text,
            Val::Bool(value) => Text::Lent(if value { "true" } else { "false" }),
            Val::Int(number) => number.to_string().into(),
            Val::Decimal(number) => number.number.to_string().into(),
            _ => return Err(Unsure),
        };
        let value = match value {
            Some(value) => value,
            None if of.is_message() => {
                let mut empty = Reading { data: &[0], at: 0 };
                self.value(of, &mut empty, depth + 1, pool)?
            }
            None => of.zero()?,
        };
        Ok((name, value))
    }

    fn value<'a>(&'a self, of: &'a Of, reading: &mut Reading<'a>, depth: usize, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        match of {
            Of::Message(place) => self.message(*place, reading.bytes()?, depth + 1, pool),
            Of::Timestamp => {
                let (seconds, nanos) = read_parts(reading.bytes()?)?;
                let micros = seconds.checked_mul(MICRO).and_then(|micros| micros.checked_add(nanos.div_euclid(NANO)));
                micros.map(Val::Int).ok_or(Unsure)
            }
            Of::Duration => {
                let (seconds, nanos) = read_parts(reading.bytes()?)?;
                let nanos = i128::from(seconds) * i128::from(MICRO * NANO) + i128::from(nanos);
                i64::try_from(nanos / i128::from(NANO)).map(Val::Int).map_err(|_| Unsure)
            }
            Of::Any(ids) => {
                let mut inner = Reading { data: reading.bytes()?, at: 0 };
                let (mut url, mut content): (&str, &[u8]) = ("", &[]);
                while inner.at < inner.data.len() {
                    match inner.tag()? {
                        (1, LENGTH) => url = std::str::from_utf8(inner.bytes()?).map_err(|_| Unsure)?,
                        (2, LENGTH) => content = inner.bytes()?,
                        _ => return Err(Unsure),
                    }
                }
                let values = [Val::Str(Text::Lent(url)), Val::Bytes(Blob::Lent(content))];
                let named = ids.iter().zip(ANY).zip(values);
                let members = named.map(|((id, name), value)| Member { id: *id, name: Text::Lent(name), value });
                Ok(Val::Struct(Arc::new(members.collect())))
            }
            Of::Wrapper(of) => {
                let mut inner = Reading { data: reading.bytes()?, at: 0 };
                let mut value = of.zero()?;
                while inner.at < inner.data.len() {
                    match inner.tag()? {
                        (1, wire) if wire == of.wire() => value = inner.scalar(of)?,
                        _ => return Err(Unsure),
                    }
                }
                Ok(value)
            }
            _ => reading.scalar(of),
        }
    }

    fn write_message(&self, place: usize, value: &Val, out: &mut Vec<u8>, depth: usize) -> Sure<()> {
        let message = self.messages.get(place).ok_or(Unsure)?;
        let Val::Struct(members) = value else { return Err(Unsure) };
        if depth > MAX_DEPTH {
            return Err(Unsure);
        }
        let mut chosen: Vec<u32> = Vec::new();
        for place in &message.by_number {
            let field = &message.fields[*place];
            let is_its =
                |member: &&Member| member.id == field.id || (member.id == UNNAMED && *member.name == *field.name);
            let usual = members.get(*place).filter(is_its);
            let Some(member) = usual.or_else(|| members.iter().find(is_its)) else {
                if field.is_required {
                    return Err(Unsure);
                }
                continue;
            };
            let value = &member.value;
            match &field.label {
                Label::One if value.is_null() => {
                    if !field.has_presence || field.is_required {
                        return Err(Unsure);
                    }
                }
                Label::One => {
                    if let Some(oneof) = field.oneof {
                        if chosen.contains(&oneof) {
                            return Err(Unsure);
                        }
                        chosen.push(oneof);
                    }
                    let before = out.len();
                    write_tag(field.number, field.of.wire(), out);
                    let is_zero = self.write_value(&field.of, value, out, depth)?;
                    if is_zero && !field.has_presence {
                        out.truncate(before);
                    }
                }
                Label::List => {
                    let Val::List(items) = value else { return Err(Unsure) };
                    if items.is_empty() {
                        continue;
                    }
                    if field.is_packed {
                        write_tag(field.number, LENGTH, out);
                        write_sized(out, |out| {
                            items.iter().try_for_each(|item| write_scalar(&field.of, item, out).map(drop))
                        })?;
                        continue;
                    }
                    for item in items.iter() {
                        write_tag(field.number, field.of.wire(), out);
                        self.write_value(&field.of, item, out, depth)?;
                    }
                }
                Label::Map(keys) => {
                    let Val::Struct(entries) = value else { return Err(Unsure) };
                    let mut sorted: Vec<&Member> = entries.iter().collect();
                    sorted.sort_by(|one, other| compare_written(keys, &one.name, &other.name));
                    for entry in sorted {
                        write_tag(field.number, LENGTH, out);
                        write_sized(out, |out| {
                            write_tag(1, keys.wire(), out);
                            write_scalar(keys, &read_key(keys, &entry.name)?, out)?;
                            write_tag(2, field.of.wire(), out);
                            self.write_value(&field.of, &entry.value, out, depth).map(drop)
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends a value without its tag. True if it is the one that stands for nothing.
    fn write_value(&self, of: &Of, value: &Val, out: &mut Vec<u8>, depth: usize) -> Sure<bool> {
        match (of, value) {
            (Of::Message(place), value) => write_sized(out, |out| self.write_message(*place, value, out, depth + 1))?,
            (Of::Timestamp, Val::Int(micros)) if TIMES.contains(micros) => {
                write_sized(out, |out| {
                    write_parts(micros.div_euclid(MICRO), micros.rem_euclid(MICRO) * NANO, out);
                    Ok(())
                })?;
            }
            (Of::Duration, Val::Int(micros)) if micros.unsigned_abs() <= LONGEST => {
                write_sized(out, |out| {
                    write_parts(micros / MICRO, micros % MICRO * NANO, out);
                    Ok(())
                })?;
            }
            (Of::Any(ids), Val::Struct(_)) => {
                let (url, content) = (value.member(ids[0], ANY[0])?, value.member(ids[1], ANY[1])?);
                let (Val::Str(url), Val::Bytes(content)) = (url, content) else { return Err(Unsure) };
                write_sized(out, |out| {
                    for (number, part) in [(1, url.as_bytes()), (2, &*content)] {
                        if !part.is_empty() {
                            write_tag(number, LENGTH, out);
                            write_bytes(part, out);
                        }
                    }
                    Ok(())
                })?;
            }
            (Of::Wrapper(of), value) => {
                write_sized(out, |out| {
                    let before = out.len();
                    write_tag(1, of.wire(), out);
                    if write_scalar(of, value, out)? {
                        out.truncate(before);
                    }
                    Ok(())
                })?;
            }
            (Of::Timestamp | Of::Duration | Of::Any(_), _) => return Err(Unsure),
            _ => return write_scalar(of, value, out),
        }
        Ok(false)
    }
}

impl Of {
    fn wire(&self) -> u64 {
        match self {
            Of::Fixed64 | Of::Sfixed64 | Of::Double => FIXED64,
            Of::Fixed32 | Of::Sfixed32 | Of::Float => FIXED32,
            Of::Text | Of::Bytes => LENGTH,
            of if of.is_message() => LENGTH,
            _ => VARINT,
        }
    }

    fn is_message(&self) -> bool {
        matches!(self, Of::Message(_) | Of::Timestamp | Of::Duration | Of::Any(_) | Of::Wrapper(_))
    }

    /// The value of a scalar that is not written.
    pub fn zero(&self) -> Sure<Val<'_>> {
        Ok(match self {
            Of::Uint64 | Of::Fixed64 => Val::Decimal(Decimal { number: 0, digits: 0 }),
            Of::Float | Of::Double => Val::Double(0.0),
            Of::Bool => Val::Bool(false),
            Of::Text => Val::Str(Text::Lent("")),
            Of::Bytes => Val::Bytes(Blob::Lent(&[])),
            Of::Enum(names, is_closed) => name_of(names, *is_closed, 0)?,
            of if of.is_message() => return Err(Unsure),
            _ => Val::Int(0),
        })
    }
}

fn name_of<'a>(names: &'a [(i32, String)], is_closed: bool, number: i32) -> Sure<Val<'a>> {
    match names.iter().find(|(each, _)| *each == number) {
        Some((_, name)) => Ok(Val::Str(Text::Lent(name))),
        None if is_closed => Err(Unsure),
        None => Ok(Val::text(number.to_string())),
    }
}

fn take_list<'v, 'a>(value: &'v mut Val<'a>) -> Sure<&'v mut Vec<Val<'a>>> {
    let Val::List(items) = value else { return Err(Unsure) };
    Arc::get_mut(items).ok_or(Unsure)
}

/// Keys of maps in the order in which values have them: texts by their bytes, numbers by their size.
fn compare_keys(keys: &Of, one: &str, other: &str) -> Ordering {
    match keys {
        Of::Text | Of::Bool => one.cmp(other),
        _ => one.parse::<i128>().ok().cmp(&other.parse::<i128>().ok()),
    }
}

/// The same in the order in which upb, Google's library behind Python's, writes them: texts by their bytes, but behind
/// those that they begin, and numbers from the greatest down, as if they had no sign.
fn compare_written(keys: &Of, one: &str, other: &str) -> Ordering {
    let unsigned = |text: &str| text.parse::<i128>().map_or(0, |number| number as u64);
    match keys {
        Of::Text => {
            let size = one.len().min(other.len());
            one.as_bytes()[..size].cmp(&other.as_bytes()[..size]).then(other.len().cmp(&one.len()))
        }
        Of::Bool => other.cmp(one),
        _ => unsigned(other).cmp(&unsigned(one)),
    }
}

/// The key of an entry from its text. Python also takes other texts of numbers.
fn read_key<'a>(keys: &Of, text: &'a str) -> Sure<Val<'a>> {
    Ok(match (keys, text) {
        (Of::Text, text) => Val::Str(Text::Lent(text)),
        (Of::Bool, "true") => Val::Bool(true),
        (Of::Bool, "false") => Val::Bool(false),
        (Of::Bool, _) => return Err(Unsure),
        _ => {
            let number: i128 = text.parse().map_err(|_| Unsure)?;
            if number.to_string() != text {
                return Err(Unsure);
            }
            Val::Decimal(Decimal { number, digits: 0 })
        }
    })
}

struct Reading<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reading<'a> {
    fn varint(&mut self) -> Sure<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.data.get(self.at).ok_or(Unsure)?;
            self.at += 1;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return if shift == 63 && byte > 1 { Err(Unsure) } else { Ok(number) };
            }
        }
        Err(Unsure)
    }

    /// A tag or a size: Google's runtime reads at most five bytes of these, also where the rest is zero.
    fn short_varint(&mut self) -> Sure<u64> {
        let start = self.at;
        let number = self.varint()?;
        if self.at - start > 5 { Err(Unsure) } else { Ok(number) }
    }

    /// The number of a field, and how its value is written.
    fn tag(&mut self) -> Sure<(u64, u64)> {
        let tag = self.short_varint()?;
        if tag < 8 || tag > u64::from(u32::MAX) { Err(Unsure) } else { Ok((tag >> 3, tag & 7)) }
    }

    fn take(&mut self, size: usize) -> Sure<&'a [u8]> {
        let taken = self.data.get(self.at..).and_then(|rest| rest.get(..size)).ok_or(Unsure)?;
        self.at += size;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Sure<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Unsure)
    }

    fn bytes(&mut self) -> Sure<&'a [u8]> {
        let size = usize::try_from(self.short_varint()?).map_err(|_| Unsure)?;
        self.take(size)
    }

    /// Goes over a field that the message does not have.
    fn skip(&mut self, wire: u64) -> Sure<()> {
        match wire {
            VARINT => self.varint().map(drop),
            FIXED64 => self.take(8).map(drop),
            LENGTH => self.bytes().map(drop),
            FIXED32 => self.take(4).map(drop),
            _ => Err(Unsure),
        }
    }

    fn scalar(&mut self, of: &'a Of) -> Sure<Val<'a>> {
        let unsigned = |number: u64| Val::Decimal(Decimal { number: i128::from(number), digits: 0 });
        Ok(match of {
            Of::Int32 => Val::Int(i64::from(self.int()?)),
            Of::Int64 => Val::Int(self.varint()?.cast_signed()),
            Of::Uint32 => Val::Int(i64::from(u32::try_from(self.varint()?).map_err(|_| Unsure)?)),
            Of::Uint64 => unsigned(self.varint()?),
            Of::Sint32 => {
                let number = u32::try_from(self.varint()?).map_err(|_| Unsure)?;
                Val::Int(i64::from((number >> 1).cast_signed() ^ -(number & 1).cast_signed()))
            }
            Of::Sint64 => {
                let number = self.varint()?;
                Val::Int((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
            }
            Of::Fixed32 => Val::Int(i64::from(u32::from_le_bytes(self.array()?))),
            Of::Fixed64 => unsigned(u64::from_le_bytes(self.array()?)),
            Of::Sfixed32 => Val::Int(i64::from(i32::from_le_bytes(self.array()?))),
            Of::Sfixed64 => Val::Int(i64::from_le_bytes(self.array()?)),
            Of::Float => real(f64::from(f32::from_le_bytes(self.array()?)))?,
            Of::Double => real(f64::from_le_bytes(self.array()?))?,
            Of::Bool => match self.varint()? {
                0 => Val::Bool(false),
                1 => Val::Bool(true),
                _ => return Err(Unsure),
            },
            Of::Text => Val::Str(Text::Lent(std::str::from_utf8(self.bytes()?).map_err(|_| Unsure)?)),
            Of::Bytes => Val::Bytes(Blob::Lent(self.bytes()?)),
            Of::Enum(names, is_closed) => name_of(names, *is_closed, self.int()?)?,
            Of::Message(_) | Of::Timestamp | Of::Duration | Of::Any(_) | Of::Wrapper(_) => return Err(Unsure),
        })
    }

    /// A number of 32 bits, written as one of 64.
    fn int(&mut self) -> Sure<i32> {
        i32::try_from(self.varint()?.cast_signed()).map_err(|_| Unsure)
    }
}

fn real<'a>(number: f64) -> Sure<Val<'a>> {
    if number.is_nan() { Err(Unsure) } else { Ok(Val::Double(number)) } // NaN has many forms
}

/// The seconds and nanoseconds of a time.
fn read_parts(data: &[u8]) -> Sure<(i64, i64)> {
    let mut reading = Reading { data, at: 0 };
    let (mut seconds, mut nanos) = (0, 0);
    while reading.at < data.len() {
        match reading.tag()? {
            (1, VARINT) => seconds = reading.varint()?.cast_signed(),
            (2, VARINT) => nanos = i64::from(reading.int()?),
            _ => return Err(Unsure),
        }
    }
    Ok((seconds, nanos))
}

fn write_parts(seconds: i64, nanos: i64, out: &mut Vec<u8>) {
    for (number, part) in [(1, seconds), (2, nanos)] {
        if part != 0 {
            write_tag(number, VARINT, out);
            write_varint(part.cast_unsigned(), out);
        }
    }
}

fn write_varint(mut number: u64, out: &mut Vec<u8>) {
    while number > 127 {
        out.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn write_tag(number: u32, wire: u64, out: &mut Vec<u8>) {
    write_varint(u64::from(number) << 3 | wire, out);
}

fn write_bytes(data: &[u8], out: &mut Vec<u8>) {
    write_varint(data.len() as u64, out);
    out.extend(data);
}

/// Appends what `write` appends, behind its length.
fn write_sized(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Sure<()>) -> Sure<()> {
    let start = out.len();
    out.push(0);
    write(out)?;
    let size = out.len() - start - 1;
    if size < 128 {
        out[start] = size as u8;
    } else {
        let mut length = Vec::with_capacity(5);
        write_varint(size as u64, &mut length);
        out.splice(start..=start, length);
    }
    Ok(())
}

/// Appends a scalar without its tag. True if it is the one that stands for nothing.
fn write_scalar(of: &Of, value: &Val, out: &mut Vec<u8>) -> Sure<bool> {
    let whole = |value: &Val| match value {
        Val::Int(number) => Ok(i128::from(*number)),
        Val::Decimal(Decimal { number, digits: 0 }) => Ok(*number),
        _ => Err(Unsure),
    };
    match of {
        Of::Int32 => write_int(whole(value)?, out),
        Of::Int64 => {
            let number = i64::try_from(whole(value)?).map_err(|_| Unsure)?;
            write_varint(number.cast_unsigned(), out);
            Ok(number == 0)
        }
        Of::Uint32 | Of::Fixed32 => {
            let number = u32::try_from(whole(value)?).map_err(|_| Unsure)?;
            if matches!(of, Of::Uint32) {
                write_varint(u64::from(number), out);
            } else {
                out.extend(number.to_le_bytes());
            }
            Ok(number == 0)
        }
        Of::Uint64 | Of::Fixed64 => {
            let number = u64::try_from(whole(value)?).map_err(|_| Unsure)?;
            if matches!(of, Of::Uint64) {
                write_varint(number, out);
            } else {
                out.extend(number.to_le_bytes());
            }
            Ok(number == 0)
        }
        Of::Sint32 | Of::Sfixed32 => {
            let number = i32::try_from(whole(value)?).map_err(|_| Unsure)?;
            if matches!(of, Of::Sint32) {
                write_varint(u64::from(((number << 1) ^ (number >> 31)).cast_unsigned()), out);
            } else {
                out.extend(number.to_le_bytes());
            }
            Ok(number == 0)
        }
        Of::Sint64 | Of::Sfixed64 => {
            let number = i64::try_from(whole(value)?).map_err(|_| Unsure)?;
            if matches!(of, Of::Sint64) {
                write_varint(((number << 1) ^ (number >> 63)).cast_unsigned(), out);
            } else {
                out.extend(number.to_le_bytes());
            }
            Ok(number == 0)
        }
        Of::Float => {
            let number = to_double(value)?;
            if number.is_finite() && number.abs() >= MAX_FLOAT {
                return Err(Unsure);
            }
            out.extend((number as f32).to_le_bytes());
            Ok((number as f32).to_bits() == 0)
        }
        Of::Double => {
            let number = to_double(value)?;
            out.extend(number.to_le_bytes());
            Ok(number.to_bits() == 0)
        }
        Of::Bool => {
            let Val::Bool(value) = value else { return Err(Unsure) };
            out.push(u8::from(*value));
            Ok(!value)
        }
        Of::Text => {
            let Val::Str(text) = value else { return Err(Unsure) };
            write_bytes(text.as_bytes(), out);
            Ok(text.is_empty())
        }
        Of::Bytes => {
            let Val::Bytes(bytes) = value else { return Err(Unsure) };
            write_bytes(bytes, out);
            Ok(bytes.is_empty())
        }
        Of::Enum(names, _) => {
            let Val::Str(text) = value else { return Err(Unsure) };
            let (number, _) = names.iter().find(|(_, name)| **name == **text).ok_or(Unsure)?;
            write_int(i128::from(*number), out)
        }
        Of::Message(_) | Of::Timestamp | Of::Duration | Of::Any(_) | Of::Wrapper(_) => Err(Unsure),
    }
}

fn write_int(number: i128, out: &mut Vec<u8>) -> Sure<bool> {
    let number = i64::from(i32::try_from(number).map_err(|_| Unsure)?);
    write_varint(number.cast_unsigned(), out);
    Ok(number == 0)
}

fn to_double(value: &Val) -> Sure<f64> {
    match value {
        Val::Int(number) => Ok(*number as f64),
        Val::Double(number) if !number.is_nan() => Ok(*number),
        _ => Err(Unsure),
    }
}
