//! The ids of schemas: before the bytes of a value, or in headers of its record (`runner/engine/formats/framing.py`).

use std::collections::HashMap;

use crate::json;
use crate::value::{Sure, Unsure, Val};

const PREFIX: usize = 5;

/// Where the id of the schema is that wrote a value.
#[derive(Debug)]
pub struct Frame {
    pub place: Place,
    /// The name of the record header in which it is looked for first, or empty.
    pub header: String,
    /// The reader of each schema, by its id.
    pub ids: HashMap<Id, usize>,
    /// What comes before a written value.
    pub prefix: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the first reader reads all.
    None,
    /// Before the value, but the first reader reads all.
    Any,
    /// Before the value.
    Before,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Id {
    Number(u32),
    Guid([u8; 16]),
}

/// The headers that name the schemas of a written key and value.
#[derive(Debug)]
pub struct Stamp {
    /// Headers that may name the schemas of other bytes.
    pub stale: Vec<String>,
    pub key: Option<Header>,
    pub value: Option<Header>,
}

/// The name of a header, and its content in base64.
pub type Header = (String, String);

/// The reader of bytes, and where the value begins. If their record has a header with the id, what is behind the id.
pub struct Opened {
    pub reader: usize,
    pub start: usize,
    pub behind_id: Option<Vec<u8>>,
}

impl Frame {
    /// Finds the id of the schema of bytes whose record has these headers.
    pub fn open(&self, data: &[u8], headers: Option<&str>) -> Sure<Opened> {
        if self.place == Place::None {
            return Ok(Opened { reader: 0, start: 0, behind_id: None });
        }
        if let Some(headers) = headers
            && !self.header.is_empty()
            && headers.contains(&self.header)
            && let Some((id, rest)) = find_in_headers(headers, &self.header)?
        {
            return Ok(Opened { reader: *self.ids.get(&id).ok_or(Unsure)?, start: 0, behind_id: Some(rest) });
        }
        let Some(([0, id @ ..], _)) = data.split_first_chunk::<PREFIX>() else { return Err(Unsure) };
        let id = Id::Number(u32::from_be_bytes(*id));
        let reader = if self.place == Place::Any { 0 } else { *self.ids.get(&id).ok_or(Unsure)? };
        Ok(Opened { reader, start: PREFIX, behind_id: None })
    }
}

impl Stamp {
    /// The headers of a written record that comes from one with `headers`. None if they stay as they are.
    pub fn write(&self, headers: Option<&str>, has_key: bool, has_value: bool) -> Sure<Option<String>> {
        let added = [self.key.as_ref().filter(|_| has_key), self.value.as_ref().filter(|_| has_value)];
        let is_stale = headers.is_some_and(|text| self.stale.iter().any(|name| text.contains(name)));
        if !is_stale && added.iter().all(Option::is_none) {
            return Ok(None);
        }
        let any = json::Type::Any;
        let kept = match headers {
            None | Some("") => Vec::new(),
            Some(text) => {
                let Val::List(all) = json::read(text.as_bytes(), &any, false)? else { return Err(Unsure) };
                let mut kept = Vec::with_capacity(all.len());
                for header in all.iter() {
                    let Val::Str(key) = header.named("key")? else { return Err(Unsure) };
                    if !self.stale.iter().any(|name| **name == **key) {
                        kept.push(header.clone());
                    }
                }
                kept
            }
        };
        let mut out = vec![b'['];
        for header in &kept {
            json::write(header, &mut out)?;
            out.push(b',');
        }
        for (name, content) in added.into_iter().flatten() {
            out.extend(b"{\"key\":");
            json::write_text(name, &mut out);
            out.extend(b",\"value\":");
            json::write_text(content, &mut out);
            out.extend(b"},");
        }
        if out.len() == 1 {
            return Ok(Some(String::new()));
        }
        out.pop();
        out.push(b']');
        String::from_utf8(out).map(Some).map_err(|_| Unsure)
    }
}

/// The id in the last header of that name, as `_find_in_headers` of the Python engine finds it, and what is behind it.
fn find_in_headers(headers: &str, name: &str) -> Sure<Option<(Id, Vec<u8>)>> {
    let any = json::Type::Any;
    let Val::List(all) = json::read(headers.as_bytes(), &any, false)? else { return Err(Unsure) };
    for header in all.iter().rev() {
        let Val::Str(key) = header.named("key")? else { return Err(Unsure) };
        if *name == **key {
            let Val::Str(content) = header.named("value")? else { return Err(Unsure) };
            let content = read_base64(content)?;
            return Ok(match content.as_slice() {
                [0, a, b, c, d, rest @ ..] => Some((Id::Number(u32::from_be_bytes([*a, *b, *c, *d])), rest.to_vec())),
                [1, rest @ ..] => rest.split_first_chunk().map(|(guid, rest)| (Id::Guid(*guid), rest.to_vec())),
                _ => None,
            });
        }
    }
    Ok(None)
}

/// The characters of the names of headers, and the bytes of their contents.
pub fn measure_headers(headers: &str) -> Sure<usize> {
    let any = json::Type::Any;
    let Val::List(all) = json::read(headers.as_bytes(), &any, false)? else { return Err(Unsure) };
    let measure = |header: &Val| {
        let Val::Str(key) = header.named("key")? else { return Err(Unsure) };
        let content = match header.named("value")? {
            Val::Null => 0,
            Val::Str(content) => read_base64(content)?.len(),
            _ => return Err(Unsure),
        };
        Ok(key.chars().count() + content)
    };
    all.iter().map(measure).sum()
}

/// Base64 with its padding and nothing else, as every producer writes it.
fn read_base64(text: &str) -> Sure<Vec<u8>> {
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Unsure);
    }
    let mut data = Vec::with_capacity(groups.len() * 3);
    for (place, group) in groups.iter().enumerate() {
        let padding = group.iter().rev().take_while(|byte| **byte == b'=').count();
        if padding > 2 || (padding > 0 && place + 1 < groups.len()) {
            return Err(Unsure);
        }
        let number = group[..4 - padding].iter().try_fold(0_u32, |number, byte| {
            let digit = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return Err(Unsure),
            };
            Ok(number << 6 | u32::from(digit))
        })?;
        let [_, bytes @ ..] = (number << (6 * padding)).to_be_bytes();
        data.extend(&bytes[..3 - padding]);
    }
    Ok(data)
}

/// A UUID in its usual form. Python also takes others.
pub fn read_uuid(text: &str) -> Sure<[u8; 16]> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 || [8, 13, 18, 23].iter().any(|place| bytes[*place] != b'-') {
        return Err(Unsure);
    }
    let digits: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'-').collect();
    let (pairs, _) = digits.as_chunks::<2>();
    let mut data = [0; 16];
    if pairs.len() != data.len() {
        return Err(Unsure);
    }
    for (byte, [high, low]) in data.iter_mut().zip(pairs) {
        let digit = |digit: &u8| char::from(*digit).to_digit(16).ok_or(Unsure);
        *byte = u8::try_from(digit(high)? << 4 | digit(low)?).map_err(|_| Unsure)?;
    }
    Ok(data)
}
