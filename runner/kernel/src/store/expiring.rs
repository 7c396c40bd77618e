//! Rows with a time to live (`runner/engine/stores/expiring.py`): their index in order of time.

use std::collections::{BTreeMap, BTreeSet};

use crate::state::Fetch;
use crate::store::versions::Change;
use crate::store::{ReadAhead, Store, find_key_after};
use crate::value::{Sure, Unsure};

/// How long the rows of a store live, and where their index is.
#[derive(Debug, Clone, Copy)]
pub struct Expiry {
    pub store: u16,
    pub ttl_ms: i64,
    pub time: usize,
}

/// The index as this batch knows it. Its keys are a time and the key of a row.
#[derive(Debug, Default)]
pub struct ByTime {
    /// Keys that are there: those of this batch, and those that were read ahead.
    known: BTreeSet<Vec<u8>>,
    changes: BTreeMap<Vec<u8>, bool>,
    read: ReadAhead,
    /// No row is older than this.
    earliest: i64,
}

impl Store<'_> {
    /// Takes a row out of the index. The store's own row stays.
    pub fn remove_time(&mut self, place: usize) {
        if let (Some(expiry), Some((_, timestamp))) = (self.plan.expiry, &self.entries[place].entry) {
            let key = self.make_time_key(expiry, *timestamp, place);
            self.by_time.known.remove(&key);
            self.by_time.changes.insert(key, false);
        }
    }

    /// Puts a row into the index.
    pub fn add_time(&mut self, place: usize) {
        if let (Some(expiry), Some((_, timestamp))) = (self.plan.expiry, &self.entries[place].entry) {
            let timestamp = *timestamp;
            let key = self.make_time_key(expiry, timestamp, place);
            self.by_time.known.insert(key.clone());
            self.by_time.changes.insert(key, true);
            self.by_time.earliest = self.by_time.earliest.min(timestamp);
        }
    }

    /// The places of rows whose times are at most `until`, in order of their times and the bytes of their keys. They
    /// leave the index.
    pub fn find_expired(&mut self, until: i64, fetch: Fetch) -> Sure<Vec<usize>> {
        let Some(expiry) = self.plan.expiry else { return Ok(Vec::new()) };
        if until < self.by_time.earliest {
            return Ok(Vec::new());
        }
        let start = self.start_of_times(expiry);
        let limit = find_key_after(&start);
        let bound = |time: i64| [start.as_slice(), &time.to_be_bytes()].concat();
        let end = bound(until.checked_add(1).ok_or(Unsure)?);
        let by_time = &mut self.by_time;
        for (key, _) in by_time.read.until(&bound(0), &end, &limit, fetch)? {
            if by_time.changes.get(&key) != Some(&false) {
                by_time.known.insert(key);
            }
        }
        let later = by_time.known.split_off(&end);
        let expired = std::mem::replace(&mut by_time.known, later);
        // what is neither known nor read is later than the place where reading has arrived
        let unread = by_time.read.end();
        let next = by_time.known.first().map_or(unread, |first| unread.min(first));
        by_time.earliest = match next.get(start.len()..start.len() + 8) {
            Some(time) => i64::from_be_bytes(time.try_into().map_err(|_| Unsure)?),
            None => i64::MAX,
        };
        let mut places = Vec::with_capacity(expired.len());
        for key in expired {
            let row_key = [self.prefix(), key.get(start.len() + 8..).ok_or(Unsure)?].concat();
            self.by_time.changes.insert(key, false);
            places.push(self.place(&row_key, fetch)?);
        }
        Ok(places)
    }

    /// Keys of the index that are written or deleted.
    pub fn list_time_changes(&self) -> impl Iterator<Item = Change> {
        self.by_time.changes.iter().map(|(key, is_there)| (key.clone(), is_there.then(|| vec![0])))
    }

    fn make_time_key(&self, expiry: Expiry, time: i64, place: usize) -> Vec<u8> {
        let row_key = &self.entries[place].key[self.prefix().len()..];
        [self.start_of_times(expiry).as_slice(), &time.to_be_bytes(), row_key].concat()
    }

    fn start_of_times(&self, expiry: Expiry) -> Vec<u8> {
        [&self.prefix()[..2], &expiry.store.to_be_bytes()].concat()
    }
}
