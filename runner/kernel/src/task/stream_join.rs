//! Joins of two streams (`runner/engine/operators/joins/stream_stream.py`), and the records that they keep.

use std::collections::{BTreeMap, HashMap};

use crate::expr::Roles;
use crate::json::{self, Type};
use crate::plan::{JoinPlan, Op, SidePlan};
use crate::state::Fetch;
use crate::store::ReadAhead;
use crate::task::{
    EXTRA, FREED, LATE, NULL_KEY, NULL_VALUE, OTHER_RESULT, Place, SILENT, StreamTime, Task, WAITING, make, observe,
};
use crate::value::{Sure, Unsure, Val};

const NEVER: i64 = i64::MAX;

/// What the joins of a task know in this batch.
pub struct Join<'p> {
    /// The records of the right side, and of the left.
    sides: [Side<'p>; 2],
    unmatched: Option<Unmatched<'p>>,
}

impl<'p> Join<'p> {
    pub fn new(plan: &'p JoinPlan, task: u16, fetch: Fetch) -> Sure<Join<'p>> {
        let prefix = |number: u16| [task.to_be_bytes(), number.to_be_bytes()].concat();
        Ok(Join {
            sides: [
                Side::new(&plan.right, prefix(plan.right.store), fetch)?,
                Side::new(&plan.left, prefix(plan.left.store), fetch)?,
            ],
            unmatched: plan.unmatched.map(|number| Unmatched::new(plan, prefix(number), fetch)).transpose()?,
        })
    }

    /// Changes of the state.
    pub fn list_changes(
        &self,
        times: &[StreamTime],
        writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>,
        deleted_ranges: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Sure<()> {
        for side in &self.sides {
            side.list_changes(times[side.plan.time].value, writes, deleted_ranges);
        }
        self.unmatched.as_ref().map_or(Ok(()), |unmatched| unmatched.list_changes(writes))
    }
}

/// A record that waits for partners: its time, its number in order of arrival, and its value.
type Stored<'p> = (i64, i64, Val<'p>);

/// The records of one side by key and time (`runner/engine/stores/duplicates.py`). A place is a bucket and a key.
struct Side<'p> {
    plan: &'p SidePlan,
    prefix: Vec<u8>,
    next: i64,
    read: HashMap<Vec<u8>, Vec<Stored<'p>>>,
    new: HashMap<Vec<u8>, Vec<Stored<'p>>>,
    writes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl<'p> Side<'p> {
    fn new(plan: &'p SidePlan, prefix: Vec<u8>, fetch: Fetch) -> Sure<Side<'p>> {
        let next = fetch.get(&prefix)?.map_or(Ok(0), |data| read_time(&data))?;
        Ok(Side { plan, prefix, next, read: HashMap::new(), new: HashMap::new(), writes: Vec::new() })
    }

    /// Adds a record. False if it is so late that Kafka Streams has no segment for it.
    fn put(&mut self, key: &[u8], value: &Val<'p>, timestamp: i64, latest: &mut StreamTime) -> Sure<bool> {
        observe(latest, timestamp);
        let over = latest.value - self.plan.retention_ms;
        if timestamp <= over {
            let segment_ms = self.plan.segment_ms;
            return Ok(timestamp.div_euclid(segment_ms) >= over.div_euclid(segment_ms));
        }
        let place = self.make_place(timestamp.div_euclid(self.plan.bucket_ms), key);
        let mut data = Vec::new();
        json::write_with(value, json::Decimals::Tagged, &mut data)?;
        self.writes.push(([&place[..], &timestamp.to_be_bytes(), &self.next.to_be_bytes()].concat(), data));
        let row = (timestamp, self.next, value.clone());
        self.next += 1;
        if let Some(rows) = self.read.get_mut(&place) {
            let at = rows.partition_point(|each| (each.0, each.1) < (row.0, row.1));
            rows.insert(at, row.clone());
        }
        self.new.entry(place).or_default().push(row);
        Ok(true)
    }

    /// The records of a key from one time to another, both included, in order of time and arrival.
    fn fetch(&mut self, key: &[u8], first: i64, last: i64, latest: i64, fetch: Fetch) -> Sure<Vec<(i64, Val<'p>)>> {
        let first = first.max(latest - self.plan.retention_ms + 1);
        let mut found = Vec::new();
        if last < first {
            return Ok(found);
        }
        for bucket in first.div_euclid(self.plan.bucket_ms)..=last.div_euclid(self.plan.bucket_ms) {
            let place = self.make_place(bucket, key);
            if !self.read.contains_key(&place) {
                let rows = self.load(&place, fetch)?;
                self.read.insert(place.clone(), rows);
            }
            let rows = self.read.get(&place).ok_or(Unsure)?;
            let rows = &rows[rows.partition_point(|(time, _, _)| *time < first)..];
            let rows = rows.iter().take_while(|(time, _, _)| *time <= last);
            found.extend(rows.map(|(time, _, value)| (*time, value.clone())));
        }
        Ok(found)
    }

    fn load(&self, place: &[u8], fetch: Fetch) -> Sure<Vec<Stored<'p>>> {
        let mut rows = Vec::new();
        for (key, data) in fetch.scan(place, &find_key_after(place), usize::MAX)? {
            let (time, number) = key.get(place.len()..).and_then(|order| order.split_at_checked(8)).ok_or(Unsure)?;
            let value = json::read(&data, &self.plan.values, false)?.keep_as(&self.plan.values);
            rows.push((read_time(time)?, read_time(number)?, value));
        }
        rows.extend(self.new.get(place).into_iter().flatten().cloned());
        rows.sort_by_key(|row| (row.0, row.1));
        Ok(rows)
    }

    fn make_place(&self, bucket: i64, key: &[u8]) -> Vec<u8> {
        let length = u32::try_from(key.len()).unwrap_or(u32::MAX).to_be_bytes();
        [&self.prefix[..], &bucket.to_be_bytes(), &length, key].concat()
    }

    fn list_changes(
        &self,
        latest: i64,
        writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>,
        deleted_ranges: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) {
        if self.writes.is_empty() {
            return;
        }
        writes.extend(self.writes.iter().map(|(key, value)| (key.clone(), Some(value.clone()))));
        writes.push((self.prefix.clone(), Some(self.next.to_be_bytes().to_vec())));
        let end = (latest - self.plan.retention_ms + 1).div_euclid(self.plan.bucket_ms);
        if end > 0 {
            let bound = |bucket: i64| [&self.prefix[..], &bucket.to_be_bytes()].concat();
            deleted_ranges.push((bound(0), bound(end)));
        }
    }
}

/// Records of one time, side and key without a partner yet, or None if they are gone.
struct Waiting<'p> {
    values: Option<Vec<Val<'p>>>,
    has_changed: bool,
}

/// Records that have no partner yet, by time, side and key (`runner/engine/stores/unmatched_store.py`).
struct Unmatched<'p> {
    plan: &'p JoinPlan,
    prefix: Vec<u8>,
    waiting: BTreeMap<Vec<u8>, Waiting<'p>>,
    read: ReadAhead,
    /// The place from which records are looked for.
    first: Vec<u8>,
    earliest: i64,
    earliest_in_state: Option<i64>,
}

impl<'p> Unmatched<'p> {
    fn new(plan: &'p JoinPlan, prefix: Vec<u8>, fetch: Fetch) -> Sure<Unmatched<'p>> {
        let earliest_in_state = fetch.get(&prefix)?.map(|data| read_time(&data)).transpose()?;
        let first = [&prefix[..], &0_i64.to_be_bytes()].concat();
        let earliest = earliest_in_state.unwrap_or(NEVER);
        let (waiting, read) = (BTreeMap::new(), ReadAhead::default());
        Ok(Unmatched { plan, prefix, waiting, read, first, earliest, earliest_in_state })
    }

    fn make_place(&self, timestamp: i64, is_left: bool, key: &[u8]) -> Vec<u8> {
        [&self.prefix[..], &timestamp.to_be_bytes(), &[u8::from(is_left)], key].concat()
    }

    fn at(&mut self, place: &[u8], is_left: bool, fetch: Fetch) -> Sure<&mut Waiting<'p>> {
        if !self.waiting.contains_key(place) {
            let values = fetch.get(place)?.map(|data| self.read_values(&data, is_left)).transpose()?;
            self.waiting.insert(place.to_vec(), Waiting { values, has_changed: false });
        }
        self.waiting.get_mut(place).ok_or(Unsure)
    }

    fn read_values(&self, data: &[u8], is_left: bool) -> Sure<Vec<Val<'p>>> {
        let plan = self.plan;
        let type_: &'p Type = if is_left { &plan.left.values } else { &plan.right.values };
        // the values of a list have no type of their own: members are found by their names
        let Val::List(values) = json::read(data, &Type::Any, false)?.keep() else { return Err(Unsure) };
        Ok(values.iter().map(|value| value.keep_as(type_)).collect())
    }

    fn put(&mut self, timestamp: i64, is_left: bool, key: &[u8], value: &Val<'p>, fetch: Fetch) -> Sure<()> {
        self.earliest = self.earliest.min(timestamp);
        let place = self.make_place(timestamp, is_left, key);
        if place < self.first {
            self.first.clone_from(&place);
        }
        let waiting = self.at(&place, is_left, fetch)?;
        waiting.values.get_or_insert_default().push(value.clone());
        waiting.has_changed = true;
        Ok(())
    }

    /// Takes all records of that key, time and side.
    fn take(&mut self, place: &[u8], is_left: bool, fetch: Fetch) -> Sure<Vec<Val<'p>>> {
        let waiting = self.at(place, is_left, fetch)?;
        let taken = waiting.values.take();
        waiting.has_changed |= taken.is_some();
        Ok(taken.unwrap_or_default())
    }

    /// The number of records at a place that has been found.
    fn count(&self, place: &[u8]) -> usize {
        self.waiting.get(place).and_then(|waiting| waiting.values.as_ref()).map_or(0, Vec::len)
    }

    /// The place of the first records that are not before a place.
    fn find_from(&mut self, place: &[u8], fetch: Fetch) -> Sure<Option<Vec<u8>>> {
        let limit = find_key_after(&self.prefix);
        let mut end = [place, &[0]].concat();
        loop {
            for (key, data) in self.read.until(place, &end, &limit, fetch)? {
                let is_left = *key.get(12).ok_or(Unsure)? == 1;
                if !self.waiting.contains_key(&key) {
                    let values = Some(self.read_values(&data, is_left)?);
                    self.waiting.insert(key, Waiting { values, has_changed: false });
                }
            }
            let mut after = self.waiting.range(place.to_vec()..);
            let found = after.find(|(_, waiting)| waiting.values.is_some()).map(|(found, _)| found.clone());
            let known = self.read.end();
            match found {
                Some(found) if found.as_slice() < known => return Ok(Some(found)),
                found if known >= limit.as_slice() => return Ok(found),
                _ => end = [known, &[0]].concat(),
            }
        }
    }

    fn list_changes(&self, writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) -> Sure<()> {
        for (place, waiting) in self.waiting.iter().filter(|(_, waiting)| waiting.has_changed) {
            let mut data = Vec::new();
            if let Some(values) = &waiting.values {
                json::write_with(&Val::List(std::sync::Arc::new(values.clone())), json::Decimals::Tagged, &mut data)?;
            }
            writes.push((place.clone(), waiting.values.is_some().then_some(data)));
        }
        if self.earliest_in_state != Some(self.earliest) {
            writes.push((self.prefix.clone(), Some(self.earliest.to_be_bytes().to_vec())));
        }
        Ok(())
    }
}

impl<'p> Task<'p, '_> {
    /// Takes a record of one side of a join of streams.
    pub(super) fn join_streams(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::JoinStreams { join: number, is_left, is_outer } = plan.nodes[node].op else { return Err(Unsure) };
        let join = &plan.joins[number];
        observe(&mut self.times[join.time], time);
        if key.is_null() || value.is_null() {
            if !value.is_null() && is_outer {
                return self.send_pair(node, is_left, key, value, &Val::Null, time, at);
            }
            return self.note(node, if value.is_null() { NULL_VALUE } else { NULL_KEY }, at, None);
        }
        let mut key_bytes = Vec::new();
        if !join.key.encode(key, &mut key_bytes)? {
            return Err(Unsure);
        }
        let now = self.times[join.time].value;
        let (before_ms, after_ms) =
            if is_left { (join.before_ms, join.after_ms) } else { (join.after_ms, join.before_ms) };
        if join.unmatched.is_some() && time == now {
            self.send_unmatched(node, number, after_ms, at)?;
        }
        let (first, last) = ((time - before_ms).max(0), (time + after_ms).max(0));
        let (own, other) = (usize::from(is_left), usize::from(!is_left));
        let latest = self.times[self.joins[number].sides[other].plan.time].value;
        let others = self.joins[number].sides[other].fetch(&key_bytes, first, last, latest, self.fetch)?;
        if !others.is_empty() {
            let mut freed = 0;
            let results = others.len();
            for (other_time, other) in others {
                if let Some(unmatched) = &mut self.joins[number].unmatched {
                    let place = unmatched.make_place(other_time, !is_left, &key_bytes);
                    freed += unmatched.take(&place, !is_left, self.fetch)?.len();
                }
                self.send_pair(node, is_left, key, value, &other, time.max(other_time), at)?;
            }
            for _ in 0..freed {
                self.count(node, FREED);
            }
            if results > freed {
                for _ in 0..results - freed - 1 {
                    self.count(node, EXTRA);
                }
            } else {
                self.count(node, OTHER_RESULT);
            }
        } else if !is_outer {
            self.count(node, SILENT);
        } else if join.unmatched.is_none() || last < now {
            self.send_pair(node, is_left, key, value, &Val::Null, time, at)?;
        } else if let Some(unmatched) = &mut self.joins[number].unmatched {
            unmatched.put(time, is_left, &key_bytes, value, self.fetch)?;
            self.count(node, WAITING);
        }
        let side = &mut self.joins[number].sides[own];
        let (clock, retention_ms) = (side.plan.time, side.plan.retention_ms);
        if !side.put(&key_bytes, value, time, &mut self.times[clock])? {
            let late_ms = self.times[clock].value - retention_ms - time + 1;
            self.note(node, LATE, at, Some(late_ms))?;
            self.count(node, EXTRA);
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn send_pair(
        &mut self,
        node: usize,
        is_left: bool,
        key: &Val<'p>,
        own: &Val<'p>,
        other: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::JoinStreams { join, .. } = plan.nodes[node].op else { return Err(Unsure) };
        let (left, right) = if is_left { (own, other) } else { (other, own) };
        let roles = Roles { key, value: left, timestamp: time, other: right, index: 0 };
        let made = make(&plan.joins[join].shape, &roles, left, &mut self.pool)?;
        self.send(&plan.nodes[node].to, key, made.as_ref().unwrap_or(left), time, at)
    }

    /// Sends the records without a partner whose time is over, oldest first (`StreamJoin.emit_expired`).
    fn send_unmatched(&mut self, node: usize, number: usize, after_ms: i64, at: Place<'_, 'p>) -> Sure<()> {
        let plan = self.plan;
        let join = &plan.joins[number];
        let now = self.times[join.time].value;
        let Some(unmatched) = &mut self.joins[number].unmatched else { return Ok(()) };
        if unmatched.earliest.saturating_add(after_ms + join.grace_ms) >= now {
            return Ok(());
        }
        unmatched.earliest = NEVER;
        let mut open = [false; 2];
        let mut first_open = None;
        let mut place = unmatched.first.clone();
        loop {
            let Some(unmatched) = &mut self.joins[number].unmatched else { return Err(Unsure) };
            let Some(found) = unmatched.find_from(&place, self.fetch)? else { break };
            place = [&found[..], &[0]].concat();
            let timestamp = read_time(found.get(4..12).ok_or(Unsure)?)?;
            let is_left = found.get(12) == Some(&1);
            unmatched.earliest = timestamp;
            if open == [true; 2] {
                break;
            }
            let after_ms = if is_left { join.after_ms } else { join.before_ms };
            if timestamp + after_ms + join.grace_ms >= now {
                open[usize::from(is_left)] = true;
                first_open.get_or_insert(timestamp);
                if open == [true; 2] && unmatched.count(&found) > 1 {
                    break; // the next record is of the same list, so the search ends at its time
                }
                continue;
            }
            let values = unmatched.take(&found, is_left, self.fetch)?;
            let key = join.key.decode(found.get(13..).ok_or(Unsure)?, &mut json::Pool::default())?.keep();
            for value in values {
                self.count(node, FREED);
                self.send_pair(node, is_left, &key, &value, &Val::Null, timestamp, at)?;
            }
        }
        let Some(unmatched) = &mut self.joins[number].unmatched else { return Err(Unsure) };
        unmatched.first = [&unmatched.prefix[..], &first_open.unwrap_or(now).to_be_bytes()].concat();
        Ok(())
    }
}

fn read_time(data: &[u8]) -> Sure<i64> {
    data.try_into().map(i64::from_be_bytes).map_err(|_| Unsure)
}

/// The first key after all keys with a prefix.
fn find_key_after(prefix: &[u8]) -> Vec<u8> {
    let stem = prefix.iter().rposition(|byte| *byte != 0xFF).map_or(&prefix[..0], |last| &prefix[..=last]);
    let mut after = stem.to_vec();
    if let Some(last) = after.last_mut() {
        *last += 1;
    }
    after
}
