//! The three parts of a join by a foreign key (`runner/engine/operators/joins/subscriptions.py`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use blake2b_simd::Params;
use bumpalo::Bump;

use crate::codec::Codec;
use crate::expr::Roles;
use crate::json::{self, Decimals, Pool};
use crate::plan::{Op, Plan, Responses, Subscribing, Subscriptions};
use crate::store::find_key_after;
use crate::task::{
    EXTRA, LEFT_ROW_GONE, NEWER_LEFT_ROW, NO_RIGHT_ROW, NOTHING, NULL_FOREIGN_KEY, Place, SILENT, StreamTime, Task,
    make,
};
use crate::value::{Blob, Sure, Unsure, Val};

/// Instructions to the right side.
const DELETE: i64 = 0;
const DELETE_AND_RESPOND: i64 = 1;
const RESPOND: i64 = 2;
const RESPOND_IF_FOUND: i64 = 3;

/// Length of a digest in bytes.
const DIGEST: usize = 7;

/// What the joins of a task know in this batch.
#[derive(Default)]
pub struct ForeignKeys<'p> {
    /// The row at which a part works that subscribes, and the left keys that it had, by node.
    at_work: HashMap<usize, (usize, HashSet<Vec<u8>>)>,
    /// Changed subscriptions with their keys in the state. None is deleted.
    subscriptions: BTreeMap<Vec<u8>, Option<Val<'p>>>,
    /// Version and digest of the left rows seen in this batch, by node and key.
    latest: BTreeMap<(usize, Vec<u8>), Val<'p>>,
    /// Keys of right rows that subscriptions of this batch have found, by node and prefix.
    found: HashMap<(usize, Vec<u8>), Val<'p>>,
}

impl<'p> ForeignKeys<'p> {
    /// Changes of the state of a task.
    pub fn list_changes(&self, plan: &Plan, task: u16, writes: &mut Vec<(Vec<u8>, Option<Vec<u8>>)>) -> Sure<()> {
        for (key, subscription) in &self.subscriptions {
            writes.push((key.clone(), subscription.as_ref().map(pack).transpose()?));
        }
        for ((node, key), latest) in &self.latest {
            if let Op::Responses(join) = &plan.nodes[*node].op
                && let Some(store) = join.latest
            {
                writes.push(([&task.to_be_bytes()[..], &store.to_be_bytes(), key].concat(), Some(pack(latest)?)));
            }
        }
        Ok(())
    }
}

impl<'p> Task<'p, '_> {
    /// Turns an update of a left row into subscriptions.
    pub(super) fn subscribe(
        &mut self,
        node: usize,
        key: &Val<'p>,
        new: &Val<'p>,
        old: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Subscribe(join) = &plan.nodes[node].op else { return Err(Unsure) };
        let extract = |value: &Val<'p>| {
            let roles = Roles { key, value, timestamp: 0, other: &NOTHING, index: 0 };
            if value.is_null() { Ok(Val::Null) } else { join.foreign_key.eval(&roles) }
        };
        let (before, after) = (extract(old)?, extract(new)?);
        let has_new_key =
            !before.is_null() && encode_optional(&join.foreign, &before)? != encode_optional(&join.foreign, &after)?;
        let mut results = 0;
        if new.is_null() && if join.is_left { old.is_null() } else { before.is_null() } {
            self.settle_results(node, results);
            return Ok(());
        }
        if !join.is_left && !new.is_null() && after.is_null() {
            results += 1;
            self.note(node, NULL_FOREIGN_KEY, at, None)?;
            if before.is_null() {
                self.settle_results(node, results);
                return Ok(());
            }
        }
        let row = self.make_row(node, join, key, new, time, at, &mut results)?;
        let mut send = |task: &mut Task<'p, '_>, foreign_key: &Val<'p>, instruction: i64| {
            results += 1;
            let subscription = Val::List(Arc::new([&[Val::Int(instruction)], row.as_slice()].concat()));
            task.send(&join.subscriptions, foreign_key, &subscription, time, at)
        };
        if join.is_left {
            if has_new_key {
                send(self, &before, DELETE)?;
            }
            send(self, &after, RESPOND)?;
        } else if after.is_null() {
            send(self, &before, DELETE_AND_RESPOND)?;
        } else if has_new_key {
            send(self, &before, DELETE)?;
            send(self, &after, RESPOND)?;
        } else {
            send(self, &after, RESPOND_IF_FOUND)?;
        }
        self.settle_results(node, results);
        Ok(())
    }

    /// A subscription's data about the left row: bytes of the key, value, version and digest.
    #[allow(clippy::too_many_arguments)]
    fn make_row(
        &mut self,
        node: usize,
        join: &'p Subscribing,
        key: &Val<'p>,
        new: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
        results: &mut usize,
    ) -> Sure<Vec<Val<'p>>> {
        let version = self.times[join.version].value + 1;
        self.times[join.version] = StreamTime { value: version, has_advanced: true };
        let key_bytes = encode(&join.key, key)?;
        let digest = if new.is_null() { Val::Null } else { Val::Int(compute_digest(new)?) };
        if at.row >= self.rows.count {
            return Err(Unsure); // only Python knows the time of the row
        }
        let (row, seen) = self.foreign_keys.at_work.entry(node).or_default();
        if *row != at.row {
            *row = at.row;
            seen.clear();
        }
        if !seen.insert(key_bytes.clone()) || join.meets_right {
            *results += 1;
            let latest = Val::List(Arc::new(vec![Val::Int(version), digest.clone()]));
            let time = time.min(self.rows.get(at.row)?.timestamp);
            self.send(&join.latest, key, &latest, time, at)?;
        }
        Ok(vec![Val::Bytes(Blob::Shared(key_bytes.into())), new.clone(), Val::Int(version), digest])
    }

    /// Keeps or deletes a subscription, and responds to it.
    pub(super) fn take_subscription(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Subscriptions(join) = &plan.nodes[node].op else { return Err(Unsure) };
        let Val::List(parts) = value else { return Err(Unsure) };
        let [Val::Int(instruction), Val::Bytes(key_bytes), left, version, digest] = parts.as_slice() else {
            return Err(Unsure);
        };
        let (mut row, mut prefix) = (None, Vec::new());
        if !key.is_null() {
            prefix = self.make_prefix(join, key)?;
            let place = [prefix.as_slice(), key_bytes].concat();
            let kept = (*instruction > DELETE_AND_RESPOND)
                .then(|| Val::List(Arc::new(vec![left.clone(), version.clone(), digest.clone()])));
            self.foreign_keys.subscriptions.insert(place, kept);
            row = self.look_up(&join.right, key, None)?;
        }
        if *instruction == DELETE || (row.is_none() && *instruction == RESPOND_IF_FOUND) {
            self.count(node, if *instruction == DELETE { LEFT_ROW_GONE } else { NO_RIGHT_ROW });
            return Ok(());
        }
        let is_found = row.is_some();
        let (mut right, right_time) = row.unwrap_or((Val::Null, time));
        if *instruction == DELETE_AND_RESPOND {
            right = Val::Null;
        } else if is_found {
            self.foreign_keys.found.insert((node, prefix), key.clone().keep());
        }
        let left_key = join.key.decode(key_bytes, &mut Pool::default())?.keep();
        let response = Val::List(Arc::new(vec![version.clone(), digest.clone(), left.clone(), right]));
        self.send(&plan.nodes[node].to, &left_key, &response, time.max(right_time), at)
    }

    /// Responds to every subscription to a right row.
    pub(super) fn answer_subscribers(
        &mut self,
        node: usize,
        key: &Val<'p>,
        new: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Subscriptions(join) = &plan.nodes[node].op else { return Err(Unsure) };
        let prefix = self.make_prefix(join, key)?;
        self.foreign_keys.found.remove(&(node, prefix.clone()));
        let end = find_key_after(&prefix);
        let changed = self.foreign_keys.subscriptions.range(prefix.clone()..end.clone());
        let mut all: BTreeMap<Vec<u8>, Option<Val<'p>>> = BTreeMap::new();
        for (place, data) in self.fetch.scan(&prefix, &end, usize::MAX)? {
            if !self.foreign_keys.subscriptions.contains_key(&place) {
                all.insert(place, Some(unpack(&data, &join.kept, self.arena)?));
            }
        }
        all.extend(changed.map(|(place, kept)| (place.clone(), kept.clone())));
        let mut left_rows = 0;
        for (place, kept) in all {
            let Some(kept) = kept else { continue };
            let Val::List(parts) = kept else { return Err(Unsure) };
            let [left, version, digest] = parts.as_slice() else { return Err(Unsure) };
            left_rows += 1;
            let left_key = join.key.decode(&place[prefix.len()..], &mut Pool::default())?.keep();
            let response = Val::List(Arc::new(vec![version.clone(), digest.clone(), left.clone(), new.clone()]));
            self.send(&plan.nodes[node].to, &left_key, &response, time, at)?;
        }
        self.settle_results(node, left_rows);
        Ok(())
    }

    /// Leaves the batch to the Python engine if a right row that a subscription found is gone: it takes that back.
    pub(super) fn check_found_right_rows(&mut self) -> Sure<()> {
        let plan = self.plan;
        for ((node, _), key) in std::mem::take(&mut self.foreign_keys.found) {
            let Op::Subscriptions(join) = &plan.nodes[node].op else { return Err(Unsure) };
            if self.look_up(&join.right, &key, None)?.is_none() {
                return Err(Unsure);
            }
        }
        Ok(())
    }

    /// The keys of the subscriptions to a right row begin with this.
    fn make_prefix(&self, join: &Subscriptions, foreign_key: &Val) -> Sure<Vec<u8>> {
        let data = encode(&join.foreign, foreign_key)?;
        let length = i32::try_from(data.len()).map_err(|_| Unsure)?.to_be_bytes();
        Ok([&self.number.to_be_bytes()[..], &join.store.to_be_bytes(), &length, &data].concat())
    }

    /// Notes for the node that turns responses into rows what a left row is now.
    pub(super) fn hear(&mut self, node: usize, responses: usize, key: &Val<'p>, value: &Val<'p>) -> Sure<()> {
        let plan = self.plan;
        let Op::Responses(join) = &plan.nodes[responses].op else { return Err(Unsure) };
        self.foreign_keys.latest.insert((responses, encode(&join.key, key)?), value.clone());
        self.count(node, SILENT);
        Ok(())
    }

    /// Turns a response into a row of the result, unless the left row is another by now.
    pub(super) fn respond(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Responses(join) = &plan.nodes[node].op else { return Err(Unsure) };
        let Val::List(parts) = value else { return Err(Unsure) };
        let [Val::Int(version), digest, left, right] = parts.as_slice() else { return Err(Unsure) };
        let place = (node, encode(&join.key, key)?);
        let latest = match self.foreign_keys.latest.get(&place) {
            Some(latest) => Some(latest.clone()),
            None => self.read_latest(join, &place.1)?,
        };
        let is_new = match &latest {
            None => true,
            Some(Val::List(pair)) => match pair.as_slice() {
                [Val::Int(newest), _] if version > newest => true,
                [Val::Int(newest), its_digest] => {
                    if version < newest && !is_equal(digest, its_digest)? {
                        return self.note(node, NEWER_LEFT_ROW, at, None);
                    }
                    false
                }
                _ => return Err(Unsure),
            },
            Some(_) => return Err(Unsure),
        };
        if is_new {
            let seen = Val::List(Arc::new(vec![Val::Int(*version), digest.clone()]));
            self.foreign_keys.latest.insert(place, seen);
        }
        let made = if right.is_null() && (left.is_null() || !join.is_left) {
            Val::Null
        } else {
            let roles = Roles { key, value: left, timestamp: time, other: right, index: 0 };
            make(&join.shape, &roles, left, &mut self.pool)?.unwrap_or_else(|| left.clone())
        };
        self.take_row(node, join.store, join.sends_old, key, &made, time, at)
    }

    /// What earlier batches have seen of a left row, if they keep it.
    fn read_latest(&mut self, join: &Responses, key: &[u8]) -> Sure<Option<Val<'p>>> {
        let Some(store) = join.latest else { return Ok(None) };
        let place = [&self.number.to_be_bytes()[..], &store.to_be_bytes(), key].concat();
        self.fetch.get(&place)?.map(|data| unpack(&data, &json::Type::Any, self.arena)).transpose()
    }

    /// Counts a record with its number of results.
    fn settle_results(&mut self, node: usize, results: usize) {
        if results == 0 {
            self.count(node, SILENT);
        }
        for _ in 1..results {
            self.count(node, EXTRA);
        }
    }
}

fn encode(codec: &Codec, value: &Val) -> Sure<Vec<u8>> {
    encode_optional(codec, value)?.ok_or(Unsure)
}

fn encode_optional(codec: &Codec, value: &Val) -> Sure<Option<Vec<u8>>> {
    let mut data = Vec::new();
    if value.is_null() {
        return Ok(None);
    }
    if codec.encode(value, &mut data)? { Ok(Some(data)) } else { Err(Unsure) }
}

fn pack(value: &Val) -> Sure<Vec<u8>> {
    let mut data = Vec::new();
    json::write_with(value, Decimals::Tagged, &mut data)?;
    Ok(data)
}

fn unpack<'p>(data: &[u8], type_: &'p json::Type, arena: &'p Bump) -> Sure<Val<'p>> {
    json::read(arena.alloc_slice_copy(data), type_, false)
}

fn compute_digest(value: &Val) -> Sure<i64> {
    let hash = Params::new().hash_length(DIGEST).hash(&pack(value)?);
    Ok(hash.as_bytes().iter().fold(0, |number, byte| number << 8 | i64::from(*byte)))
}

/// True if two digests are equal. Null is that of a deletion.
fn is_equal(one: &Val, other: &Val) -> Sure<bool> {
    match (one, other) {
        (Val::Null, Val::Null) => Ok(true),
        (Val::Int(one), Val::Int(other)) => Ok(one == other),
        (Val::Null, Val::Int(_)) | (Val::Int(_), Val::Null) => Ok(false),
        _ => Err(Unsure),
    }
}
