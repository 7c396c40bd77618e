//! Reads the formats of keys and values.

use std::collections::HashMap;

use crate::avro::{self, Avro, ReadField, Slot, WriteField};
use crate::codec::Codec;
use crate::frame::{self, Frame, Id, Place};
use crate::json::{Decimals, Reads};
use crate::json_schema::{Bound, JsonSchema, Limits, Others, Property, Rule, Word};
use crate::plan::reader::{Reader, at, digits, flag, get, index, items, number, text_of};
use crate::plan::{Known, Unknown};
use crate::protobuf::{self, Label, Message, Missing, Of, Protobuf};
use crate::value::{UNNAMED, Val};

impl Reader {
    pub(super) fn codec(&mut self, json: &Val) -> Known<Codec> {
        let inner = |reader: &mut Reader| reader.codec(get(json, "inner")?).map(Box::new);
        Ok(match text_of(get(json, "format")?)? {
            "json" => Codec::Json(self.type_(get(json, "type")?)?, Reads::All, Decimals::AsNumbers),
            "json_key" => Codec::Json(self.type_(get(json, "type")?)?, Reads::All, Decimals::Refused),
            "packed" => Codec::Packed(self.type_(get(json, "type")?)?, Reads::All),
            "avro" => Codec::Avro(Box::new(self.avro(json)?)),
            "json_schema" => Codec::JsonSchema(Box::new(JsonSchema {
                frame: self.frame(json)?,
                type_: self.type_(get(json, "type")?)?,
                rule: self.rule(get(json, "rule")?)?,
            })),
            "protobuf" => Codec::Protobuf(Box::new(self.protobuf(json)?)),
            "string" => Codec::Text,
            "bytes" => Codec::Bytes,
            "long" => Codec::Long,
            "integer" => Codec::Integer,
            "double" => Codec::Double,
            "boolean" => Codec::Bool,
            "none" => Codec::Nothing,
            "unread" => Codec::Unread,
            "windowed" => Codec::Windowed(inner(self)?),
            "windowed_json" => Codec::WindowedJson,
            "windowed_kafka" => Codec::WindowedKafka(inner(self)?),
            "windowed_session" => Codec::WindowedSession(inner(self)?),
            "windowed_plain" => Codec::WindowedPlain(inner(self)?),
            other => return Err(Unknown(format!("the format {other}"))),
        })
    }

    fn avro(&mut self, json: &Val) -> Known<Avro> {
        Ok(Avro {
            frame: self.frame(json)?,
            readers: self.list(get(json, "readers")?, Reader::avro_read)?,
            writer: self.avro_write(get(json, "writer")?)?,
        })
    }

    fn frame(&mut self, json: &Val) -> Known<Frame> {
        let mut ids = HashMap::new();
        for pair in items(get(json, "ids")?)? {
            let pair = items(pair)?;
            let id = match at(pair, 0)? {
                Val::Str(guid) => Id::Guid(frame::read_uuid(guid).map_err(|_| Unknown("such a GUID".into()))?),
                id => Id::Number(number(id)?),
            };
            ids.insert(id, index(at(pair, 1)?)?);
        }
        Ok(Frame {
            place: match text_of(get(json, "frame")?)? {
                "none" => Place::None,
                "any" => Place::Any,
                "id" => Place::Before,
                other => return Err(Unknown(format!("the frame {other}"))),
            },
            header: text_of(get(json, "header")?)?.to_owned(),
            ids,
            prefix: self.list(get(json, "prefix")?, |_, byte| number(byte))?,
        })
    }

    fn rule(&mut self, json: &Val) -> Known<Rule> {
        let limits = |reader: &mut Reader, name: &str| -> Known<Limits> {
            let pair = items(get(json, name)?)?;
            let most = reader.optional(at(pair, 1)?, |_, most| index(most))?;
            Ok(Limits { least: index(at(pair, 0)?)?, most })
        };
        Ok(Rule {
            words: self.list(get(json, "words")?, |_, word| {
                Ok(match text_of(word)? {
                    "null" => Word::Null,
                    "boolean" => Word::Boolean,
                    "integer" => Word::Integer,
                    "number" => Word::Number,
                    "string" => Word::Text,
                    "array" => Word::Array,
                    "object" => Word::Object,
                    other => return Err(Unknown(format!("the type {other} in JSON Schema"))),
                })
            })?,
            takes_null: flag(get(json, "takes_null")?)?,
            choices: self
                .optional(get(json, "choices")?, |reader, all| reader.list(all, |_, value| Ok(value.keep())))?,
            members: self.list(get(json, "members")?, |reader, member| {
                let parts = items(member)?;
                let name = text_of(at(parts, 0)?)?;
                Ok(Property {
                    id: reader.id(name),
                    name: name.to_owned(),
                    is_required: flag(at(parts, 1)?)?,
                    rule: reader.rule(at(parts, 2)?)?,
                })
            })?,
            others: match get(json, "others")? {
                Val::Null | Val::Bool(true) => Others::Taken,
                Val::Bool(false) => Others::Refused,
                rule => Others::By(Box::new(self.rule(rule)?)),
            },
            item: self.optional(get(json, "item")?, Reader::rule)?.map(Box::new),
            item_count: limits(self, "items")?,
            length: limits(self, "length")?,
            bounds: self.list(get(json, "bounds")?, |_, pair| {
                let pair = items(pair)?;
                let bound = match text_of(at(pair, 0)?)? {
                    "least" => Bound::Least,
                    "most" => Bound::Most,
                    "above" => Bound::Above,
                    "below" => Bound::Below,
                    other => return Err(Unknown(format!("the limit {other} in JSON Schema"))),
                };
                Ok((bound, at(pair, 1)?.keep()))
            })?,
        })
    }

    fn protobuf(&mut self, json: &Val) -> Known<Protobuf> {
        Ok(Protobuf {
            frame: self.frame(json)?,
            indexes: self.list(get(json, "indexes")?, |reader, of| {
                reader.list(of, |reader, bytes| reader.list(bytes, |_, byte| number(byte)))
            })?,
            messages: self.list(get(json, "messages")?, |reader, message| {
                reader.list(message, Reader::protobuf_field).map(Message::new)
            })?,
        })
    }

    fn protobuf_field(&mut self, json: &Val) -> Known<protobuf::Field> {
        let name = text_of(get(json, "name")?)?;
        let of = self.protobuf_type(get(json, "of")?)?;
        Ok(protobuf::Field {
            number: number(get(json, "number")?)?,
            id: self.id(name),
            name: name.to_owned(),
            label: match text_of(get(json, "label")?)? {
                "one" => Label::One,
                "list" => Label::List,
                "map" => Label::Map(self.protobuf_type(get(json, "key")?)?),
                other => return Err(Unknown(format!("a field of Protobuf that is {other}"))),
            },
            missing: match get(json, "missing")? {
                Val::Null => Missing::Null,
                Val::Bool(_) => Missing::Zero,
                default => match (&of, at(items(default)?, 0)?) {
                    (Of::Double | Of::Float, Val::Int(number)) => Missing::Default(Val::Double(*number as f64)),
                    (_, default) => Missing::Default(default.keep()),
                },
            },
            of,
            has_presence: flag(get(json, "has_presence")?)?,
            is_required: flag(get(json, "is_required")?)?,
            is_packed: flag(get(json, "is_packed")?)?,
            oneof: self.optional(get(json, "oneof")?, |_, json| number(json))?,
        })
    }

    fn protobuf_type(&mut self, json: &Val) -> Known<Of> {
        let parts = match json {
            Val::Str(name) => {
                return Ok(match &**name {
                    "int32" => Of::Int32,
                    "int64" => Of::Int64,
                    "uint32" => Of::Uint32,
                    "uint64" => Of::Uint64,
                    "sint32" => Of::Sint32,
                    "sint64" => Of::Sint64,
                    "fixed32" => Of::Fixed32,
                    "fixed64" => Of::Fixed64,
                    "sfixed32" => Of::Sfixed32,
                    "sfixed64" => Of::Sfixed64,
                    "float" => Of::Float,
                    "double" => Of::Double,
                    "bool" => Of::Bool,
                    "string" => Of::Text,
                    "bytes" => Of::Bytes,
                    "timestamp" => Of::Timestamp,
                    "duration" => Of::Duration,
                    "any" => Of::Any(protobuf::ANY.map(|name| self.id(name))),
                    other => return Err(Unknown(format!("{other} in Protobuf"))),
                });
            }
            other => items(other)?,
        };
        Ok(match text_of(at(parts, 0)?)? {
            "enum" => Of::Enum(
                self.list(at(parts, 1)?, |_, pair| {
                    let pair = items(pair)?;
                    Ok((number(at(pair, 0)?)?, text_of(at(pair, 1)?)?.to_owned()))
                })?,
                flag(at(parts, 2)?)?,
            ),
            "message" => Of::Message(index(at(parts, 1)?)?),
            "wrapper" => Of::Wrapper(Box::new(self.protobuf_type(at(parts, 1)?)?)),
            other => return Err(Unknown(format!("{other} in Protobuf"))),
        })
    }

    fn avro_read(&mut self, json: &Val) -> Known<avro::Read> {
        use avro::Read;
        let parts = items(json)?;
        let boxed = |reader: &mut Reader| reader.avro_read(at(parts, 1)?).map(Box::new);
        Ok(match text_of(at(parts, 0)?)? {
            "null" => Read::Null,
            "boolean" => Read::Bool,
            "int" => Read::Int,
            "long" => Read::Long,
            "int_as_double" => Read::IntAsDouble,
            "long_as_double" => Read::LongAsDouble,
            "float" => Read::Float,
            "double" => Read::Double,
            "text" => Read::Text,
            "bytes" => Read::Bytes,
            "text_as_bytes" => Read::TextAsBytes,
            "fixed" => Read::Fixed(index(at(parts, 1)?)?),
            "decimal" => Read::Decimal(digits(parts)?, self.optional(at(parts, 3)?, |_, size| index(size))?),
            "uuid" => Read::Uuid,
            "duration" => Read::Duration(avro::DURATION.map(|name| self.id(name))),
            "enum" => Read::Enum(self.list(at(parts, 1)?, |reader, symbol| {
                reader.optional(symbol, |_, symbol| text_of(symbol).map(str::to_owned))
            })?),
            "list" => Read::List(boxed(self)?),
            "map" => Read::Map(boxed(self)?),
            "union" => {
                Read::Union(self.list(at(parts, 1)?, |reader, option| reader.optional(option, Reader::avro_read))?)
            }
            "record" => Read::Record {
                fields: self.list(at(parts, 1)?, |reader, field| {
                    let pair = items(field)?;
                    let name = reader.optional(at(pair, 0)?, |_, name| text_of(name).map(str::to_owned))?;
                    let id = name.as_deref().map_or(UNNAMED, |name| reader.id(name));
                    Ok(ReadField { id, name, read: reader.avro_read(at(pair, 1)?)?, is_read: true })
                })?,
                order: self.optional(at(parts, 2)?, |reader, order| {
                    reader.list(order, |reader, slot| {
                        if let Val::Int(_) = slot {
                            return Ok(Slot::Written(index(slot)?));
                        }
                        let pair = items(slot)?;
                        let name = text_of(at(pair, 0)?)?.to_owned();
                        let id = reader.id(&name);
                        Ok(Slot::Default { id, name, value: at(pair, 1)?.keep(), is_read: true })
                    })
                })?,
            },
            other => return Err(Unknown(format!("{other} in Avro"))),
        })
    }

    fn avro_write(&mut self, json: &Val) -> Known<avro::Write> {
        use avro::Write;
        let parts = items(json)?;
        let boxed = |reader: &mut Reader, place: usize| reader.avro_write(at(parts, place)?).map(Box::new);
        Ok(match text_of(at(parts, 0)?)? {
            "null" => Write::Null,
            "boolean" => Write::Bool,
            "int" => Write::Int,
            "long" => Write::Long,
            "float" => Write::Float,
            "double" => Write::Double,
            "text" => Write::Text,
            "bytes" => Write::Bytes,
            "fixed" => Write::Fixed(index(at(parts, 1)?)?),
            "decimal" => Write::Decimal(digits(parts)?, self.optional(at(parts, 3)?, |_, size| index(size))?),
            "uuid" => Write::Uuid,
            "duration" => Write::Duration(avro::DURATION.map(|name| self.id(name))),
            "enum" => Write::Enum(self.list(at(parts, 1)?, |_, symbol| text_of(symbol).map(str::to_owned))?),
            "list" => Write::List(boxed(self, 1)?),
            "map" => Write::Map(boxed(self, 1)?),
            "nullable" => Write::Nullable(
                self.optional(at(parts, 1)?, |_, index| number(index))?,
                number(at(parts, 2)?)?,
                boxed(self, 3)?,
            ),
            "record" => Write::Record(self.list(at(parts, 1)?, |reader, field| {
                let parts = items(field)?;
                let name = text_of(at(parts, 0)?)?.to_owned();
                let (id, write) = (reader.id(&name), reader.avro_write(at(parts, 1)?)?);
                Ok(WriteField { id, name, write, missing: at(parts, 2)?.keep() })
            })?),
            other => return Err(Unknown(format!("{other} in Avro"))),
        })
    }
}
