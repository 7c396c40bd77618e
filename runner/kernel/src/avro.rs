//! Avro's binary encoding, by readers and writers that `runner/engine/kernel/avro.py` made of schemas. Whatever the
//! Python engine refuses, and what it might read or write otherwise, is `Unsure`.

use std::sync::Arc;

use crate::decimal::{Decimal, Digits, to_decimal};
use crate::frame::{Frame, read_uuid};
use crate::json::Pool;
use crate::value::{Blob, Member, Sure, Text, UNNAMED, Unsure, Val};

/// Most entries of a map, whose names are compared with each other.
const MAX_ENTRIES: usize = 256;

/// One side of a topic in Avro.
#[derive(Debug)]
pub struct Avro {
    pub frame: Frame,
    /// A reader for each schema that records may be written with.
    pub readers: Vec<Read>,
    pub writer: Write,
}

/// How to read a value.
#[derive(Debug)]
pub enum Read {
    Null,
    Bool,
    Int,
    Long,
    IntAsDouble,
    LongAsDouble,
    Float,
    Double,
    Text,
    Bytes,
    TextAsBytes,
    Fixed(usize),
    /// In as many bytes as are written, or always in so many.
    Decimal(Digits, Option<usize>),
    Uuid,
    /// The numbers of the names of months, days and milliseconds.
    Duration([u32; 3]),
    /// Symbols, or None for those that the reader does not have.
    Enum(Vec<Option<String>>),
    List(Box<Read>),
    Map(Box<Read>),
    /// Options, or None for those that the reader does not have.
    Union(Vec<Option<Read>>),
    Record {
        fields: Vec<ReadField>,
        order: Option<Vec<Slot>>,
    },
}

#[derive(Debug)]
pub struct ReadField {
    pub id: u32,
    /// None if the reader does not have it.
    pub name: Option<String>,
    pub read: Read,
    /// False if no node reads it, so it is checked and not kept.
    pub is_read: bool,
}

/// A field of a record in the reader's order.
#[derive(Debug)]
pub enum Slot {
    /// The place of the written field.
    Written(usize),
    Default {
        id: u32,
        name: String,
        value: Val<'static>,
        is_read: bool,
    },
}

/// How to write a value.
#[derive(Debug)]
pub enum Write {
    Null,
    Bool,
    Int,
    Long,
    Float,
    Double,
    Text,
    Bytes,
    Fixed(usize),
    Decimal(Digits, Option<usize>),
    Uuid,
    Duration([u32; 3]),
    Enum(Vec<String>),
    List(Box<Write>),
    Map(Box<Write>),
    /// The index of null, if there is one, and that of the other option.
    Nullable(Option<u8>, u8, Box<Write>),
    Record(Vec<WriteField>),
}

#[derive(Debug)]
pub struct WriteField {
    pub id: u32,
    pub name: String,
    pub write: Write,
    /// What is written if a value lacks the field.
    pub missing: Val<'static>,
}

pub const DURATION: [&str; 3] = ["months", "days", "milliseconds"];

impl Avro {
    /// The value of bytes, whose record has these headers.
    pub fn decode<'a>(&'a self, data: &'a [u8], headers: Option<&str>, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        let frame = self.frame.open(data, headers)?;
        let mut reading = Reading { data, at: frame.start, pool };
        let value = reading.value(self.readers.get(frame.reader).ok_or(Unsure)?)?;
        if reading.at != data.len() {
            return Err(Unsure);
        }
        // an unchanged value leaves with its bytes, and equal scalars may be one object in Python
        let is_scalar = !matches!(value, Val::Struct(_) | Val::List(_));
        if is_scalar && !self.is_written_as(&value, data) { Err(Unsure) } else { Ok(value) }
    }

    fn is_written_as(&self, value: &Val, data: &[u8]) -> bool {
        let mut written = Vec::with_capacity(data.len());
        self.encode(value, &mut written).is_ok() && written == data
    }

    /// Appends the bytes of a value.
    pub fn encode(&self, value: &Val, out: &mut Vec<u8>) -> Sure<()> {
        out.extend(&self.frame.prefix);
        write(&self.writer, value, out)
    }

    /// Notes of the fields of the outermost record whether some node reads them.
    pub fn mark(&mut self, names: &[Arc<str>]) {
        let is_read = |name: &str| names.iter().any(|each| **each == *name);
        for reader in &mut self.readers {
            let options = match reader {
                Read::Union(options) => options.iter_mut().flatten().collect(),
                other => vec![other],
            };
            for option in options {
                let Read::Record { fields, order } = option else { continue };
                for field in fields {
                    field.is_read = field.name.as_deref().is_some_and(is_read);
                }
                for slot in order.iter_mut().flatten() {
                    if let Slot::Default { name, is_read: mark, .. } = slot {
                        *mark = is_read(name);
                    }
                }
            }
        }
    }
}

struct Reading<'a, 'r> {
    data: &'a [u8],
    at: usize,
    pool: &'r mut Pool<'a>,
}

impl<'a> Reading<'a, '_> {
    fn value(&mut self, read: &'a Read) -> Sure<Val<'a>> {
        Ok(match read {
            Read::Null => Val::Null,
            Read::Bool => match self.take(1)? {
                [0] => Val::Bool(false),
                [1] => Val::Bool(true),
                _ => return Err(Unsure),
            },
            Read::Int => Val::Int(self.int()?),
            Read::Long => Val::Int(self.long()?),
            Read::IntAsDouble => Val::Double(self.int()? as f64),
            Read::LongAsDouble => Val::Double(self.long()? as f64),
            Read::Float => real(f64::from(f32::from_le_bytes(self.array()?)))?,
            Read::Double => real(f64::from_le_bytes(self.array()?))?,
            Read::Text => Val::Str(Text::Lent(self.text()?)),
            Read::Bytes => Val::Bytes(Blob::Lent(self.bytes()?)),
            Read::TextAsBytes => Val::Bytes(Blob::Lent(self.text()?.as_bytes())),
            Read::Fixed(size) => Val::Bytes(Blob::Lent(self.take(*size)?)),
            Read::Decimal(digits, size) => {
                let data = match size {
                    None => self.bytes()?,
                    Some(size) => self.take(*size)?,
                };
                let number = Decimal { number: read_number(data)?, digits: digits.scale };
                Val::Decimal(number.fit(*digits)?)
            }
            Read::Uuid => Val::text(format_uuid(self.array()?)),
            Read::Duration(ids) => {
                let member = |(id, name): (&u32, &'static str), number: [u8; 4]| Member {
                    id: *id,
                    name: Text::Lent(name),
                    value: Val::Int(i64::from(u32::from_le_bytes(number))),
                };
                let mut members = Vec::with_capacity(ids.len());
                for each in ids.iter().zip(DURATION) {
                    members.push(member(each, self.array()?));
                }
                Val::Struct(Arc::new(members))
            }
            Read::Enum(symbols) => {
                let symbol = symbols.get(self.index()?).ok_or(Unsure)?.as_ref().ok_or(Unsure)?;
                Val::Str(Text::Lent(symbol))
            }
            Read::Union(options) => {
                let option = options.get(self.index()?).ok_or(Unsure)?.as_ref().ok_or(Unsure)?;
                self.value(option)?
            }
            Read::List(item) => {
                let mut items = Vec::new();
                while let Some(count) = self.block()? {
                    items.reserve(count);
                    for _ in 0..count {
                        items.push(self.value(item)?);
                    }
                }
                Val::List(Arc::new(items))
            }
            Read::Map(item) => {
                let mut members: Vec<Member> = Vec::new();
                while let Some(count) = self.block()? {
                    for _ in 0..count {
                        let name = self.text()?;
                        if name.starts_with('\0') || members.len() > MAX_ENTRIES {
                            return Err(Unsure); // the tag of packed values
                        }
                        let value = self.value(item)?;
                        match members.iter_mut().find(|member| *member.name == *name) {
                            Some(member) => member.value = value,
                            None => members.push(Member { id: UNNAMED, name: Text::Lent(name), value }),
                        }
                    }
                }
                Val::Struct(Arc::new(members))
            }
            Read::Record { fields, order } => self.record(fields, order.as_deref())?,
        })
    }

    fn record(&mut self, fields: &'a [ReadField], order: Option<&'a [Slot]>) -> Sure<Val<'a>> {
        let mut object = self.pool.take(fields.len());
        let members = Arc::get_mut(&mut object).ok_or(Unsure)?;
        let Some(order) = order else {
            for field in fields {
                match &field.name {
                    Some(name) if field.is_read => {
                        members.push(Member { id: field.id, name: Text::Lent(name), value: self.value(&field.read)? });
                    }
                    _ => self.skip(&field.read)?,
                }
            }
            return Ok(Val::Struct(object));
        };
        let mut written = Vec::with_capacity(fields.len());
        for field in fields {
            let is_kept = field.is_read && field.name.is_some();
            written.push(if is_kept { Some(self.value(&field.read)?) } else { None });
            if !is_kept {
                self.skip(&field.read)?;
            }
        }
        for slot in order {
            match slot {
                Slot::Written(place) => {
                    let field = fields.get(*place).ok_or(Unsure)?;
                    if let (Some(name), Some(value)) = (&field.name, written.get_mut(*place).and_then(Option::take)) {
                        members.push(Member { id: field.id, name: Text::Lent(name), value });
                    }
                }
                Slot::Default { id, name, value, is_read: true } => {
                    members.push(Member { id: *id, name: Text::Lent(name), value: value.clone() });
                }
                Slot::Default { .. } => {}
            }
        }
        Ok(Val::Struct(object))
    }

    /// Goes over a value that nobody reads, with the same checks.
    fn skip(&mut self, read: &'a Read) -> Sure<()> {
        match read {
            Read::Null => Ok(()),
            Read::Int | Read::IntAsDouble => self.int().map(drop),
            Read::Long | Read::LongAsDouble => self.long().map(drop),
            Read::Float => self.take(4).map(drop),
            Read::Double => self.take(8).map(drop),
            Read::Text | Read::TextAsBytes => self.text().map(drop),
            Read::Bytes => self.bytes().map(drop),
            Read::Fixed(size) => self.take(*size).map(drop),
            Read::Uuid => self.take(16).map(drop),
            Read::Duration(_) => self.take(12).map(drop),
            other => {
                let value = self.value(other)?;
                self.pool.give(value);
                Ok(())
            }
        }
    }

    fn take(&mut self, size: usize) -> Sure<&'a [u8]> {
        let taken = self.data.get(self.at..).and_then(|rest| rest.get(..size)).ok_or(Unsure)?;
        self.at += size;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Sure<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Unsure)
    }

    fn long(&mut self) -> Sure<i64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.data.get(self.at).ok_or(Unsure)?;
            self.at += 1;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                if shift == 63 && byte > 1 {
                    return Err(Unsure); // more than 64 bits
                }
                return Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed());
            }
        }
        Err(Unsure)
    }

    fn int(&mut self) -> Sure<i64> {
        let number = self.long()?;
        if i32::try_from(number).is_ok() { Ok(number) } else { Err(Unsure) }
    }

    fn index(&mut self) -> Sure<usize> {
        usize::try_from(self.long()?).map_err(|_| Unsure)
    }

    fn bytes(&mut self) -> Sure<&'a [u8]> {
        let size = self.index()?;
        self.take(size)
    }

    fn text(&mut self) -> Sure<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Unsure)
    }

    /// The number of entries in the next block of a list or map. None at its end.
    fn block(&mut self) -> Sure<Option<usize>> {
        let mut count = self.long()?;
        if count < 0 {
            count = count.checked_neg().ok_or(Unsure)?;
            self.long()?; // the size of the block
        }
        let count = usize::try_from(count).map_err(|_| Unsure)?;
        if count > self.data.len() - self.at {
            return Err(Unsure);
        }
        Ok((count > 0).then_some(count))
    }
}

fn real<'a>(number: f64) -> Sure<Val<'a>> {
    if number.is_nan() { Err(Unsure) } else { Ok(Val::Double(number)) } // NaN has many forms
}

/// A whole number in two's complement, from the highest byte on.
fn read_number(data: &[u8]) -> Sure<i128> {
    let sign = if data.first().ok_or(Unsure)? & 128 == 0 { 0 } else { 255 };
    let (more, last) = data.split_at(data.len().saturating_sub(16));
    let mut bytes = [sign; 16];
    bytes[16 - last.len()..].copy_from_slice(last);
    if more.iter().any(|byte| *byte != sign) || bytes[0] & 128 != sign & 128 {
        return Err(Unsure);
    }
    Ok(i128::from_be_bytes(bytes))
}

fn format_uuid(data: [u8; 16]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    [&data[..4], &data[4..6], &data[6..8], &data[8..10], &data[10..]].map(hex).join("-")
}

fn write_long(number: i64, out: &mut Vec<u8>) {
    let mut rest = ((number << 1) ^ (number >> 63)).cast_unsigned();
    while rest > 127 {
        out.push((rest & 127) as u8 | 128);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn write_size(size: usize, out: &mut Vec<u8>) -> Sure<()> {
    write_long(i64::try_from(size).map_err(|_| Unsure)?, out);
    Ok(())
}

fn write_bytes(data: &[u8], out: &mut Vec<u8>) -> Sure<()> {
    write_size(data.len(), out)?;
    out.extend(data);
    Ok(())
}

fn write(how: &Write, value: &Val, out: &mut Vec<u8>) -> Sure<()> {
    match (how, value) {
        (Write::Null, Val::Null) => {}
        (Write::Bool, Val::Bool(value)) => out.push(u8::from(*value)),
        (Write::Int, Val::Int(number)) if i32::try_from(*number).is_ok() => write_long(*number, out),
        (Write::Long, Val::Int(number)) => write_long(*number, out),
        (Write::Float, Val::Int(_) | Val::Double(_)) => {
            let number = to_double(value)?;
            let short = number as f32;
            if number.is_finite() != short.is_finite() {
                return Err(Unsure);
            }
            out.extend(short.to_le_bytes());
        }
        (Write::Double, Val::Int(_) | Val::Double(_)) => out.extend(to_double(value)?.to_le_bytes()),
        (Write::Text, Val::Str(text)) => write_bytes(text.as_bytes(), out)?,
        (Write::Bytes, Val::Bytes(bytes)) => write_bytes(bytes, out)?,
        (Write::Fixed(size), Val::Bytes(bytes)) if bytes.len() == *size => out.extend(&**bytes),
        (Write::Decimal(digits, size), Val::Decimal(_) | Val::Int(_)) => {
            let data = to_decimal(value)?.fit(*digits)?.number.to_be_bytes();
            let sign = if data[0] & 128 == 0 { 0 } else { 255 };
            let length = size.unwrap_or_else(|| {
                let redundant = data.windows(2).take_while(|pair| pair[0] == sign && (pair[0] ^ pair[1]) & 128 == 0);
                data.len() - redundant.count()
            });
            if size.is_none() {
                write_size(length, out)?;
            }
            out.extend(std::iter::repeat_n(sign, length.saturating_sub(data.len())));
            out.extend(&data[data.len().saturating_sub(length)..]);
        }
        (Write::Decimal(_, None), Val::Bytes(bytes)) => write_bytes(bytes, out)?,
        (Write::Decimal(_, Some(size)), Val::Bytes(bytes)) if bytes.len() == *size => out.extend(&**bytes),
        (Write::Uuid, Val::Str(text)) => out.extend(read_uuid(text)?),
        (Write::Uuid, Val::Bytes(bytes)) if bytes.len() == 16 => out.extend(&**bytes),
        (Write::Duration(_), Val::Bytes(bytes)) if bytes.len() == 12 => out.extend(&**bytes),
        (Write::Duration(ids), Val::Struct(_)) => {
            for (id, name) in ids.iter().zip(DURATION) {
                let Val::Int(number) = value.member(*id, name)? else { return Err(Unsure) };
                out.extend(u32::try_from(number).map_err(|_| Unsure)?.to_le_bytes());
            }
        }
        (Write::Enum(symbols), Val::Str(text)) => {
            write_size(symbols.iter().position(|symbol| **symbol == **text).ok_or(Unsure)?, out)?;
        }
        (Write::List(item), Val::List(items)) => {
            if !items.is_empty() {
                write_size(items.len(), out)?;
                items.iter().try_for_each(|each| write(item, each, out))?;
            }
            out.push(0);
        }
        (Write::Map(item), Val::Struct(members)) => {
            if !members.is_empty() {
                write_size(members.len(), out)?;
                for member in members.iter() {
                    write_bytes(member.name.as_bytes(), out)?;
                    write(item, &member.value, out)?;
                }
            }
            out.push(0);
        }
        (Write::Nullable(Some(nothing), ..), Val::Null) => out.push(2 * nothing),
        (Write::Nullable(_, index, option), value) => {
            out.push(2 * index);
            write(option, value, out)?;
        }
        (Write::Record(fields), Val::Struct(members)) => {
            for (place, field) in fields.iter().enumerate() {
                let is_its =
                    |member: &&Member| member.id == field.id || (member.id == UNNAMED && *member.name == *field.name);
                let usual = members.get(place).filter(is_its);
                let found = usual.or_else(|| members.iter().find(is_its));
                write(&field.write, found.map_or(&field.missing, |member| &member.value), out)?;
            }
        }
        _ => return Err(Unsure),
    }
    Ok(())
}

fn to_double(value: &Val) -> Sure<f64> {
    match value {
        Val::Int(number) => Ok(*number as f64),
        Val::Double(number) if !number.is_nan() => Ok(*number),
        _ => Err(Unsure),
    }
}
