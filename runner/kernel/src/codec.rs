//! Bytes of keys and values, and back: formats (`runner/engine/formats/`) and packed values (`records/codecs.py`).

use crate::avro::Avro;
use crate::json::{self, Decimals, Pool, Reads, Type};
use crate::json_schema::JsonSchema;
use crate::protobuf::Protobuf;
use crate::value::{Blob, Sure, Text, Unsure, Val};

#[derive(Debug)]
pub enum Codec {
    /// The last says how decimals are written. Keys that are compared by their bytes hold none.
    Json(Type, Reads, Decimals),
    /// Values that are known to be right: JSON without a check.
    Packed(Type, Reads),
    Avro(Box<Avro>),
    Protobuf(Box<Protobuf>),
    JsonSchema(Box<JsonSchema>),
    Text,
    Bytes,
    Long,
    Integer,
    Double,
    Bool,
    /// Every value is written as null.
    Nothing,
    /// Values that no one reads, but for whether they are null: each is written as an empty struct.
    Unread,
    /// A windowed key: the key, its start and its end.
    Windowed(Box<Codec>),
    /// A windowed key as JSON with `key`, `start` and `end`.
    WindowedJson,
    /// A windowed key as Kafka's TimeWindowedSerializer writes it: the key and its start.
    WindowedKafka(Box<Codec>),
    /// A session's key as Kafka's SessionWindowedSerializer writes it: the key, its end and its start.
    WindowedSession(Box<Codec>),
    /// A windowed key without its window.
    WindowedPlain(Box<Codec>),
}

impl Codec {
    pub fn decode<'a>(&'a self, data: &'a [u8], pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        self.decode_record(data, None, pool)
    }

    /// The same for bytes of a record with these headers, which may name a schema.
    pub fn decode_record<'a>(&'a self, data: &'a [u8], headers: Option<&str>, pool: &mut Pool<'a>) -> Sure<Val<'a>> {
        Ok(match self {
            Codec::Avro(avro) => avro.decode(data, headers, pool)?,
            Codec::Protobuf(protobuf) => protobuf.decode(data, headers, pool)?,
            Codec::JsonSchema(schema) => schema.decode(data, headers, pool)?,
            Codec::Json(type_, reads, _) => {
                let value = json::read_some(data, type_, true, reads, pool)?;
                let is_scalar = !matches!(value, Val::Struct(_) | Val::List(_));
                if is_scalar && !is_written_as(&value, data) {
                    return Err(Unsure); // an unchanged value leaves with its bytes, and equal scalars may be one object
                }
                value
            }
            Codec::Packed(type_, reads) => json::read_some(data, type_, false, reads, pool)?,
            Codec::Text => Val::Str(Text::Lent(std::str::from_utf8(data).map_err(|_| Unsure)?)),
            Codec::Bytes => Val::Bytes(Blob::Lent(data)),
            Codec::Long => Val::Int(i64::from_be_bytes(data.try_into().map_err(|_| Unsure)?)),
            Codec::Integer => Val::Int(i64::from(i32::from_be_bytes(data.try_into().map_err(|_| Unsure)?))),
            Codec::Double => {
                let number = f64::from_be_bytes(data.try_into().map_err(|_| Unsure)?);
                if number.is_nan() {
                    return Err(Unsure); // NaN has many forms
                }
                Val::Double(number)
            }
            Codec::Bool => match data {
                [0] => Val::Bool(false),
                [1] => Val::Bool(true),
                _ => return Err(Unsure),
            },
            Codec::Windowed(inner) => {
                let at = data.len().checked_sub(16).ok_or(Unsure)?;
                let (key, bounds) = data.split_at(at);
                let (start, end) = bounds.split_at(8);
                let read = |bytes: &[u8]| bytes.try_into().map(i64::from_be_bytes).map_err(|_| Unsure);
                Val::Windowed(std::sync::Arc::new((inner.decode(key, pool)?, read(start)?, read(end)?)))
            }
            Codec::Nothing
            | Codec::Unread
            | Codec::WindowedJson
            | Codec::WindowedKafka(_)
            | Codec::WindowedSession(_)
            | Codec::WindowedPlain(_) => return Err(Unsure),
        })
    }

    /// Appends the bytes. False if they are null.
    pub fn encode(&self, value: &Val, out: &mut Vec<u8>) -> Sure<bool> {
        match (self, value) {
            (Codec::Json(_, _, decimals), value) => json::write_with(value, *decimals, out)?,
            (Codec::Packed(..), value) => json::write_with(value, Decimals::Tagged, out)?,
            (Codec::Avro(avro), value) => avro.encode(value, out)?,
            (Codec::Protobuf(protobuf), value) => protobuf.encode(value, out)?,
            (Codec::JsonSchema(schema), value) => schema.encode(value, out)?,
            (Codec::Text, Val::Str(text)) => out.extend(text.as_bytes()),
            (Codec::Bytes, Val::Bytes(bytes)) => out.extend(&**bytes),
            (Codec::Long, Val::Int(number)) => out.extend(number.to_be_bytes()),
            (Codec::Integer, Val::Int(number)) => {
                out.extend(i32::try_from(*number).map_err(|_| Unsure)?.to_be_bytes());
            }
            (Codec::Double, Val::Double(number)) if !number.is_nan() => out.extend(number.to_be_bytes()),
            (Codec::Bool, Val::Bool(value)) => out.push(u8::from(*value)),
            (Codec::Nothing, _) => return Ok(false),
            (Codec::Unread, _) => out.extend(b"{}"),
            (Codec::Windowed(inner), Val::Windowed(key)) => {
                if !inner.encode(&key.0, out)? {
                    return Err(Unsure);
                }
                out.extend(key.1.to_be_bytes());
                out.extend(key.2.to_be_bytes());
            }
            (Codec::WindowedJson, Val::Windowed(key)) => {
                out.extend(b"{\"key\":");
                json::write(&key.0, out)?;
                out.extend(b",\"start\":");
                json::write(&Val::Int(key.1), out)?;
                out.extend(b",\"end\":");
                json::write(&Val::Int(key.2), out)?;
                out.push(b'}');
            }
            (Codec::WindowedKafka(inner), Val::Windowed(key)) => {
                if !inner.encode(&key.0, out)? {
                    return Err(Unsure);
                }
                out.extend(key.1.to_be_bytes());
            }
            (Codec::WindowedSession(inner), Val::Windowed(key)) => {
                if !inner.encode(&key.0, out)? {
                    return Err(Unsure);
                }
                out.extend(key.2.to_be_bytes());
                out.extend(key.1.to_be_bytes());
            }
            (Codec::WindowedPlain(inner), Val::Windowed(key)) => return inner.encode(&key.0, out),
            _ => return Err(Unsure),
        }
        Ok(true)
    }
}

fn is_written_as(value: &Val, data: &[u8]) -> bool {
    let mut written = Vec::with_capacity(data.len());
    json::write_with(value, Decimals::AsNumbers, &mut written).is_ok() && written == data
}
