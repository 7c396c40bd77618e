//! What a batch changed in the state, packed for the changelog. `runner/spark/state/change.py` does the same in Python.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rmp::{decode, encode};

use crate::lmdb::{Result, Rows};

/// A key above `MAX_KEY` is stored as its first `PREFIX` bytes and a digest (`runner/spark/state/long_keys.py`).
pub const PREFIX: usize = 448;
const MAX_KEY: usize = PREFIX + 31;
/// Rows that a span reads at least, if there are as many.
const FEW: usize = 32;

/// The changes of a batch, and how much to write of them.
pub struct Writes<'py> {
    /// Keys with their new values. None: deleted.
    pub writes: Bound<'py, PyDict>,
    /// Disjoint ranges in order that the batch deleted before it wrote.
    pub deleted_ranges: Bound<'py, PyList>,
    /// The stored key at which the span begins.
    pub cursor: Bound<'py, PyBytes>,
    /// Bytes of the span, if the delta has no more.
    pub least: usize,
    /// Bytes of a piece.
    pub piece: usize,
    /// Bytes of changes and of what they replace, above which nothing undoes them.
    pub most_undo: usize,
}

/// Number of a store, and its rows and bytes.
type Sizes = Vec<(u64, i64, i64)>;

/// The pieces of the delta, the delta that undoes it, what came and what went by store, and of the span its end, its
/// pieces and its bytes.
pub type Packed<'py> = (
    Vec<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
    Sizes,
    Sizes,
    Option<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyBytes>>,
    usize,
);

/// A key with its new value and the one before.
struct Change<'a> {
    key: &'a [u8],
    value: Option<&'a [u8]>,
    before: Option<&'a [u8]>,
}

type Range<'a> = (&'a [u8], &'a [u8]);

/// Packs the changes of a batch over rows. None if a key of the rows is too long for this.
pub fn pack<'py, 'a>(
    py: Python<'py>,
    given: &'a Writes<'py>,
    held: &'a Held,
    rows: &mut Rows<'a>,
) -> Result<Option<Packed<'py>>> {
    let ranges: Vec<Range> = held.ranges.iter().map(|(start, end)| (start.as_bytes(), end.as_bytes())).collect();
    let mut writes: Vec<Put> =
        held.writes.iter().map(|(key, value)| (key.as_bytes(), value.as_ref().map(|v| v.as_bytes()))).collect();
    writes.sort_unstable_by_key(|(key, _)| *key);
    let (mut came, mut went) = (Counts::default(), Counts::default());
    let mut deleted: Vec<(&[u8], &[u8])> = Vec::new();
    let mut effective: Vec<Range> = Vec::new();
    for (start, end) in &ranges {
        let count = deleted.len();
        let mut row = rows.seek(start)?;
        while let Some((key, value)) = row.filter(|(key, _)| key < end) {
            if key.len() > MAX_KEY {
                return Ok(None);
            }
            went.add(key, value);
            deleted.push((key, value));
            row = rows.next()?;
        }
        if deleted.len() > count {
            effective.push((start, end));
        }
    }
    let mut changes = Vec::with_capacity(writes.len());
    for (key, value) in writes {
        let before = if covers(&ranges, key) { None } else { rows.get_next(key)? };
        if value != before {
            changes.push(Change { key, value, before });
        }
    }
    if changes.is_empty() && effective.is_empty() {
        return Ok(Some((Vec::new(), None, Vec::new(), Vec::new(), None, Vec::new(), 0)));
    }
    let mut delta_bytes: usize = effective.iter().map(|(start, end)| start.len() + end.len()).sum();
    for change in &changes {
        delta_bytes += change.key.len();
        if let Some(value) = change.value {
            delta_bytes += value.len();
            came.add(change.key, value);
        }
        if let Some(before) = change.before {
            went.add(change.key, before);
        }
    }
    let new: Vec<_> = changes.iter().map(|change| (change.key, change.value)).collect();
    let undo = (delta_bytes + went.bytes() <= given.most_undo).then(|| {
        let before = changes.iter().map(|change| (change.key, change.before));
        let deleted = deleted.iter().map(|(key, value)| (*key, Some(*value)));
        let undo: Vec<_> = before.chain(deleted).collect();
        PyBytes::new(py, &encode_delta(&[], &undo))
    });
    let Some((end, span)) = choose_span(&new, &ranges, given.cursor.as_bytes(), delta_bytes.max(given.least), rows)?
    else {
        return Ok(None);
    };
    let span_bytes = span.iter().map(|(key, value)| key.len() + value.map_or(0, <[u8]>::len)).sum();
    let give = |pieces: Vec<Vec<u8>>| pieces.iter().map(|piece| PyBytes::new(py, piece)).collect();
    Ok(Some((
        give(cut(&effective, &new, given.piece)),
        undo,
        came.list(),
        went.list(),
        end.map(|end| PyBytes::new(py, end)),
        give(cut(&[], &span, given.piece)),
        span_bytes,
    )))
}

type Put<'a> = (&'a [u8], Option<&'a [u8]>);
/// The stored key before which a span ends (None: the store ends), and its rows.
type Span<'a> = (Option<&'a [u8]>, Vec<Put<'a>>);

/// The objects of the writes and of the deleted ranges.
pub struct Held<'py> {
    writes: Vec<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>)>,
    ranges: Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
}

/// The objects of a batch. None if one is not of bytes, or a key is long.
pub fn hold<'py>(given: &Writes<'py>) -> Option<Held<'py>> {
    let bytes = |object: Bound<'py, PyAny>| object.cast_into::<PyBytes>().ok();
    let mut writes = Vec::with_capacity(given.writes.len());
    for (key, value) in &given.writes {
        let key = bytes(key).filter(|key| key.as_bytes().len() <= MAX_KEY)?;
        writes.push((key, if value.is_none() { None } else { Some(bytes(value)?) }));
    }
    let mut ranges = Vec::new();
    for range in &given.deleted_ranges {
        let (start, end) = (bytes(range.get_item(0).ok()?)?, bytes(range.get_item(1).ok()?)?);
        if start.as_bytes().len().max(end.as_bytes().len()) >= PREFIX {
            return None;
        }
        ranges.push((start, end));
    }
    Some(Held { writes, ranges })
}

/// True if a key is in one of the ranges, which are disjoint and in order.
pub fn covers(ranges: &[Range], key: &[u8]) -> bool {
    let place = ranges.partition_point(|(start, _)| *start <= key);
    place > 0 && key < ranges[place - 1].1
}

/// The rows from the cursor on, as they are after the batch, and the stored key at which they end. None for a long key.
fn choose_span<'a>(
    changes: &[Put<'a>],
    ranges: &[Range],
    cursor: &[u8],
    size: usize,
    rows: &mut Rows<'a>,
) -> Result<Option<Span<'a>>> {
    let mut span = Vec::new();
    let mut changed = changes[changes.partition_point(|(key, _)| *key < cursor)..].iter().peekable();
    let (mut read, mut count) = (0, 0);
    let mut row = rows.seek(cursor)?;
    while let Some((key, value)) = row.filter(|_| read < size || count < FEW) {
        if key.len() > MAX_KEY {
            return Ok(None);
        }
        read += key.len() + value.len();
        count += 1;
        while let Some(change) = changed.next_if(|change| change.0 < key) {
            span.extend(change.1.is_some().then_some(*change));
        }
        match changed.next_if(|change| change.0 == key) {
            Some(change) => span.extend(change.1.is_some().then_some(*change)),
            None => span.extend((!covers(ranges, key)).then_some((key, Some(value)))),
        }
        row = rows.next()?;
    }
    let end = row.map(|(key, _)| key);
    while let Some(change) = changed.next_if(|change| end.is_none_or(|end| change.0 < end)) {
        span.extend(change.1.is_some().then_some(*change));
    }
    Ok(Some((end, span)))
}

/// Encoded deltas of at most `piece` bytes, or of a single row. The ranges are in front of all rows.
fn cut(ranges: &[Range], rows: &[Put], piece: usize) -> Vec<Vec<u8>> {
    let mut cuts = Vec::new();
    let (mut low, mut weight) = (0, 0);
    for (at, (key, value)) in rows.iter().enumerate() {
        let more = key.len() + value.map_or(0, <[u8]>::len);
        if weight + more > piece && at > low {
            cuts.push(&rows[low..at]);
            (low, weight) = (at, 0);
        }
        weight += more;
    }
    if low < rows.len() {
        cuts.push(&rows[low..]);
    }
    match cuts[..] {
        [] if ranges.is_empty() => Vec::new(),
        [] => vec![encode_delta(ranges, &[])],
        [all] => vec![encode_delta(ranges, all)],
        _ => {
            let first = (!ranges.is_empty()).then(|| encode_delta(ranges, &[]));
            first.into_iter().chain(cuts.iter().map(|rows| encode_delta(&[], rows))).collect()
        }
    }
}

fn encode_delta(ranges: &[Range], rows: &[Put]) -> Vec<u8> {
    let size = |bytes: &[u8]| bytes.len() + 5;
    let values: usize = rows.iter().map(|(key, value)| size(key) + value.map_or(1, size)).sum();
    let mut to = Vec::with_capacity(values + 16 + 32 * ranges.len());
    // writing into a Vec cannot fail
    let count = |to: &mut Vec<u8>, count: usize| {
        let _ = encode::write_array_len(to, u32::try_from(count).unwrap_or(u32::MAX));
    };
    count(&mut to, 3);
    count(&mut to, ranges.len());
    for (start, end) in ranges {
        count(&mut to, 2);
        let _ = encode::write_bin(&mut to, start);
        let _ = encode::write_bin(&mut to, end);
    }
    count(&mut to, rows.len());
    for (key, _) in rows {
        let _ = encode::write_bin(&mut to, key);
    }
    count(&mut to, rows.len());
    for (_, value) in rows {
        let _ = match value {
            Some(value) => encode::write_bin(&mut to, value).is_ok(),
            None => encode::write_nil(&mut to).is_ok(),
        };
    }
    to
}

/// A delta whose bytes are lent from its encoding.
pub struct Delta<'a> {
    ranges: Vec<Range<'a>>,
    rows: Vec<Put<'a>>,
}

/// Reads an encoded delta. None if a key or a range is too long to be applied here.
pub fn read_delta(mut data: &[u8]) -> PyResult<Option<Delta<'_>>> {
    let broken = || PyValueError::new_err("A delta of the state cannot be read.");
    let delta = decode_delta(&mut data).filter(|_| data.is_empty()).ok_or_else(broken)?;
    let is_short = delta.rows.iter().all(|(key, _)| key.len() <= MAX_KEY)
        && delta.ranges.iter().all(|(start, end)| start.len().max(end.len()) < PREFIX);
    Ok(is_short.then_some(delta))
}

fn decode_delta<'a>(data: &mut &'a [u8]) -> Option<Delta<'a>> {
    (decode::read_array_len(data).ok()? == 3).then_some(())?;
    let mut ranges = Vec::new();
    for _ in 0..decode::read_array_len(data).ok()? {
        (decode::read_array_len(data).ok()? == 2).then_some(())?;
        ranges.push((read_bytes(data)?, read_bytes(data)?));
    }
    let count = decode::read_array_len(data).ok()?;
    let mut rows = Vec::new();
    for _ in 0..count {
        rows.push((read_bytes(data)?, None));
    }
    (decode::read_array_len(data).ok()? == count).then_some(())?;
    for (_, value) in &mut rows {
        *value = match data.first() {
            Some(0xC0) => {
                *data = &data[1..];
                None
            }
            _ => Some(read_bytes(data)?),
        };
    }
    Some(Delta { ranges, rows })
}

fn read_bytes<'a>(data: &mut &'a [u8]) -> Option<&'a [u8]> {
    let size = decode::read_bin_len(data).ok()? as usize;
    let (bytes, rest) = data.split_at_checked(size)?;
    *data = rest;
    Some(bytes)
}

impl Delta<'_> {
    /// Deletes the ranges, then deletes and puts rows.
    pub fn apply(&self, rows: &mut Rows) -> Result<()> {
        for (start, end) in &self.ranges {
            rows.delete_range(start, end)?;
        }
        for (key, value) in &self.rows {
            match value {
                Some(value) => rows.put(key, value)?,
                None => rows.delete(key)?,
            }
        }
        Ok(())
    }
}

/// Rows and bytes by the number of their store, bytes 2 and 3 of a key.
#[derive(Default)]
struct Counts {
    of: BTreeMap<u64, (i64, i64)>,
    last: (u64, i64, i64),
}

impl Counts {
    fn add(&mut self, key: &[u8], value: &[u8]) {
        let number = key.iter().take(4).skip(2).fold(0, |number, byte| number << 8 | u64::from(*byte));
        if number != self.last.0 {
            self.settle();
            self.last.0 = number;
        }
        self.last.1 += 1;
        self.last.2 += i64::try_from(key.len() + value.len()).unwrap_or(i64::MAX);
    }

    fn settle(&mut self) {
        if self.last.1 > 0 {
            let (rows, bytes) = self.of.entry(self.last.0).or_default();
            *rows += self.last.1;
            *bytes += self.last.2;
            self.last = (self.last.0, 0, 0);
        }
    }

    fn bytes(&mut self) -> usize {
        self.settle();
        self.of.values().map(|(_, bytes)| usize::try_from(*bytes).unwrap_or(0)).sum()
    }

    fn list(mut self) -> Sizes {
        self.settle();
        self.of.into_iter().map(|(number, (rows, bytes))| (number, rows, bytes)).collect()
    }
}
