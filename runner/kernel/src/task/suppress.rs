//! Updates of a table that wait (`runner/engine/operators/suppress.py`), and their buffer.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::frame;
use crate::json;
use crate::plan::{BufferPlan, Op, SizePlan};
use crate::rows::Rows;
use crate::state::Fetch;
use crate::store::ReadAhead;
use crate::task::{DELETED, FREED, Place, SILENT, Task, WAITING, observe};
use crate::value::{Sure, Text, Unsure, Val};

/// The time of a value for which only the value is known.
pub const UNKNOWN: i64 = -1;

/// What results carry of a record of an earlier batch.
#[derive(Debug)]
pub struct EarlierRow {
    pub headers: Option<String>,
    pub number: i32,
    pub offset: i64,
}

/// An update that waits, with its place in the order and the row that it comes from.
#[derive(Clone)]
struct Update<'p> {
    time: i64,
    prior: Val<'p>,
    old: Val<'p>,
    new: Val<'p>,
    timestamp: i64,
    row: usize,
    keeps_headers: bool,
    bytes: i64,
}

/// What the buffer knows of a key.
#[derive(Default)]
struct Slot<'p> {
    update: Option<Update<'p>>,
    time_in_state: Option<i64>,
    has_changed: bool,
}

/// The newest update of each key, in order of time and key (`runner/engine/operators/shared/buffering.py`).
pub struct Buffer<'p> {
    plan: &'p BufferPlan,
    prefix: Vec<u8>,
    slots: HashMap<Vec<u8>, Slot<'p>>,
    order: BTreeSet<(i64, Vec<u8>)>,
    read: ReadAhead,
    count: i64,
    bytes: i64,
}

impl<'p> Buffer<'p> {
    pub fn new(plan: &'p BufferPlan, task: u16, fetch: Fetch) -> Sure<Buffer<'p>> {
        let prefix = [task.to_be_bytes(), plan.store.to_be_bytes()].concat();
        let (mut count, mut bytes) = (0, 0);
        if let Some(data) = fetch.get(&[&prefix[..], b"s"].concat())? {
            let Val::List(size) = json::read(&data, &json::Type::Any, false)?.keep() else { return Err(Unsure) };
            let [Val::Int(known), Val::Int(size)] = size.as_slice() else { return Err(Unsure) };
            (count, bytes) = (*known, *size);
        }
        let (slots, order) = (HashMap::new(), BTreeSet::new());
        Ok(Buffer { plan, prefix, slots, order, read: ReadAhead::default(), count, bytes })
    }

    fn by_time(&self, time: i64, key: &[u8]) -> Vec<u8> {
        [&self.prefix[..], b"t", &time.to_be_bytes(), key].concat()
    }

    fn by_key(&self, key: &[u8]) -> Vec<u8> {
        [&self.prefix[..], b"k", key].concat()
    }

    /// Reads a key from the state the first time.
    fn load(&mut self, key: &[u8], rows: &mut EarlierRows, fetch: Fetch) -> Sure<()> {
        if self.slots.contains_key(key) {
            return Ok(());
        }
        match fetch.get(&self.by_key(key))? {
            None => {
                self.slots.insert(key.to_vec(), Slot::default());
                Ok(())
            }
            Some(time) => {
                let time = i64::from_be_bytes(time.as_slice().try_into().map_err(|_| Unsure)?);
                let data = fetch.get(&self.by_time(time, key))?.ok_or(Unsure)?;
                self.insert(key, &data, rows)
            }
        }
    }

    fn insert(&mut self, key: &[u8], data: &[u8], rows: &mut EarlierRows) -> Sure<()> {
        let plan = self.plan;
        let Val::List(parts) = json::read_tagged(data)? else { return Err(Unsure) };
        let [Val::Int(time), prior, old, new, Val::Int(timestamp), Val::List(row), Val::Int(bytes)] = parts.as_slice()
        else {
            return Err(Unsure);
        };
        let [_, _, _, _, headers, Val::Int(number), Val::Int(offset)] = row.as_slice() else { return Err(Unsure) };
        let headers = match headers {
            Val::Null => None,
            Val::Str(text) => Some(text.to_string()),
            _ => return Err(Unsure),
        };
        let number = i32::try_from(*number).map_err(|_| Unsure)?;
        let keep = |value: &Val| if has_tag(value) { Err(Unsure) } else { Ok(value.keep_as(&plan.values)) };
        let update = Update {
            time: *time,
            prior: keep(prior)?,
            old: keep(old)?,
            new: keep(new)?,
            timestamp: *timestamp,
            row: rows.add(EarlierRow { headers, number, offset: *offset }),
            keeps_headers: true,
            bytes: *bytes,
        };
        self.order.insert((*time, key.to_vec()));
        let slot = Slot { update: Some(update), time_in_state: Some(*time), has_changed: false };
        self.slots.insert(key.to_vec(), slot);
        Ok(())
    }

    /// The time and the key of the update that leaves first.
    fn find_first(&mut self, rows: &mut EarlierRows, fetch: Fetch) -> Sure<Option<(i64, Vec<u8>)>> {
        let (start, limit) = ([&self.prefix[..], b"t"].concat(), [&self.prefix[..], b"u"].concat());
        loop {
            let end = [self.read.end().max(&start), &[0]].concat();
            if let Some((time, key)) = self.order.first()
                && (self.read.end() >= limit.as_slice() || self.by_time(*time, key).as_slice() < self.read.end())
            {
                return Ok(Some((*time, key.clone())));
            }
            if self.read.end() >= limit.as_slice() {
                return Ok(None);
            }
            for (found, data) in self.read.until(&start, &end, &limit, fetch)? {
                let key = found.get(13..).ok_or(Unsure)?;
                if !self.slots.contains_key(key) {
                    self.insert(key, &data, rows)?;
                }
            }
        }
    }

    fn put(&mut self, key: &[u8], update: Update<'p>) -> Sure<()> {
        let slot = self.slots.get_mut(key).ok_or(Unsure)?;
        match &slot.update {
            None => {
                self.order.insert((update.time, key.to_vec()));
                self.count += 1;
            }
            Some(before) => self.bytes -= before.bytes,
        }
        self.bytes += update.bytes;
        slot.update = Some(update);
        slot.has_changed = true;
        Ok(())
    }

    /// The update of a key that waits, if the key was read.
    fn get(&self, key: &[u8]) -> Option<&Update<'p>> {
        self.slots.get(key).and_then(|slot| slot.update.as_ref())
    }

    fn remove(&mut self, key: &[u8]) -> Sure<()> {
        let slot = self.slots.get_mut(key).ok_or(Unsure)?;
        let update = slot.update.take().ok_or(Unsure)?;
        slot.has_changed = true;
        self.order.remove(&(update.time, key.to_vec()));
        self.count -= 1;
        self.bytes -= update.bytes;
        Ok(())
    }

    /// Changes of the state.
    pub fn list_changes(
        &self,
        rows: &Rows,
        earlier: &EarlierRows,
        writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>,
    ) -> Sure<()> {
        for (key, slot) in self.slots.iter().filter(|(_, slot)| slot.has_changed) {
            let time = slot.update.as_ref().map(|update| update.time);
            if let Some(before) = slot.time_in_state
                && time != Some(before)
            {
                writes.push((self.by_time(before, key), None));
            }
            if let Some(update) = &slot.update {
                writes.push((self.by_time(update.time, key), Some(write(update, rows, earlier)?)));
                writes.push((self.by_key(key), Some(update.time.to_be_bytes().to_vec())));
            } else if slot.time_in_state.is_some() {
                writes.push((self.by_key(key), None));
            }
        }
        if !self.slots.is_empty() {
            let mut data = Vec::new();
            json::write(&Val::List(Arc::new(vec![Val::Int(self.count), Val::Int(self.bytes)])), &mut data)?;
            writes.push(([&self.prefix[..], b"s"].concat(), Some(data)));
        }
        Ok(())
    }
}

/// Rows of earlier batches that wait. Their numbers follow those of the rows of this batch.
#[derive(Debug)]
pub struct EarlierRows {
    first: usize,
    rows: Vec<EarlierRow>,
}

impl EarlierRows {
    pub fn new(first: usize) -> EarlierRows {
        EarlierRows { first, rows: Vec::new() }
    }

    pub fn add(&mut self, row: EarlierRow) -> usize {
        self.rows.push(row);
        self.first + self.rows.len() - 1
    }

    pub fn get(&self, number: usize) -> Option<&EarlierRow> {
        number.checked_sub(self.first).and_then(|place| self.rows.get(place))
    }
}

/// True if a value has a part that JSON does not tell from others (`runner/engine/records/tagging.py`).
fn has_tag(value: &Val) -> bool {
    match value {
        Val::List(items) => items.iter().any(has_tag),
        Val::Struct(members) => members.iter().any(|each| each.name.starts_with('\0') || has_tag(&each.value)),
        _ => false,
    }
}

/// An update as Python packs it, with the row that it comes from.
fn write(update: &Update, rows: &Rows, earlier: &EarlierRows) -> Sure<Vec<u8>> {
    if earlier.get(update.row).is_some() {
        return Err(Unsure); // only an update of this batch changes the buffer
    }
    let row = rows.get(update.row)?;
    let bytes = |bytes: Option<&[u8]>| {
        let Some(bytes) = bytes else { return Val::Null };
        let value = Val::text(encode_base64(bytes));
        Val::Struct(Arc::new(vec![crate::value::Member { id: crate::value::UNNAMED, name: Text::Lent("\0"), value }]))
    };
    let headers = row.headers.filter(|_| update.keeps_headers);
    let row = vec![
        Val::Int(row.target.into()),
        bytes(row.key),
        bytes(row.value),
        Val::Int(row.timestamp),
        headers.map_or(Val::Null, |text| Val::Str(Text::Lent(text))),
        Val::Int(row.number.into()),
        Val::Int(row.offset),
    ];
    let parts = vec![
        Val::Int(update.time),
        update.prior.clone(),
        update.old.clone(),
        update.new.clone(),
        Val::Int(update.timestamp),
        Val::List(Arc::new(row)),
        Val::Int(update.bytes),
    ];
    let mut data = Vec::new();
    json::write_with(&Val::List(Arc::new(parts)), json::Decimals::Tagged, &mut data)?;
    Ok(data)
}

fn encode_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

impl<'p> Task<'p, '_> {
    /// The bytes that an update counts (`_make_sizes`). An old value that is also the prior one counts once.
    fn measure(&self, sizes: &SizePlan, key: &[u8], update: &Update) -> Sure<i64> {
        let write = |value: &Val| {
            let mut data = Vec::new();
            if !value.is_null() && !sizes.value.encode(value, &mut data)? {
                return Err(Unsure);
            }
            Ok(data)
        };
        let (prior, old, new) = (write(&update.prior)?, write(&update.old)?, write(&update.new)?);
        let values = prior.len() + if old == prior { 0 } else { old.len() } + new.len();
        if update.row >= self.rows.count {
            return Err(Unsure); // only Python knows the whole row
        }
        let row = self.rows.get(update.row)?;
        let headers = row.headers.filter(|_| update.keeps_headers).map_or(Ok(0), frame::measure_headers)?;
        let counted = i64::try_from(key.len() + values + headers).map_err(|_| Unsure)?;
        Ok(sizes.each + counted + sizes.topics.get(&row.target).ok_or(Unsure)?)
    }

    /// The value before the update of a key that waits, if one does.
    pub(super) fn find_held(&mut self, number: usize, key: &Val<'p>) -> Sure<Option<Val<'p>>> {
        let mut key_bytes = Vec::new();
        if !self.plan.buffers[number].key.encode(key, &mut key_bytes)? {
            return Err(Unsure);
        }
        self.buffers[number].load(&key_bytes, &mut self.earlier_rows, self.fetch)?;
        Ok(self.buffers[number].get(&key_bytes).map(|update| update.prior.clone()))
    }

    /// Holds an update back, and sends those that are due.
    pub(super) fn suppress(
        &mut self,
        node: usize,
        key: &Val<'p>,
        new: &Val<'p>,
        old: &Val<'p>,
        timestamp: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Suppress { buffer: number } = plan.nodes[node].op else { return Err(Unsure) };
        let buffer = &plan.buffers[number];
        observe(&mut self.times[buffer.time], timestamp);
        let mut key_bytes = Vec::new();
        if !buffer.key.encode(key, &mut key_bytes)? {
            return Err(Unsure);
        }
        self.buffers[number].load(&key_bytes, &mut self.earlier_rows, self.fetch)?;
        let before = self.buffers[number].get(&key_bytes);
        let (time, prior) = match (before, key) {
            (Some(before), _) => (before.time, before.prior.clone()),
            (None, Val::Windowed(window)) if buffer.until_close => (window.2, old.clone()),
            (None, _) if buffer.until_close => return Err(Unsure),
            (None, _) => (timestamp, old.clone()),
        };
        self.count(node, if before.is_none() { WAITING } else { SILENT });
        let (old, new, row, keeps_headers) = (old.clone(), new.clone(), at.row, at.keeps_headers);
        let mut update = Update { time, prior, old, new, timestamp, row, keeps_headers, bytes: 0 };
        if let Some(sizes) = &buffer.sizes {
            update.bytes = self.measure(sizes, &key_bytes, &update)?;
        }
        self.buffers[number].put(&key_bytes, update)?;
        let due = buffer.waits_ms.map(|waits_ms| self.times[buffer.time].value - waits_ms);
        loop {
            let is_full = buffer.most.is_some_and(|most| self.buffers[number].count > most)
                || buffer.most_bytes.is_some_and(|most| self.buffers[number].bytes > most);
            if due.is_none() && !is_full {
                return Ok(());
            }
            let first = self.buffers[number].find_first(&mut self.earlier_rows, self.fetch)?;
            let Some((time, key_bytes)) = first else { return Ok(()) };
            let is_due = due.is_some_and(|due| time <= due);
            if !is_due && !is_full {
                return Ok(());
            }
            if !is_due && buffer.shuts_down {
                return Err(Unsure); // Python says what to do
            }
            let update = self.buffers[number].get(&key_bytes).cloned().ok_or(Unsure)?;
            self.count(node, FREED);
            if update.new.is_null() && buffer.until_close {
                self.count(node, DELETED);
            } else {
                let key = buffer.key.decode(&key_bytes, &mut json::Pool::default())?.keep();
                let at = Place { row: update.row, keeps_headers: update.keeps_headers, ..at };
                self.send_update(&plan.nodes[node].to, &key, &update.new, &update.old, update.timestamp, at)?;
            }
            self.buffers[number].remove(&key_bytes)?; // not before: until here, others find the value before it
        }
    }
}
