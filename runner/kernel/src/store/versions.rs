//! Earlier versions of the rows of a table (`runner/engine/stores/versioned_store.py`).

use std::sync::Arc;

use crate::json;
use crate::state::Fetch;
use crate::store::Store;
use crate::value::{Sure, Unsure, Val};

/// Where the earlier versions of a store are, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct History {
    pub store: u16,
    pub kept_ms: i64,
    pub time: usize,
}

/// The time from which a value was valid, until the next one. Null is a deletion.
type Version<'p> = (i64, Val<'p>);

/// A key of the state, and what it gets. None is deleted.
pub type Change = (Vec<u8>, Option<Vec<u8>>);

impl<'p> Store<'p> {
    /// Sets a value from a time on, or deletes it. True if it is the newest of its key.
    pub fn put_version(
        &mut self,
        place: usize,
        value: &Val<'p>,
        timestamp: i64,
        row: usize,
        newest_time: i64,
        fetch: Fetch,
    ) -> Sure<bool> {
        let history = self.plan.history.ok_or(Unsure)?;
        let mut past = self.take_past(place, fetch)?;
        let newest = self.entries[place].entry.as_ref().map(|entry| entry.1);
        let is_newest = match newest {
            Some(time) => timestamp >= time,
            None => past.last().is_none_or(|version| timestamp >= version.0),
        };
        let touched_by = self.entries[place].row.unwrap_or(row);
        if is_newest {
            let is_undone = value.is_null() && newest == Some(timestamp) && past.is_empty();
            match &self.entries[place].entry {
                Some((before, time)) if *time < timestamp => past.push((*time, before.clone())),
                _ if past.last().is_some_and(|version| version.0 == timestamp) => {
                    past.pop();
                }
                _ => {}
            }
            if value.is_null() && !is_undone {
                past.push((timestamp, Val::Null));
            }
            self.put(place, value.clone(), timestamp, row);
        } else {
            let at = past.partition_point(|version| version.0 < timestamp);
            match past.get_mut(at) {
                Some(version) if version.0 == timestamp => version.1 = value.clone(),
                _ => past.insert(at, (timestamp, value.clone())),
            }
            self.touch(place, touched_by);
        }
        let begins = newest_time - history.kept_ms;
        let newest = self.entries[place].entry.as_ref().map(|entry| entry.1);
        let mut forgotten = 0;
        for (number, version) in past.iter().enumerate() {
            let replaced_at = past.get(number + 1).map(|next| next.0).or(newest).unwrap_or(version.0);
            if replaced_at > begins {
                break;
            }
            forgotten = number + 1;
        }
        past.drain(..forgotten);
        self.past.insert(place, past);
        Ok(is_newest)
    }

    /// The value that was valid at a time. Values older than the history are not found.
    pub fn as_of(&mut self, place: usize, time: i64, newest_time: i64, fetch: Fetch) -> Sure<Option<Version<'p>>> {
        let history = self.plan.history.ok_or(Unsure)?;
        if let Some((value, since)) = &self.entries[place].entry
            && *since <= time
        {
            return Ok(Some((*since, value.clone())));
        }
        if time < newest_time - history.kept_ms {
            return Ok(None);
        }
        let past = self.take_past(place, fetch)?;
        let found = past[..past.partition_point(|version| version.0 <= time)].last().cloned();
        self.past.insert(place, past);
        Ok(found.filter(|version| !version.1.is_null()))
    }

    /// The bytes of a changed key's earlier versions, with their key in the state.
    pub fn write_past(&self, place: usize) -> Sure<Option<Change>> {
        let Some(history) = self.plan.history else { return Ok(None) };
        let past = self.past.get(&place).ok_or(Unsure)?;
        let key = self.past_key(history, &self.entries[place].key);
        if past.is_empty() {
            return Ok(Some((key, None)));
        }
        let write = |(since, value): &Version<'p>| Val::List(Arc::new(vec![Val::Int(*since), value.clone()]));
        let mut data = Vec::new();
        let versions = Val::List(Arc::new(past.iter().map(write).collect()));
        json::write_with(&versions, json::Decimals::Tagged, &mut data)?;
        Ok(Some((key, Some(data))))
    }

    fn past_key(&self, history: History, key: &[u8]) -> Vec<u8> {
        [&self.prefix()[..2], &history.store.to_be_bytes(), &key[self.prefix().len()..]].concat()
    }

    fn take_past(&mut self, place: usize, fetch: Fetch) -> Sure<Vec<Version<'p>>> {
        let history = self.plan.history.ok_or(Unsure)?;
        if let Some(past) = self.past.remove(&place) {
            return Ok(past);
        }
        let Some(data) = fetch.get(&self.past_key(history, &self.entries[place].key))? else { return Ok(Vec::new()) };
        let Val::List(versions) = json::read(&data, &json::Type::Any, false)?.keep() else { return Err(Unsure) };
        let read = |version: &Val<'static>| match version {
            Val::List(pair) => match pair.as_slice() {
                [Val::Int(since), value] => Ok((*since, value.keep_as(&self.plan.values))),
                _ => Err(Unsure),
            },
            _ => Err(Unsure),
        };
        versions.iter().map(read).collect()
    }
}
