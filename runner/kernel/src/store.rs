//! Stores of a task during one batch, over the state that Python holds (`runner/engine/stores/`).

pub mod expiring;
pub mod versions;

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::codec::Codec;
use crate::json::{self, Type};
use crate::state::Fetch;
use crate::value::{Sure, Unsure, Val};

/// The windows of a window store.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// How long before the newest start (sessions: end) an entry is kept.
    pub kept_ms: i64,
    /// The same in a session store that emits on close, with the length of the segments that it drops whole.
    pub segments: Option<(i64, i64)>,
    /// The stream time that counts starts.
    pub time: usize,
    pub length_ms: i64,
    /// True for sessions: keys of the state begin with an end and a start, else with a start.
    pub has_ends: bool,
    /// The length of the segments of the index by key. None if the store has none.
    pub index_ms: Option<i64>,
    /// True if windows are read in order of time, for emission on close.
    pub is_ordered: bool,
    /// True if sessions that end together are emitted in order of their keys, as a store in memory does.
    pub is_by_key: bool,
}

impl Retention {
    /// The first time whose entries are still there.
    pub fn find_first(&self, newest: i64) -> i64 {
        match self.segments {
            None => newest - self.kept_ms,
            Some((retention_ms, segment_ms)) => {
                let first = (newest - retention_ms).max(0);
                first - first % segment_ms
            }
        }
    }

    /// Number of bytes of the times before a key.
    pub fn size(&self) -> usize {
        if self.has_ends { 16 } else { 8 }
    }
}

/// A store as the plan describes it.
#[derive(Debug)]
pub struct StorePlan {
    pub number: u16,
    pub is_global: bool,
    pub key: Codec,
    pub values: Type,
    /// True if a value may hold the one before it, and so grow deeper with each record.
    pub may_grow: bool,
    pub is_cached: bool,
    /// The starts of windows of a calendar, of which the last only ends the one before.
    pub starts: Vec<i64>,
    pub retention: Option<Retention>,
    pub history: Option<versions::History>,
    pub expiry: Option<expiring::Expiry>,
}

impl StorePlan {
    /// The start and the end of the window of a calendar that holds a time. Others than those listed are for Python.
    pub fn find_window(&self, time: i64) -> Sure<(i64, i64)> {
        let next = self.starts.partition_point(|start| *start <= time);
        let start = next.checked_sub(1).ok_or(Unsure)?;
        Ok((self.starts[start], *self.starts.get(next).ok_or(Unsure)?))
    }
}

/// An entry: its value and time, or None if the key has none. `row` is the row that changed it last.
#[derive(Debug)]
pub struct Entry<'p> {
    pub key: Vec<u8>,
    pub entry: Option<(Val<'p>, i64)>,
    pub deleted_at: i64,
    pub row: Option<usize>,
}

/// Entries of one store that were read or changed in this batch.
#[derive(Debug)]
pub struct Store<'p> {
    pub plan: &'p StorePlan,
    /// Holds the bytes of entries, so that their values lend from it and lie together.
    arena: &'p Bump,
    prefix: [u8; 4],
    places: HashTable<usize>,
    pub entries: Vec<Entry<'p>>,
    /// The places of changed entries in the order in which they changed first.
    pub dirty: Vec<usize>,
    hasher: RandomState,
    /// The entries in order of their keys, if the plan asks for it.
    ordered: BTreeMap<Vec<u8>, usize>,
    read: ReadAhead,
    pub index: Index,
    /// Earlier versions, by the place of their key.
    past: HashMap<usize, Vec<(i64, Val<'p>)>>,
    by_time: expiring::ByTime,
}

impl<'p> Store<'p> {
    pub fn new(plan: &'p StorePlan, task: u16, arena: &'p Bump) -> Store<'p> {
        let task = if plan.is_global { u16::MAX } else { task }.to_be_bytes();
        let number = plan.number.to_be_bytes();
        Store {
            plan,
            arena,
            prefix: [task[0], task[1], number[0], number[1]],
            places: HashTable::new(),
            entries: Vec::new(),
            dirty: Vec::new(),
            hasher: RandomState::default(),
            ordered: BTreeMap::new(),
            read: ReadAhead::default(),
            index: Index::default(),
            past: HashMap::new(),
            by_time: expiring::ByTime::default(),
        }
    }

    /// The prefix of this store's keys in the state.
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The place of a key, which is read from the state the first time. The key has this store's prefix.
    pub fn place(&mut self, key: &[u8], fetch: Fetch) -> Sure<usize> {
        let hash = self.hasher.hash_one(key);
        if let Some(place) = self.find(hash, key) {
            return Ok(place);
        }
        let entry = self.load(key, fetch)?;
        Ok(self.insert(hash, key.to_vec(), entry))
    }

    fn find(&self, hash: u64, key: &[u8]) -> Option<usize> {
        self.places.find(hash, |place| self.entries[*place].key == key).copied()
    }

    fn insert(&mut self, hash: u64, key: Vec<u8>, entry: Option<(Val<'p>, i64)>) -> usize {
        let place = self.entries.len();
        self.entries.push(Entry { key, entry, deleted_at: 0, row: None });
        let (entries, hasher) = (&self.entries, &self.hasher);
        self.places.insert_unique(hash, place, |place| hasher.hash_one(entries[*place].key.as_slice()));
        place
    }

    /// The places of entries from one time to another, both included, in order of their keys.
    pub fn between(&mut self, first: i64, last: i64, fetch: Fetch) -> Sure<Vec<usize>> {
        let bound = |time: i64| [&self.prefix[..], &time.to_be_bytes()].concat();
        let (start, end) = (bound(first), bound(last + 1));
        let limit = [&self.prefix[..], &[INDEX]].concat();
        for (key, data) in self.read.until(&start, &end, &limit, fetch)? {
            let hash = self.hasher.hash_one(key.as_slice());
            let place = match self.find(hash, &key) {
                Some(place) => place,
                None => {
                    let entry = self.read_entry(&data)?;
                    self.insert(hash, key.clone(), Some(entry))
                }
            };
            self.ordered.insert(key, place);
        }
        let places = self.ordered.range(start..end).map(|(_, place)| *place);
        Ok(places.filter(|place| self.entries[*place].entry.is_some()).collect())
    }

    /// The entry of a key in the state, whatever this batch changed.
    pub fn load(&self, key: &[u8], fetch: Fetch) -> Sure<Option<(Val<'p>, i64)>> {
        fetch.get(key)?.map(|data| self.read_entry(&data)).transpose()
    }

    fn read_entry(&self, data: &[u8]) -> Sure<(Val<'p>, i64)> {
        let (time, value) = self.arena.alloc_slice_copy(data).split_at_checked(8).ok_or(Unsure)?;
        let timestamp = i64::from_be_bytes(time.try_into().map_err(|_| Unsure)?);
        Ok((json::read(value, &self.plan.values, false)?, timestamp))
    }

    /// Takes an entry out, to be put again.
    pub fn take(&mut self, place: usize) -> Option<(Val<'p>, i64)> {
        self.remove_time(place);
        self.entries[place].entry.take()
    }

    /// `Unsure` for a value that has grown too deep to be read again.
    pub fn check_depth(&self, value: &Val) -> Sure<()> {
        if self.plan.may_grow && json::is_deeper(value, json::MAX_DEPTH) { Err(Unsure) } else { Ok(()) }
    }

    /// Changes an entry on behalf of a row.
    pub fn put(&mut self, place: usize, value: Val<'p>, timestamp: i64, row: usize) {
        self.remove_time(place);
        let slot = &mut self.entries[place];
        if slot.row.is_none() {
            self.dirty.push(place);
            if self.plan.retention.is_some_and(|retention| retention.is_ordered) {
                self.ordered.insert(slot.key.clone(), place);
            }
        }
        slot.row = Some(row);
        if value.is_null() {
            slot.deleted_at = timestamp;
            slot.entry = None;
        } else {
            slot.entry = Some((value, timestamp));
        }
        self.add_time(place);
    }

    /// Lets an entry be written that is as it was.
    fn touch(&mut self, place: usize, row: usize) {
        if self.entries[place].row.is_none() {
            self.dirty.push(place);
        }
        self.entries[place].row = Some(row);
    }

    /// The bytes of an entry in the state.
    pub fn write(entry: &Entry) -> Sure<Option<Vec<u8>>> {
        match &entry.entry {
            None => Ok(None),
            Some((value, timestamp)) => {
                let mut data = timestamp.to_be_bytes().to_vec();
                json::write_with(value, json::Decimals::Tagged, &mut data)?;
                Ok(Some(data))
            }
        }
    }
}

/// Entries of a part of the state that are read in order, some at a time.
#[derive(Debug, Default)]
pub struct ReadAhead {
    from: Vec<u8>,
    to: Vec<u8>,
    at_once: usize,
}

impl ReadAhead {
    /// Entries that are read at once, at first and at most.
    const LEAST: usize = 16;
    const MOST: usize = 1_024;

    /// Where reading has arrived.
    pub fn end(&self) -> &[u8] {
        &self.to
    }

    /// Entries that were not given before, until all from `start` to before `end` were. `limit` ends the part.
    pub fn until(&mut self, start: &[u8], end: &[u8], limit: &[u8], fetch: Fetch) -> Sure<Vec<(Vec<u8>, Vec<u8>)>> {
        if self.from.is_empty() || start < self.from.as_slice() || start > self.to.as_slice() {
            (self.from, self.to) = (start.to_vec(), start.to_vec());
        }
        let end = end.min(limit);
        let mut found = Vec::new();
        while self.to.as_slice() < end {
            self.at_once = (self.at_once * 2).clamp(Self::LEAST, Self::MOST);
            let rows = fetch.scan(&self.to, limit, self.at_once)?;
            self.to = match rows.last() {
                Some((key, _)) if rows.len() == self.at_once => [key.as_slice(), &[0]].concat(),
                _ => limit.to_vec(),
            };
            found.extend(rows);
        }
        Ok(found)
    }
}

/// The byte before the keys of an index by key, after all times.
const INDEX: u8 = 0x80;

/// The start of a window, or the end and the start of a session.
pub type Times = (i64, i64);

/// The windows of each key (`runner/engine/stores/by_key.py`).
#[derive(Debug, Default)]
pub struct Index {
    by_key: HashMap<Vec<u8>, Vec<Times>>,
    changes: HashMap<(Vec<u8>, Times), bool>,
}

impl Store<'_> {
    /// Reads the times of a key, ascending, the first time in this batch.
    pub fn read_times(&mut self, key: &[u8], newest: i64, fetch: Fetch) -> Sure<&[Times]> {
        if !self.index.by_key.contains_key(key) {
            let retention = self.plan.retention.ok_or(Unsure)?;
            let segment_ms = retention.index_ms.ok_or(Unsure)?;
            let first = (newest - retention.kept_ms).max(0);
            let mut times = Vec::new();
            for segment in first.div_euclid(segment_ms)..=newest.div_euclid(segment_ms) {
                let start = self.make_index_key(segment, key);
                let end = [start.as_slice(), &[0xFF; 16][..retention.size()]].concat();
                for (found, _) in fetch.scan(&start, &end, usize::MAX)? {
                    times.push(read_times(found.get(start.len()..).ok_or(Unsure)?)?);
                }
            }
            self.index.by_key.insert(key.to_vec(), times);
        }
        self.index.by_key.get(key).map(Vec::as_slice).ok_or(Unsure)
    }

    /// Notes in the times of a key, which were read, that a window is or is no longer there.
    pub fn set_times(&mut self, key: &[u8], window: Times, is_there: bool) -> Sure<()> {
        let times = self.index.by_key.get_mut(key).ok_or(Unsure)?;
        match (times.binary_search(&window), is_there) {
            (Err(at), true) => times.insert(at, window),
            (Ok(at), false) => {
                times.remove(at);
            }
            _ => return Ok(()),
        }
        self.index.changes.insert((key.to_vec(), window), is_there);
        Ok(())
    }

    /// Keys of the index that are written or deleted.
    pub fn list_index_changes(&self) -> Vec<(Vec<u8>, bool)> {
        let Some(Retention { index_ms: Some(segment_ms), has_ends, .. }) = self.plan.retention else {
            return Vec::new();
        };
        let write = |((key, (first, second)), is_there): (&(Vec<u8>, Times), &bool)| {
            let mut changed = self.make_index_key(first / segment_ms, key);
            changed.extend(first.to_be_bytes());
            if has_ends {
                changed.extend(second.to_be_bytes());
            }
            (changed, *is_there)
        };
        self.index.changes.iter().map(write).collect()
    }

    /// The ranges of the state that are past retention.
    pub fn list_expired(&self, newest: i64) -> Vec<(Vec<u8>, Vec<u8>)> {
        let Some(retention) = self.plan.retention else { return Vec::new() };
        let first = retention.find_first(newest);
        if first <= 0 {
            return Vec::new();
        }
        let bound = |time: i64| [&self.prefix[..], &time.to_be_bytes()].concat();
        let mut expired = vec![(bound(0), bound(first))];
        let segment = retention.index_ms.map_or(0, |segment_ms| first / segment_ms);
        if segment > 0 {
            let bound = |segment: i64| [&self.prefix[..], &[INDEX], &segment.to_be_bytes()].concat();
            expired.push((bound(0), bound(segment)));
        }
        expired
    }

    fn make_index_key(&self, segment: i64, key: &[u8]) -> Vec<u8> {
        let length = u32::try_from(key.len()).unwrap_or(u32::MAX).to_be_bytes();
        [&self.prefix[..], &[INDEX], &segment.to_be_bytes(), &length, key].concat()
    }
}

/// The first key after all keys with a prefix.
pub fn find_key_after(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while end.pop_if(|byte| *byte == u8::MAX).is_some() {}
    if let Some(byte) = end.last_mut() {
        *byte += 1;
    }
    end
}

/// One or two times.
pub fn read_times(data: &[u8]) -> Sure<Times> {
    let (first, second) = data.split_at_checked(8).ok_or(Unsure)?;
    let read = |bytes: &[u8]| bytes.try_into().map(i64::from_be_bytes).map_err(|_| Unsure);
    Ok((read(first)?, if second.is_empty() { 0 } else { read(second)? }))
}
