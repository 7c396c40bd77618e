//! Where the kernel reads the state of a task: through Python, or by itself from LMDB.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::lmdb::{Lmdb, Rows};
use crate::packing::{PREFIX, covers};
use crate::value::{Sure, Unsure};

/// The state of the task as it was before the kernel began. It does not change while the kernel works.
pub trait State {
    fn get(&mut self, key: &[u8]) -> Sure<Option<Vec<u8>>>;

    /// The first entries from `start` to before `end`, at most so many, in order of their keys.
    fn scan(&mut self, start: &[u8], end: &[u8], most: usize) -> Sure<Entries>;
}

pub type Fetch<'f> = &'f mut dyn State;
type Entries = Vec<(Vec<u8>, Vec<u8>)>;

/// The state that Python gave, if it gave any.
#[derive(Clone, Copy)]
pub struct HeldState<'a>(pub Option<&'a Py<PyAny>>);

impl State for HeldState<'_> {
    fn get(&mut self, key: &[u8]) -> Sure<Option<Vec<u8>>> {
        let state = self.0.ok_or(Unsure)?;
        Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
            let value = state.bind(py).call_method1("get", (PyBytes::new(py, key),))?;
            if value.is_none() { Ok(None) } else { Ok(Some(value.cast::<PyBytes>()?.as_bytes().to_vec())) }
        })
        .map_err(|_| Unsure)
    }

    fn scan(&mut self, start: &[u8], end: &[u8], most: usize) -> Sure<Entries> {
        let state = self.0.ok_or(Unsure)?;
        Python::attach(|py| -> PyResult<Entries> {
            let rows = state.bind(py).call_method1("range", (PyBytes::new(py, start), PyBytes::new(py, end)))?;
            let read = |row: PyResult<Bound<'_, PyAny>>| {
                let (key, value): (Bound<'_, PyBytes>, Bound<'_, PyBytes>) = row?.extract()?;
                Ok((key.as_bytes().to_vec(), value.as_bytes().to_vec()))
            };
            rows.try_iter()?.take(most).map(read).collect()
        })
        .map_err(|_| Unsure)
    }
}

/// What Python lends of a state (`View.lend`): the rows of a transaction, under what the batch wrote before.
pub struct Lent {
    lmdb: Py<Lmdb>,
    txn: usize,
    /// Earlier writes of this batch that the task may read: its own, and those of global tables.
    writes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    deleted_ranges: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Lent {
    /// What a state lends to a task. None if it only answers through Python.
    pub fn take(state: &Bound<'_, PyAny>, task: u16) -> PyResult<Option<Lent>> {
        type Given<'py> = (Py<Lmdb>, usize, Bound<'py, PyDict>, Bound<'py, PyList>);
        let Some(lend) = state.getattr_opt("lend")? else { return Ok(None) };
        let Some((lmdb, txn, written, deleted)) = lend.call0()?.extract::<Option<Given<'_>>>()? else {
            return Ok(None);
        };
        let mut writes = BTreeMap::new();
        for (key, value) in written {
            let key = key.cast::<PyBytes>()?.as_bytes();
            if key.starts_with(&task.to_be_bytes()) || key.starts_with(&u16::MAX.to_be_bytes()) {
                writes.insert(key.to_vec(), value.extract()?);
            }
        }
        Ok(Some(Lent { lmdb, txn, writes, deleted_ranges: deleted.extract()? }))
    }
}

/// The state that the kernel reads by itself. Long keys are read through Python.
pub struct LentState<'a> {
    lent: &'a Lent,
    rows: Rows<'a>,
    ranges: Vec<(&'a [u8], &'a [u8])>,
    held: HeldState<'a>,
}

impl<'a> LentState<'a> {
    pub fn new(lent: &'a Lent, held: HeldState<'a>) -> Sure<LentState<'a>> {
        let rows = lent.lmdb.get().rows(lent.txn).map_err(|_| Unsure)?;
        let ranges = lent.deleted_ranges.iter().map(|(start, end)| (start.as_slice(), end.as_slice())).collect();
        Ok(LentState { lent, rows, ranges, held })
    }

    /// The same as `State::scan`. None if a key is long.
    fn scan_rows(&mut self, start: &[u8], end: &[u8], most: usize) -> Sure<Option<Entries>> {
        let mut found = Entries::new();
        let mut written = self.lent.writes.range::<[u8], _>((Included(start), Excluded(end))).peekable();
        let mut row = self.rows.seek(start).map_err(|_| Unsure)?;
        while found.len() < most {
            let below = row.filter(|(key, _)| *key < end);
            if below.is_some_and(|(key, _)| key.len() >= PREFIX) {
                return Ok(None);
            }
            let is_written = match (written.peek(), below) {
                (None, None) => break,
                (None, Some(_)) => false,
                (Some(_), None) => true,
                (Some((key, _)), Some((row_key, _))) => key.as_slice() <= row_key,
            };
            if !is_written {
                found
                    .extend(below.filter(|(key, _)| !covers(&self.ranges, key)).map(|(k, v)| (k.to_vec(), v.to_vec())));
            } else if let Some((key, value)) = written.next() {
                found.extend(value.as_ref().map(|value| (key.clone(), value.clone())));
                if below.is_none_or(|(row_key, _)| key.as_slice() != row_key) {
                    continue;
                }
            }
            row = self.rows.next().map_err(|_| Unsure)?;
        }
        Ok(Some(found))
    }
}

impl State for LentState<'_> {
    fn get(&mut self, key: &[u8]) -> Sure<Option<Vec<u8>>> {
        if let Some(value) = self.lent.writes.get(key) {
            return Ok(value.clone());
        }
        if key.len() >= PREFIX {
            return self.held.get(key);
        }
        if covers(&self.ranges, key) {
            return Ok(None);
        }
        Ok(self.rows.get(key).map_err(|_| Unsure)?.map(<[u8]>::to_vec))
    }

    fn scan(&mut self, start: &[u8], end: &[u8], most: usize) -> Sure<Entries> {
        if start >= end {
            return Ok(Entries::new());
        }
        let is_short = start.len().max(end.len()) < PREFIX;
        match if is_short { self.scan_rows(start, end, most)? } else { None } {
            Some(found) => Ok(found),
            None => self.held.scan(start, end, most),
        }
    }
}
