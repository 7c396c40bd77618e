//! Stores of a task during one batch, over the state that Python holds (`runner/engine/stores/`).

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::codec::Codec;
use crate::json::{self, Type};
use crate::value::{Sure, Unsure, Val};

/// Reads the entry of a key from Python's state.
pub type Fetch<'f> = &'f mut dyn FnMut(&[u8]) -> Sure<Option<Vec<u8>>>;

/// The windows of a window store.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// How long before the newest start an entry is kept.
    pub kept_ms: i64,
    /// The stream time that counts starts.
    pub time: usize,
    pub length_ms: i64,
}

/// A store as the plan describes it.
#[derive(Debug)]
pub struct StorePlan {
    pub number: u16,
    pub is_global: bool,
    pub key: Codec,
    pub values: Type,
    pub is_cached: bool,
    pub retention: Option<Retention>,
}

/// An entry: its value and time, or None if the key has none. `row` is the row that changed it last.
#[derive(Debug)]
pub struct Entry<'p> {
    pub key: Vec<u8>,
    pub entry: Option<(Val<'p>, i64)>,
    pub deleted_at: i64,
    pub row: Option<usize>,
    /// The row whose decoded value this is, if no node changed it.
    pub of_row: Option<usize>,
}

/// Entries of one store that were read or changed in this batch.
#[derive(Debug)]
pub struct Store<'p> {
    pub plan: &'p StorePlan,
    prefix: [u8; 4],
    places: HashTable<usize>,
    pub entries: Vec<Entry<'p>>,
    /// The places of changed entries in the order in which they changed first.
    pub dirty: Vec<usize>,
    hasher: RandomState,
}

impl<'p> Store<'p> {
    pub fn new(plan: &'p StorePlan, task: u16) -> Store<'p> {
        let task = if plan.is_global { u16::MAX } else { task }.to_be_bytes();
        let number = plan.number.to_be_bytes();
        Store {
            plan,
            prefix: [task[0], task[1], number[0], number[1]],
            places: HashTable::new(),
            entries: Vec::new(),
            dirty: Vec::new(),
            hasher: RandomState::default(),
        }
    }

    /// The prefix of this store's keys in the state.
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The place of a key, which is read from the state the first time. The key has this store's prefix.
    pub fn place(&mut self, key: &[u8], fetch: Fetch) -> Sure<usize> {
        let hash = self.hasher.hash_one(key);
        let entries = &self.entries;
        if let Some(place) = self.places.find(hash, |place| entries[*place].key == key) {
            return Ok(*place);
        }
        let entry = self.load(key, fetch)?;
        let place = self.entries.len();
        self.entries.push(Entry { key: key.to_vec(), entry, deleted_at: 0, row: None, of_row: None });
        let (entries, hasher) = (&self.entries, &self.hasher);
        self.places.insert_unique(hash, place, |place| hasher.hash_one(entries[*place].key.as_slice()));
        Ok(place)
    }

    /// The entry of a key in the state, whatever this batch changed.
    pub fn load(&self, key: &[u8], fetch: Fetch) -> Sure<Option<(Val<'p>, i64)>> {
        let Some(data) = fetch(key)? else { return Ok(None) };
        let (time, value) = data.split_at_checked(8).ok_or(Unsure)?;
        let timestamp = i64::from_be_bytes(time.try_into().map_err(|_| Unsure)?);
        Ok(Some((json::read(value, &self.plan.values, false)?.keep_as(&self.plan.values), timestamp)))
    }

    /// Changes an entry on behalf of a row.
    pub fn put(&mut self, place: usize, value: Val<'p>, timestamp: i64, row: usize, of_row: Option<usize>) {
        let slot = &mut self.entries[place];
        if slot.row.is_none() {
            self.dirty.push(place);
        }
        slot.row = Some(row);
        slot.of_row = of_row;
        if value.is_null() {
            slot.deleted_at = timestamp;
            slot.entry = None;
        } else {
            slot.entry = Some((value, timestamp));
        }
    }

    /// The bytes of an entry in the state.
    pub fn write(entry: &Entry) -> Sure<Option<Vec<u8>>> {
        match &entry.entry {
            None => Ok(None),
            Some((value, timestamp)) => {
                let mut data = timestamp.to_be_bytes().to_vec();
                json::write(value, &mut data)?;
                Ok(Some(data))
            }
        }
    }
}
