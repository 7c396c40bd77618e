//! Joins of records that wait for a versioned table (`BufferedLookup` in `operators/joins/stream_table.py`).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::{self, Decimals, Pool, Type};
use crate::plan::{Op, WaitingPlan};
use crate::state::Fetch;
use crate::store::find_key_after;
use crate::task::suppress::EarlierRow;
use crate::task::{FREED, Place, Task, WAITING, observe};
use crate::value::{Sure, Text, Unsure, Val};

/// The time of a record that will never come.
const NOTHING: i64 = i64::MAX;

/// A record that waits: its value, and what its results carry of its row.
struct Waiting<'p> {
    value: Val<'p>,
    headers: Option<String>,
    number: i32,
    offset: i64,
}

/// The records that wait, in order of time, key and arrival (`runner/engine/stores/buffer.py`).
pub struct WaitingRecords<'p> {
    prefix: Vec<u8>,
    values: &'p Type,
    next: i64,
    new: BTreeMap<(i64, Vec<u8>, i64), Waiting<'p>>,
    first_in_state: i64,
    deleted: Vec<Vec<u8>>,
}

impl<'p> WaitingRecords<'p> {
    pub fn new(plan: &'p WaitingPlan, task: u16, fetch: Fetch) -> Sure<WaitingRecords<'p>> {
        let prefix = [task.to_be_bytes(), plan.store.to_be_bytes()].concat();
        let next = fetch.get(&prefix)?.map_or(Ok(0), |data| read_time(&data))?;
        let mut records = WaitingRecords {
            prefix,
            values: &plan.values,
            next,
            new: BTreeMap::new(),
            first_in_state: 0,
            deleted: vec![],
        };
        records.first_in_state = records.find_first(0, fetch)?;
        Ok(records)
    }

    /// The time of the first record in the state that is not older.
    fn find_first(&self, since: i64, fetch: Fetch) -> Sure<i64> {
        let found = fetch.scan(&self.at(since), &find_key_after(&self.prefix), 1)?;
        found.first().map_or(Ok(NOTHING), |(place, _)| read_time(place.get(4..12).ok_or(Unsure)?))
    }

    fn at(&self, time: i64) -> Vec<u8> {
        [self.prefix.as_slice(), &time.to_be_bytes()].concat()
    }

    /// Changes of the state.
    pub fn list_changes(&self, writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) -> Sure<()> {
        writes.extend(self.deleted.iter().map(|place| (place.clone(), None)));
        for ((time, key, number), waiting) in &self.new {
            let headers = waiting.headers.as_deref().map_or(Val::Null, |text| Val::Str(Text::Lent(text)));
            let numbers = [Val::Int(waiting.number.into()), Val::Int(waiting.offset)];
            let parts = [[waiting.value.clone(), headers], numbers].concat();
            let mut data = Vec::new();
            json::write_with(&Val::List(Arc::new(parts)), Decimals::Tagged, &mut data)?;
            writes.push(([self.at(*time).as_slice(), key, &number.to_be_bytes()].concat(), Some(data)));
        }
        if !self.new.is_empty() {
            writes.push((self.prefix.clone(), Some(self.next.to_be_bytes().to_vec())));
        }
        Ok(())
    }
}

impl<'p> Task<'p, '_> {
    /// Lets a record wait, and joins those that are due. One that comes too late, or without a key, does not wait.
    pub(super) fn wait(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Lookup { waiting: Some(number), .. } = &plan.nodes[node].op else { return Err(Unsure) };
        let waiting = &plan.waiting[*number];
        if key.is_null() || value.is_null() || time < self.times[waiting.time].value - waiting.grace_ms {
            return self.look_up_row(node, key, value, time, at);
        }
        self.count(node, WAITING);
        observe(&mut self.times[waiting.time], time);
        let row = self.rows.get(at.row)?;
        let headers = row.headers.filter(|_| at.keeps_headers).map(str::to_owned);
        let entry = Waiting { value: value.clone(), headers, number: row.number, offset: row.offset };
        let mut key_bytes = Vec::new();
        if !waiting.key.encode(key, &mut key_bytes)? {
            return Err(Unsure);
        }
        let records = &mut self.waiting[*number];
        records.new.insert((time, key_bytes, records.next), entry);
        records.next += 1;
        let until = self.times[waiting.time].value - waiting.grace_ms;
        self.read_due(*number, until)?;
        let records = &mut self.waiting[*number];
        let mut due = Vec::new();
        while let Some(first) = records.new.first_entry()
            && first.key().0 <= until
        {
            due.push(first.remove_entry());
        }
        for ((time, key_bytes, _), entry) in due {
            self.count(node, FREED);
            let key = waiting.key.decode(&key_bytes, &mut Pool::default())?.keep();
            let Waiting { value, headers, number, offset } = entry;
            let row = self.earlier_rows.add(EarlierRow { headers, number, offset });
            self.look_up_row(node, &key, &value, time, Place { row, keeps_headers: true, ..at })?;
        }
        Ok(())
    }

    /// Moves records that are due from the state to those of this batch.
    fn read_due(&mut self, number: usize, until: i64) -> Sure<()> {
        let records = &mut self.waiting[number];
        if records.first_in_state > until {
            return Ok(());
        }
        let (start, end) = (records.at(records.first_in_state), records.at(until + 1));
        for (place, data) in self.fetch.scan(&start, &end, usize::MAX)? {
            let key = place.get(12..).and_then(|rest| rest.split_last_chunk::<8>()).ok_or(Unsure)?;
            let ordinal = i64::from_be_bytes(*key.1);
            let Val::List(parts) = json::read(self.arena.alloc_slice_copy(&data), records.values, false)? else {
                return Err(Unsure);
            };
            let [value, headers, Val::Int(number), Val::Int(offset)] = parts.as_slice() else { return Err(Unsure) };
            let headers = match headers {
                Val::Null => None,
                Val::Str(text) => Some(text.to_string()),
                _ => return Err(Unsure),
            };
            let number = i32::try_from(*number).map_err(|_| Unsure)?;
            let entry = Waiting { value: value.clone(), headers, number, offset: *offset };
            records.new.insert((read_time(&place[4..12])?, key.0.to_vec(), ordinal), entry);
            records.deleted.push(place);
        }
        records.first_in_state = records.find_first(until + 1, self.fetch)?;
        Ok(())
    }
}

fn read_time(data: &[u8]) -> Sure<i64> {
    data.try_into().map(i64::from_be_bytes).map_err(|_| Unsure)
}
