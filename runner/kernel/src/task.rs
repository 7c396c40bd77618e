//! One batch of one task: rows go depth first through the nodes, as `runner/engine/tasks/task.py` takes them.

mod foreign_key;
mod grouped_table;
pub mod stream_join;
pub mod suppress;
pub mod waiting;
mod windows;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bumpalo::Bump;

use crate::codec::Codec;
use crate::decimal::{Digits, to_decimal};
use crate::expr::{Compare, Expr, Roles, compare, is_true, to_double};
use crate::json::{self, Pool};
use crate::plan::{Aggregator, Fold, FoldFunction, Late, Op, Plan, Row as DerivedRow, Shape, View, Window};
use crate::rows::{Output, Row, Rows};
use crate::state::Fetch;
use crate::store::versions::History;
use crate::store::{Store, read_times};
use crate::task::foreign_key::ForeignKeys;
use crate::task::grouped_table::write_change;
use crate::task::stream_join::Join;
use crate::task::suppress::{Buffer, EarlierRows};
use crate::task::waiting::WaitingRecords;
use crate::value::{Member, Sure, Text, Unsure, Val};

/// The latest time of a record (`LATEST_MS` in `runner/engine/tasks/event_time.py`).
const LATEST: i64 = 1 << 62;

/// Counters of a node, by their place.
pub const SILENT: usize = 0;
pub const EXTRA: usize = 1;
pub const NULL_KEY: usize = 2;
pub const NULL_VALUE: usize = 3;
pub const LATE: usize = 4;
pub const NO_MATCH: usize = 5;
pub const BEFORE_SHUFFLE: usize = 6;
pub const FORWARDED: usize = 7;
/// Windows that wait until they close: opened, merged into others or deleted, sent, and lost at the end of retention.
pub const OPENED: usize = 8;
pub const MERGED: usize = 9;
pub const EMITTED: usize = 10;
pub const EXPIRED: usize = 11;
/// Records of a join that wait for a partner, those that no longer do, and records whose results count for such.
pub const WAITING: usize = 12;
pub const FREED: usize = 13;
pub const OTHER_RESULT: usize = 14;
/// Deletions that are not sent.
pub const DELETED: usize = 15;
/// Records of which a line of the log was due.
pub const LOGGED: usize = 16;
/// Updates that are older than the row of their key: those that count as dropped, and the others.
pub const OLDER_DROPPED: usize = 17;
pub const OLDER: usize = 18;
/// Left rows of a join by a foreign key: without one, replaced before their response came, gone, and without a right row.
pub const NULL_FOREIGN_KEY: usize = 19;
pub const NEWER_LEFT_ROW: usize = 20;
pub const LEFT_ROW_GONE: usize = 21;
pub const NO_RIGHT_ROW: usize = 22;
/// The first branch of a split.
pub const BRANCHES: usize = 23;
/// Counters of each node, of which the last are branches.
pub const COUNTERS: usize = BRANCHES + 101;

const SAMPLES: u64 = 3;
/// One row in so many is timed, node by node.
pub const TIMED: u32 = 64;

const NOTHING: Val<'static> = Val::Null;

/// A row of which an example is kept: node, counter, number of the row, and how much more grace would have kept it.
pub type Sample = (usize, usize, usize, Option<i64>);

#[derive(Debug, Clone, Copy)]
pub struct StreamTime {
    pub value: i64,
    pub has_advanced: bool,
}

/// A row that only the Python engine may process, and how many rows had left before it.
pub type ForPython = (usize, usize);

/// The place of processing (`runner/engine/records/context.py`): whose consequences are computed, and the key and
/// value that were decoded last, to recognise those that no node changed.
#[derive(Clone, Copy)]
struct Place<'r, 'v> {
    row: usize,
    key: Option<&'r Val<'v>>,
    value: Option<&'r Val<'v>>,
    /// False if results have no headers.
    keeps_headers: bool,
    /// The input of a cogroup at which the record came.
    input: usize,
    /// False during an update of a versioned table that is older than the row of its key.
    is_latest: bool,
}

/// A record of which Python writes a line: node, packed key, its window, packed value, time, and headers.
pub type Line = (usize, Option<Vec<u8>>, Option<(i64, i64)>, Option<Vec<u8>>, i64, Option<String>);

/// Times of identities, each with whether this batch saw it first.
pub type Seen = HashMap<Vec<u8>, (i64, bool)>;

/// The time of an identity that was never seen.
const NEVER: i64 = i64::MIN;

/// Most records that flat maps make of one row. Python says what becomes of more.
const MAX_RESULTS: usize = 1_000_000;

pub struct Task<'p, 'f> {
    plan: &'p Plan,
    number: u16,
    rows: &'p Rows<'p>,
    fetch: Fetch<'f>,
    /// Holds bytes of the state, which values lend.
    arena: &'p Bump,
    /// The node at work, for the message about a panic.
    at_work: &'f AtomicUsize,
    pub stores: Vec<Store<'p>>,
    pub joins: Vec<Join<'p>>,
    pub buffers: Vec<Buffer<'p>>,
    pub waiting: Vec<WaitingRecords<'p>>,
    pub earlier_rows: EarlierRows,
    pub foreign_keys: ForeignKeys<'p>,
    /// Keys of rows of the other side that updates have found before the end of the batch, by the node of the join.
    found: Vec<(usize, Val<'p>)>,
    /// Some tables forward at the end of the batch.
    is_cached: bool,
    is_flushing: bool,
    pub times: Vec<StreamTime>,
    pub output: Output,
    pub counters: Vec<u64>,
    pub inputs: Vec<u64>,
    pub samples: Vec<Sample>,
    /// Those of the end of the batch.
    pub last_samples: Vec<Sample>,
    pub lines: Vec<Line>,
    pub for_python: Vec<ForPython>,
    /// What each deduplication of this batch knows, by its node.
    pub seen: BTreeMap<usize, Seen>,
    /// Time of each node in the rows that were timed: multiply it by `TIMED`.
    pub spent: Vec<Duration>,
    /// Counts of the present row, which only count if it succeeds.
    journal: Vec<usize>,
    pending: Vec<Sample>,
    /// The row of which flat maps made records last, and how many.
    flattened: (usize, usize),
    new_lines: Vec<Line>,
    /// The row that was decoded last, and its value.
    read: usize,
    last: Val<'p>,
    timing: Option<(usize, Instant)>,
    key_bytes: Vec<u8>,
    pool: Pool<'p>,
}

impl<'p, 'f> Task<'p, 'f> {
    pub fn new(
        plan: &'p Plan,
        number: u16,
        rows: &'p Rows<'p>,
        fetch: Fetch<'f>,
        at_work: &'f AtomicUsize,
        arena: &'p Bump,
    ) -> Task<'p, 'f> {
        Task {
            plan,
            number,
            rows,
            fetch,
            arena,
            at_work,
            stores: plan.stores.iter().map(|store| Store::new(store, number, arena)).collect(),
            joins: Vec::new(),
            buffers: Vec::new(),
            waiting: Vec::new(),
            earlier_rows: EarlierRows::new(rows.count),
            foreign_keys: ForeignKeys::default(),
            found: Vec::new(),
            is_cached: plan.stores.iter().any(|store| store.is_cached),
            is_flushing: false,
            times: Vec::new(),
            output: Output::new(rows),
            counters: vec![0; plan.nodes.len() * COUNTERS],
            inputs: vec![0; plan.entrances.len()],
            samples: Vec::new(),
            last_samples: Vec::new(),
            lines: Vec::new(),
            new_lines: Vec::new(),
            for_python: Vec::new(),
            seen: BTreeMap::new(),
            spent: vec![Duration::ZERO; plan.nodes.len()],
            journal: Vec::new(),
            pending: Vec::new(),
            flattened: (0, 0),
            read: 0,
            last: Val::Null,
            timing: None,
            key_bytes: Vec::new(),
            pool: Pool::default(),
        }
    }

    /// Processes all rows, and ends the batch. `Unsure` if the Python engine must take the whole batch.
    ///
    /// A row that cannot be decoded changes nothing, so it alone goes to the Python engine. Without stores and stream
    /// times this holds for every row.
    pub fn run(&mut self) -> Sure<()> {
        let plan = self.plan;
        let is_stateless = plan.is_stateless();
        let mut last = None;
        for number in 0..self.rows.count {
            let row = self.rows.get(number)?;
            if last.is_none_or(|(target, _)| target != row.target) {
                let entrance = plan.entrances.iter().position(|each| each.target == row.target).ok_or(Unsure)?;
                last = Some((row.target, entrance));
            }
            let Some((_, entrance)) = last else { return Err(Unsure) };
            let count = self.output.count();
            if number % TIMED as usize == 0 {
                self.timing = Some((plan.entrances[entrance].node, Instant::now()));
            }
            let result = self.take(number, &row, entrance);
            if let Some((node, since)) = self.timing.take() {
                self.spent[node] += since.elapsed();
            }
            match result {
                Ok(()) => {
                    self.inputs[entrance] += 1;
                    self.settle();
                    self.samples.append(&mut self.pending);
                }
                Err(Refused::Row) => self.refuse(number, count),
                Err(Refused::Batch) if is_stateless => self.refuse(number, count),
                Err(Refused::Batch) => return Err(Unsure),
            }
        }
        self.is_flushing = true;
        for flush in 0..plan.flushes.len() {
            self.flush(plan.flushes[flush])?;
        }
        self.check_found_right_rows()?;
        self.check_found_rows()?;
        self.settle();
        self.last_samples.append(&mut self.pending);
        Ok(())
    }

    /// Lets the counts and lines of what succeeded count.
    fn settle(&mut self) {
        for place in self.journal.drain(..) {
            self.counters[place] += 1;
        }
        self.lines.append(&mut self.new_lines);
    }

    fn refuse(&mut self, number: usize, count: usize) {
        self.output.truncate(count);
        self.journal.clear();
        self.pending.clear();
        self.new_lines.clear();
        self.for_python.push((number, count));
    }

    fn take(&mut self, number: usize, row: &Row<'p>, entrance: usize) -> Result<(), Refused> {
        let plan = self.plan;
        let way = &plan.entrances[entrance];
        self.at_work.store(way.node, Ordering::Relaxed);
        if !(0..=LATEST).contains(&row.timestamp) {
            return Err(Refused::Row);
        }
        let key = decode(&way.key, row.key, row.headers, &mut self.pool)?;
        if way.is_change {
            let data = row.value.ok_or(Refused::Batch)?;
            let place =
                Place { row: number, key: Some(&key), value: None, keeps_headers: true, input: 0, is_latest: true };
            (self.read, self.last) = (number, Val::Null);
            return self.take_change(entrance, &key, data, row.timestamp, place);
        }
        let value = decode(&way.value, row.value, row.headers, &mut self.pool)?;
        self.read = number;
        let place =
            Place { row: number, key: Some(&key), value: Some(&value), keeps_headers: true, input: 0, is_latest: true };
        let sent = self.send(&way.to, &key, &value, row.timestamp, place);
        self.pool.give(std::mem::replace(&mut self.last, value));
        sent.map_err(|_| Refused::Batch)
    }

    /// Ends the batch of a node: changed rows continue if they waited, in the order in which they changed first.
    fn flush(&mut self, node: usize) -> Sure<()> {
        let plan = self.plan;
        self.at_work.store(node, Ordering::Relaxed);
        let (store, sends_old) = match &plan.nodes[node].op {
            Op::Responses(join) => (join.store.ok_or(Unsure)?, join.sends_old),
            Op::Source { store: Some(store), sends_old }
            | Op::Derive { store: Some(store), sends_old, .. }
            | Op::JoinTables { store: Some(store), sends_old, .. }
            | Op::Aggregate { store, sends_old, .. } => (*store, *sends_old),
            _ => return Err(Unsure),
        };
        if let Op::Aggregate { window: Some(Window { closed: Some(closed), .. }), .. } = &plan.nodes[node].op {
            return self.expire_windows(node, store, *closed);
        }
        if !self.stores[store].plan.is_cached {
            return Ok(());
        }
        let is_source = matches!(plan.nodes[node].op, Op::Source { .. } | Op::Responses(_));
        let mut skipped = Vec::new();
        for index in 0..self.stores[store].dirty.len() {
            let place = self.stores[store].dirty[index];
            let entry = &self.stores[store].entries[place];
            let (key_bytes, row) = (entry.key.clone(), entry.row.ok_or(Unsure)?);
            let (new, deleted_at) = (entry.entry.clone(), entry.deleted_at);
            let before =
                if sends_old || new.is_none() { self.stores[store].load(&key_bytes, self.fetch)? } else { None };
            if new.is_none() && before.is_none() {
                skipped.push(place);
                continue;
            }
            self.count(node, FORWARDED);
            let key = self.read_key(store, &key_bytes)?;
            let old = before.map_or(Val::Null, |entry| entry.0);
            let old = if sends_old { self.present(node, old)? } else { Val::Null };
            let (value, timestamp) = match new {
                None => (Val::Null, deleted_at),
                Some((value, timestamp)) => (value, timestamp),
            };
            let is_read = is_source && !value.is_null();
            let shown = self.present(node, value)?;
            if is_read {
                (self.read, self.last) = (row, shown.clone());
            }
            let last = self.last.clone();
            let at = Place {
                row,
                key: is_read.then_some(&key),
                value: Some(&last),
                keeps_headers: true,
                input: 0,
                is_latest: true,
            };
            self.send_update(&plan.nodes[node].to, &key, &shown, &old, timestamp, at)?;
        }
        for place in skipped {
            self.stores[store].entries[place].row = None;
        }
        // Python reads rows from the state again after this, and no longer recognises the value that was decoded last
        let Store { dirty, entries, .. } = &mut self.stores[store];
        for place in dirty {
            if let Some((value, _)) = &mut entries[*place].entry
                && value.is_same(&self.last)
            {
                *value = value.copy();
            }
        }
        Ok(())
    }

    fn read_key(&self, store: usize, key: &[u8]) -> Sure<Val<'static>> {
        let plan = self.stores[store].plan;
        let Some(retention) = plan.retention else {
            return Ok(plan.key.decode(&key[4..], &mut Pool::default())?.keep());
        };
        let (times, inner) = key.get(4..).and_then(|rest| rest.split_at_checked(retention.size())).ok_or(Unsure)?;
        let inner = plan.key.decode(inner, &mut Pool::default())?.keep();
        let (first, second) = read_times(times)?;
        let (start, end) = match (retention.has_ends, plan.starts.is_empty()) {
            (true, _) => (second, first),
            (false, true) => (first, first + retention.length_ms),
            (false, false) => (first, plan.find_window(first)?.1),
        };
        Ok(Val::Windowed(Arc::new((inner, start, end))))
    }

    fn count(&mut self, node: usize, counter: usize) {
        self.journal.push(node * COUNTERS + counter);
    }

    /// Counts a record, and keeps the first as examples.
    fn note(&mut self, node: usize, counter: usize, at: Place, late_ms: Option<i64>) -> Sure<()> {
        let place = node * COUNTERS + counter;
        // those of the present row are not in the counters yet, and the first of them are pending
        let earlier = self.pending.iter().filter(|sample| (sample.0, sample.1) == (node, counter)).count() as u64;
        if self.counters[place] + earlier < SAMPLES {
            if at.row >= self.rows.count {
                return Err(Unsure); // only Python knows the whole row
            }
            if !at.keeps_headers && self.rows.get(at.row)?.headers.is_some() {
                return Err(Unsure); // the example would have headers
            }
            self.pending.push((node, counter, at.row, late_ms));
        }
        self.journal.push(place);
        Ok(())
    }

    /// Keeps a record for a line of the log, unless there are enough of that node.
    fn log(&mut self, node: usize, most: usize, key: &Val, value: &Val, time: i64, at: Place) -> Sure<()> {
        self.count(node, LOGGED);
        if self.lines.iter().chain(&self.new_lines).filter(|line| line.0 == node).count() < most {
            let pack = |value: &Val| {
                let mut data = Vec::new();
                if !value.is_null() {
                    json::write(value, &mut data)?;
                }
                Ok((!value.is_null()).then_some(data))
            };
            let (key, window) = match key {
                Val::Windowed(key) => (pack(&key.0)?, Some((key.1, key.2))),
                key => (pack(key)?, None),
            };
            let headers = match self.earlier_rows.get(at.row) {
                Some(row) => row.headers.as_deref(),
                None => self.rows.get(at.row)?.headers,
            };
            let headers = headers.filter(|_| at.keeps_headers).map(str::to_owned);
            self.new_lines.push((node, key, window, pack(value)?, time, headers));
        }
        Ok(())
    }

    fn send(&mut self, to: &[usize], key: &Val<'p>, value: &Val<'p>, time: i64, at: Place<'_, 'p>) -> Sure<()> {
        for node in to {
            let before = self.switch(*node);
            self.process(*node, key, value, time, at)?;
            self.switch_back(before);
        }
        Ok(())
    }

    fn send_update(
        &mut self,
        to: &[usize],
        key: &Val<'p>,
        new: &Val<'p>,
        old: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        for node in to {
            let before = self.switch(*node);
            self.update(*node, key, new, old, time, at)?;
            self.switch_back(before);
        }
        Ok(())
    }

    fn switch(&mut self, node: usize) -> usize {
        let before = self.at_work.load(Ordering::Relaxed); // only this thread stores: an exchange would cost more
        self.at_work.store(node, Ordering::Relaxed);
        self.lap(node);
        before
    }

    fn switch_back(&mut self, node: usize) {
        self.at_work.store(node, Ordering::Relaxed);
        self.lap(node);
    }

    /// Charges the time since the last switch to the node that worked.
    fn lap(&mut self, node: usize) {
        if let Some((worker, since)) = self.timing {
            let now = Instant::now();
            self.spent[worker] += now - since;
            self.timing = Some((node, now));
        }
    }

    fn process(&mut self, node: usize, key: &Val<'p>, value: &Val<'p>, time: i64, at: Place<'_, 'p>) -> Sure<()> {
        let plan = self.plan;
        let to = &plan.nodes[node].to;
        let roles = Roles { key, value, timestamp: time, other: &NOTHING, index: 0 };
        match &plan.nodes[node].op {
            Op::Enter => self.send(to, key, value, time, at),
            Op::Filter { keep, is_negated } => {
                if passes(keep, &roles)? == *is_negated {
                    self.count(node, SILENT);
                    return Ok(());
                }
                self.send(to, key, value, time, at)
            }
            Op::Shape { key: new_key, value: shape } => {
                let made_key = new_key.as_ref().map(|expr| expr.eval(&roles)).transpose()?;
                let made = make(shape, &roles, value, &mut self.pool)?;
                self.send(to, made_key.as_ref().unwrap_or(key), made.as_ref().unwrap_or(value), time, at)?;
                self.pool.give(made.unwrap_or(Val::Null));
                Ok(())
            }
            Op::FlatMap { items, key: new_key, value: shape } => {
                let Val::List(items) = items.eval(&roles)? else { return Err(Unsure) };
                let mut made = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let roles = Roles { other: item, index: index as i64, ..roles };
                    let made_key = new_key.as_ref().map(|expr| expr.eval(&roles)).transpose()?;
                    made.push((made_key, make(shape, &roles, value, &mut self.pool)?));
                }
                if self.flattened.0 != at.row {
                    self.flattened = (at.row, 0);
                }
                self.flattened.1 += made.len();
                if self.flattened.1 > MAX_RESULTS {
                    return Err(Unsure);
                }
                if made.is_empty() {
                    self.count(node, SILENT);
                }
                for (index, (made_key, made)) in made.iter().enumerate() {
                    if index > 0 {
                        self.count(node, EXTRA);
                    }
                    self.send(to, made_key.as_ref().unwrap_or(key), made.as_ref().unwrap_or(value), time, at)?;
                }
                Ok(())
            }
            Op::Split { rules, default } => {
                for (place, (when, to)) in rules.iter().enumerate() {
                    if passes(when, &roles)? {
                        self.count(node, BRANCHES + place);
                        return self.send(to, key, value, time, at);
                    }
                }
                match default {
                    None => {
                        self.count(node, SILENT);
                        Ok(())
                    }
                    Some(to) => {
                        self.count(node, BRANCHES + rules.len());
                        self.send(to, key, value, time, at)
                    }
                }
            }
            Op::Emit { .. } => self.emit(node, key, value, time, at),
            Op::Shuffle { target, key: key_codec, value: value_codec, keeps_null_keys } => {
                if key.is_null() && !keeps_null_keys {
                    self.note(node, BEFORE_SHUFFLE, at, None)?;
                    return Ok(());
                }
                let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
                self.output.keys.close(has_key)?;
                let has_value = !value.is_null() && value_codec.encode(value, &mut self.output.values.data)?;
                self.output.values.close(has_value)?;
                self.finish(*target, time, at)
            }
            Op::Source { store, sends_old } => {
                self.delete_expired(node, *store, time, at)?;
                self.take_row(node, *store, *sends_old, key, value, time, at)?;
                self.delete_expired(node, *store, time, at)
            }
            Op::Subscriptions(_) => self.take_subscription(node, key, value, time, at),
            Op::Hear { responses } => self.hear(node, *responses, key, value),
            Op::Responses(_) => self.respond(node, key, value, time, at),
            Op::Aggregate { window: None, store, .. } => {
                self.delete_expired(node, Some(*store), time, at)?;
                if key.is_null() || value.is_null() {
                    return self.note(node, if key.is_null() { NULL_KEY } else { NULL_VALUE }, at, None);
                }
                let place = self.find(*store, key, &[])?;
                self.aggregate(node, place, None, key, value, time, at)?;
                self.delete_expired(node, Some(*store), time, at)
            }
            Op::Aggregate { window: Some(_), .. } => self.aggregate_in_windows(node, key, value, time, at),
            Op::Deduplicate { .. } => {
                if self.is_repeat(node, key, &roles, at)? {
                    Ok(())
                } else {
                    self.send(to, key, value, time, at)
                }
            }
            Op::Lookup { waiting: Some(_), .. } => self.wait(node, key, value, time, at),
            Op::Lookup { .. } => self.look_up_row(node, key, value, time, at),
            Op::Cogroup { input } => self.send(to, key, value, time, Place { input: *input, ..at }),
            Op::Log { most } => {
                self.log(node, *most, key, value, time, at)?;
                self.send(to, key, value, time, at)
            }
            Op::JoinStreams { .. } => self.join_streams(node, key, value, time, at),
            Op::Guard { .. }
            | Op::Subscribe(_)
            | Op::ToStream { .. }
            | Op::Derive { .. }
            | Op::JoinTables { .. }
            | Op::Suppress { .. }
            | Op::GroupRows { .. } => Err(Unsure),
        }
    }

    fn update(
        &mut self,
        node: usize,
        key: &Val<'p>,
        new: &Val<'p>,
        old: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let to = &plan.nodes[node].to;
        match &plan.nodes[node].op {
            Op::ToStream { key: None } => self.send(to, key, new, time, at),
            Op::ToStream { key: Some(expr) } => {
                let made = expr.eval(&Roles { key, value: new, timestamp: time, other: &NOTHING, index: 0 })?;
                self.send(to, &made, new, time, at)
            }
            Op::Derive { store, sends_old, row, skips_nothing } => {
                let made = derive(row, key, new, time)?;
                let new = made.as_ref().unwrap_or(new);
                let mut before: Val<'p> = Val::Null;
                let place = store.map(|store| self.find(store, key, &[])).transpose()?;
                if *sends_old {
                    before = match (store, place) {
                        (Some(store), Some(place)) => {
                            let entry = self.stores[*store].entries[place].entry.as_ref();
                            entry.map_or(Val::Null, |entry| entry.0.clone())
                        }
                        _ => derive(row, key, old, time)?.unwrap_or_else(|| old.clone()),
                    };
                    if *skips_nothing && before.is_null() && new.is_null() {
                        self.count(node, SILENT);
                        return Ok(());
                    }
                }
                if let (Some(store), Some(place)) = (*store, place) {
                    self.stores[store].put(place, new.clone(), time, at.row);
                    if self.stores[store].plan.is_cached {
                        return Ok(());
                    }
                }
                self.send_update(to, key, new, &before, time, at)
            }
            Op::Guard { late } => match late {
                Late::Taken => self.send_update(to, key, new, old, time, Place { is_latest: true, ..at }),
                _ if at.is_latest => self.send_update(to, key, new, old, time, at),
                Late::Dropped => self.note(node, OLDER_DROPPED, at, None),
                Late::Ignored => {
                    self.count(node, OLDER);
                    Ok(())
                }
            },
            Op::GroupRows { .. } => self.group_rows(node, key, new, old, time, at),
            Op::Subscribe(_) => self.subscribe(node, key, new, old, time, at),
            Op::Subscriptions(_) => self.answer_subscribers(node, key, new, time, at),
            Op::Aggregate { window: None, .. } => self.aggregate_rows(node, key, new, old, time, at),
            Op::Shuffle { target, key: key_codec, value: value_codec, .. } => {
                let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
                self.output.keys.close(has_key)?;
                write_change(&mut self.output.values.data, new, old, |value, out| value_codec.encode(value, out))?;
                self.output.values.close(true)?;
                self.finish(*target, time, at)
            }
            Op::Suppress { .. } => self.suppress(node, key, new, old, time, at),
            Op::JoinTables { store, sends_old, other, is_left, keeps_left, keeps_right, .. } => {
                let row = self.look_up(other, key, None)?;
                let keeps_own = if *is_left { *keeps_left } else { *keeps_right };
                if row.is_none() && (!keeps_own || (new.is_null() && old.is_null())) {
                    self.count(node, SILENT);
                    return Ok(());
                }
                if row.is_some() && self.is_cached && !self.is_flushing {
                    self.found.push((node, key.clone().keep()));
                }
                let time = row.as_ref().map_or(time, |(_, its_time)| time.max(*its_time));
                let row = row.map_or(Val::Null, |(row, _)| row);
                let value = self.join(node, key, new, &row, time)?;
                let before = if *sends_old { self.join(node, key, old, &row, time)? } else { Val::Null };
                if let Some(store) = *store {
                    let place = self.find(store, key, &[])?;
                    self.stores[store].put(place, value.clone(), time, at.row);
                    if self.stores[store].plan.is_cached {
                        return Ok(());
                    }
                }
                self.send_update(to, key, &value, &before, time, at)
            }
            _ => Err(Unsure),
        }
    }

    /// Leaves the batch to the Python engine if a row that an update of the other side has found is gone: it takes back
    /// what was made of it.
    fn check_found_rows(&mut self) -> Sure<()> {
        let plan = self.plan;
        for (node, key) in std::mem::take(&mut self.found) {
            let Op::JoinTables { other, .. } = &plan.nodes[node].op else { return Err(Unsure) };
            if self.look_up(other, &key, None)?.is_none() {
                return Err(Unsure);
            }
        }
        Ok(())
    }

    /// The row of a join of tables from that of one side and that of the other, or null if a required one is missing.
    fn join(&mut self, node: usize, key: &Val<'p>, own: &Val<'p>, other: &Val<'p>, time: i64) -> Sure<Val<'p>> {
        let plan = self.plan;
        let Op::JoinTables { shape, is_left, keeps_left, keeps_right, .. } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let (left, right) = if *is_left { (own, other) } else { (other, own) };
        if (left.is_null() && (right.is_null() || !keeps_right)) || (right.is_null() && !keeps_left) {
            return Ok(Val::Null);
        }
        let roles = Roles { key, value: left, timestamp: time, other: right, index: 0 };
        Ok(make(shape, &roles, left, &mut self.pool)?.unwrap_or_else(|| left.clone()))
    }

    /// True if a record goes no further: it has no key, or a record of the same identity is remembered.
    fn is_repeat(&mut self, node: usize, key: &Val<'p>, roles: &Roles<'_, 'p>, at: Place<'_, 'p>) -> Sure<bool> {
        let plan = self.plan;
        let Op::Deduplicate { store, key: codec, by, within_ms, time } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let mut identity = [self.number.to_be_bytes(), store.to_be_bytes()].concat();
        identity.push(b'i');
        let start = identity.len();
        let has_identity = match (codec, by) {
            (Some(_), _) if key.is_null() => {
                self.note(node, NULL_KEY, at, None)?;
                return Ok(true);
            }
            (Some(codec), _) => codec.encode(key, &mut identity)?,
            (None, Some(by)) => {
                let value = by.eval(roles)?;
                if !value.is_null() {
                    json::write(&value, &mut identity)?;
                }
                !value.is_null()
            }
            (None, None) => return Err(Unsure),
        };
        observe(&mut self.times[*time], roles.timestamp);
        let horizon = self.times[*time].value - within_ms;
        self.seen.entry(node).or_default(); // the flush forgets, even if this batch sees nothing new
        if !has_identity || roles.timestamp <= horizon {
            return Ok(false);
        }
        let seen = self.seen.entry(node).or_default();
        let first = match seen.get(&identity[start..]) {
            Some((first, _)) => *first,
            None => match self.fetch.get(&identity)? {
                None => NEVER,
                Some(data) => i64::from_be_bytes(data.as_slice().try_into().map_err(|_| Unsure)?),
            },
        };
        if first > horizon {
            seen.entry(identity[start..].to_vec()).or_insert((first, false));
            self.count(node, SILENT);
            return Ok(true);
        }
        seen.insert(identity[start..].to_vec(), (roles.timestamp, true));
        Ok(false)
    }

    /// Finishes a result, whose key and value are there, with what it has of the row of which it is a consequence.
    fn finish(&mut self, target: i32, time: i64, at: Place) -> Sure<()> {
        self.finish_stamped(target, time, at, |_| Ok(None))
    }

    /// The same, but `stamp` may give the result other headers.
    fn finish_stamped(
        &mut self,
        target: i32,
        time: i64,
        at: Place,
        stamp: impl FnOnce(Option<&str>) -> Sure<Option<String>>,
    ) -> Sure<()> {
        let (headers, number, offset) = match self.earlier_rows.get(at.row) {
            Some(row) => (row.headers.as_deref(), row.number, row.offset),
            None => {
                let row = self.rows.get(at.row)?;
                (row.headers, row.number, row.offset)
            }
        };
        let headers = headers.filter(|_| at.keeps_headers);
        let stamped = stamp(headers)?;
        let headers = stamped.as_deref().or(headers).filter(|text| stamped.is_none() || !text.is_empty());
        self.output.finish(target, time, headers, number, offset)
    }

    fn emit(&mut self, node: usize, key: &Val, value: &Val, time: i64, at: Place) -> Sure<()> {
        let plan = self.plan;
        let Op::Emit { target, key: key_codec, value: value_codec, same_keys, same_values, stamp } =
            &plan.nodes[node].op
        else {
            return Err(Unsure);
        };
        let read = self.rows.get(self.read)?;
        if at.key.is_some_and(|read_key| read_key.is_same(key)) && same_keys.contains(&read.target) {
            self.output.keys.push(if key.is_null() { None } else { read.key })?;
        } else {
            let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
            self.output.keys.close(has_key)?;
        }
        if at.value.is_some_and(|read_value| read_value.is_same(value)) && same_values.contains(&read.target) {
            self.output.values.push(if value.is_null() { None } else { read.value })?;
        } else {
            let has_value = !value.is_null() && value_codec.encode(value, &mut self.output.values.data)?;
            self.output.values.close(has_value)?;
        }
        self.finish_stamped(*target, time, at, |headers| match stamp {
            None => Ok(None),
            Some(stamp) => stamp.write(headers, !key.is_null(), !value.is_null()),
        })
    }

    /// The place of a key in a store, or of a key and the times of its window.
    fn find(&mut self, store: usize, key: &Val, times: &[i64]) -> Sure<usize> {
        let mut bytes = std::mem::take(&mut self.key_bytes);
        bytes.clear();
        bytes.extend(self.stores[store].prefix());
        bytes.extend(times.iter().flat_map(|time| time.to_be_bytes()));
        let has_key = self.stores[store].plan.key.encode(key, &mut bytes);
        let place = match has_key {
            Ok(true) => self.stores[store].place(&bytes, self.fetch),
            _ => Err(Unsure),
        };
        self.key_bytes = bytes;
        place
    }

    /// Joins a record with the row of its key.
    fn look_up_row(&mut self, node: usize, key: &Val<'p>, value: &Val<'p>, time: i64, at: Place<'_, 'p>) -> Sure<()> {
        let plan = self.plan;
        let to = &plan.nodes[node].to;
        let roles = Roles { key, value, timestamp: time, other: &NOTHING, index: 0 };
        let Op::Lookup { view, as_of, key: row_key, shape, is_left, .. } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let mut looked_up = key.clone();
        if let Some(expr) = row_key {
            looked_up = if value.is_null() { Val::Null } else { expr.eval(&roles)? };
        }
        if value.is_null() || (looked_up.is_null() && !is_left) {
            self.note(node, if value.is_null() { NULL_VALUE } else { NULL_KEY }, at, None)?;
            return Ok(());
        }
        let row = if looked_up.is_null() { None } else { self.look_up(view, &looked_up, as_of.then_some(time))? };
        if row.is_none() {
            self.note(node, NO_MATCH, at, None)?;
            if !is_left {
                self.count(node, SILENT);
                return Ok(());
            }
        }
        let right: Val<'p> = row.map_or(Val::Null, |(row, _)| row);
        let made = make(shape, &Roles { other: &right, ..roles }, value, &mut self.pool)?;
        self.send(to, key, made.as_ref().unwrap_or(value), time, at)?;
        self.pool.give(made.unwrap_or(Val::Null));
        Ok(())
    }

    /// Takes a record as a row of a table.
    #[allow(clippy::too_many_arguments)]
    fn take_row(
        &mut self,
        node: usize,
        store: Option<usize>,
        sends_old: bool,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let to = &plan.nodes[node].to;
        if key.is_null() {
            return self.note(node, NULL_KEY, at, None);
        }
        let Some(store) = store else { return self.send_update(to, key, value, &NOTHING, time, at) };
        if let Some(history) = plan.stores[store].history {
            return self.take_version(node, store, history, key, value, time, at);
        }
        let place = self.find(store, key, &[])?;
        let is_cached = self.stores[store].plan.is_cached;
        let old = self.stores[store].entries[place].entry.as_ref().filter(|_| sends_old && !is_cached);
        let old: Val<'p> = old.map_or(Val::Null, |entry| entry.0.clone());
        self.stores[store].put(place, value.clone(), time, at.row);
        if is_cached {
            return Ok(());
        }
        self.send_update(to, key, value, &old, time, at)
    }

    /// Deletes the rows of a table whose time to live is over when a record comes, or came too late itself
    /// (`Expiring` in `operators/shared/expiring.py`). Each deletion has the time at which its row ended.
    fn delete_expired(&mut self, node: usize, store: Option<usize>, time: i64, at: Place<'_, 'p>) -> Sure<()> {
        let plan = self.plan;
        let Some(store) = store else { return Ok(()) };
        let Some(expiry) = plan.stores[store].expiry else { return Ok(()) };
        let (Op::Source { sends_old, .. } | Op::Aggregate { sends_old, .. }) = plan.nodes[node].op else {
            return Err(Unsure);
        };
        observe(&mut self.times[expiry.time], time);
        let until = self.times[expiry.time].value - expiry.ttl_ms;
        for place in self.stores[store].find_expired(until, self.fetch)? {
            let Some((value, timestamp)) = self.stores[store].entries[place].entry.clone() else { continue };
            let end = timestamp.checked_add(expiry.ttl_ms).ok_or(Unsure)?;
            self.count(node, EXTRA);
            self.stores[store].put(place, Val::Null, end, at.row);
            if !self.stores[store].plan.is_cached {
                let key = self.read_key(store, &self.stores[store].entries[place].key)?;
                let old = if sends_old { self.present(node, value)? } else { Val::Null };
                self.send_update(&plan.nodes[node].to, &key, &NOTHING, &old, end, at)?;
            }
        }
        Ok(())
    }

    /// Takes a record of a versioned table, unless it is too old for the history.
    #[allow(clippy::too_many_arguments)]
    fn take_version(
        &mut self,
        node: usize,
        store: usize,
        history: History,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Source { sends_old, .. } = plan.nodes[node].op else { return Err(Unsure) };
        if time < self.times[history.time].value - history.kept_ms {
            return self.note(node, LATE, at, None);
        }
        let place = self.find(store, key, &[])?;
        let before = self.stores[store].entries[place].entry.as_ref().filter(|_| sends_old);
        let old = before.map_or(Val::Null, |entry| entry.0.clone());
        observe(&mut self.times[history.time], time);
        let newest_time = self.times[history.time].value;
        let is_latest = self.stores[store].put_version(place, value, time, at.row, newest_time, self.fetch)?;
        self.send_update(&plan.nodes[node].to, key, value, &old, time, Place { is_latest, ..at })
    }

    /// The row of a key and its time, now or as of a time.
    fn look_up(&mut self, view: &View, key: &Val<'p>, as_of: Option<i64>) -> Sure<Option<(Val<'p>, i64)>> {
        let plan = self.plan;
        match view {
            View::Stored { store, presented_by } => {
                let place = match (self.stores[*store].plan.retention, key) {
                    (None, key) => self.find(*store, key, &[])?,
                    (Some(retention), Val::Windowed(window)) => {
                        let (first, second) =
                            if retention.has_ends { (window.2, Some(window.1)) } else { (window.1, None) };
                        if first < self.times[retention.time].value - retention.kept_ms {
                            return Ok(None);
                        }
                        let times: Vec<i64> = [Some(first), second].into_iter().flatten().collect();
                        self.find(*store, &window.0, &times)?
                    }
                    _ => return Err(Unsure),
                };
                if let Some(time) = as_of {
                    let history = self.stores[*store].plan.history.ok_or(Unsure)?;
                    let newest_time = self.times[history.time].value;
                    let version = self.stores[*store].as_of(place, time, newest_time, self.fetch)?;
                    return Ok(version.map(|(since, value)| (value, since)));
                }
                let Some((value, time)) = self.stores[*store].entries[place].entry.clone() else { return Ok(None) };
                let value = match presented_by {
                    None => value,
                    Some(node) => self.present(*node, value)?,
                };
                Ok(Some((value, time)))
            }
            View::Held { buffer, of } => match self.find_held(*buffer, key)? {
                None => self.look_up(of, key, as_of),
                Some(prior) => Ok((!prior.is_null()).then_some((prior, suppress::UNKNOWN))),
            },
            View::Derived { node, of } => {
                let Op::Derive { row, .. } = &plan.nodes[*node].op else { return Err(Unsure) };
                let Some((value, time)) = self.look_up(of, key, as_of)? else { return Ok(None) };
                let value = derive(row, key, &value, time)?.unwrap_or(value);
                Ok((!value.is_null()).then_some((value, time)))
            }
            View::Joined { node, left, right } => {
                let (left, right) = (self.look_up(left, key, as_of)?, self.look_up(right, key, as_of)?);
                let time = [&left, &right].into_iter().flatten().map(|row| row.1).max().unwrap_or(-1);
                let value_of = |row: Option<(Val<'p>, i64)>| row.map_or(Val::Null, |row| row.0);
                let value = self.join(*node, key, &value_of(left), &value_of(right), time)?;
                Ok((!value.is_null()).then_some((value, time)))
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn aggregate(
        &mut self,
        node: usize,
        place: usize,
        window: Option<(i64, i64)>,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Aggregate { store, sends_old, by, window: windows } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let waits = windows.as_ref().is_some_and(|windows| windows.closed.is_some());
        let is_cached = waits || self.stores[*store].plan.is_cached;
        // a failure discards the batch, so the old value may be taken out and changed in place
        let present = self.stores[*store].take(place);
        let (old, latest) = match present {
            Some((value, timestamp)) => (value, timestamp.max(time)),
            None => (start(by)?, time),
        };
        let shown_old = if *sends_old && !is_cached { self.present(node, old.clone())? } else { Val::Null };
        let roles = Roles { key, value, timestamp: time, other: &NOTHING, index: 0 };
        let new: Val<'p> = match (by, old) {
            (Aggregator::Functions(folds), Val::List(mut parts)) => {
                fold(folds, Arc::make_mut(&mut parts).as_mut_slice(), &roles)?;
                let new = Val::List(parts);
                let shown = if is_cached { Val::Null } else { self.present(node, new.clone())? };
                self.stores[*store].put(place, new, latest, at.row);
                shown
            }
            (_, old) => {
                let new = add(by, key, value, time, old, at.input)?;
                self.stores[*store].check_depth(&new)?;
                self.stores[*store].put(place, new.clone(), latest, at.row);
                new
            }
        };
        if is_cached {
            return Ok(());
        }
        let windowed;
        let result_key = match window {
            None => key,
            Some((start, end)) => {
                windowed = Val::Windowed(Arc::new((key.clone(), start, end)));
                &windowed
            }
        };
        self.send_update(&plan.nodes[node].to, result_key, &new, &shown_old, latest, at)
    }

    /// The value of a table for a stored one.
    fn present(&self, node: usize, value: Val<'p>) -> Sure<Val<'p>> {
        let Op::Aggregate { by: Aggregator::Functions(folds), .. } = &self.plan.nodes[node].op else {
            return Ok(value);
        };
        let parts = match &value {
            Val::Null => return Ok(Val::Null),
            Val::List(parts) if parts.len() == folds.len() => parts,
            _ => return Err(Unsure),
        };
        let show = |(fold, part): (&'p Fold, &Val<'p>)| {
            let value = match (fold.function, part) {
                (FoldFunction::Average, part) => average(fold, part)?,
                (FoldFunction::SumOfRows, Val::List(pair)) => pair.first().cloned().ok_or(Unsure)?,
                (FoldFunction::GreatestOfRows | FoldFunction::FirstOfRows, Val::List(values)) => {
                    values.first().cloned().unwrap_or(Val::Null)
                }
                (FoldFunction::LeastOfRows | FoldFunction::LastOfRows, Val::List(values)) => {
                    values.last().cloned().unwrap_or(Val::Null)
                }
                (_, part) => part.clone(),
            };
            Ok(Member { id: fold.id, name: Text::Lent(&fold.name), value })
        };
        let members = folds.iter().zip(parts.iter()).map(show).collect::<Sure<Vec<_>>>()?;
        Ok(Val::Struct(Arc::new(members)))
    }

    /// Reads the stream times of the task, whose names in the state are given, and where its joins have arrived.
    pub fn read_state(&mut self, names: &[Vec<u8>]) -> Sure<()> {
        for join in &self.plan.joins {
            self.joins.push(Join::new(join, self.number, self.fetch)?);
        }
        for buffer in &self.plan.buffers {
            self.buffers.push(Buffer::new(buffer, self.number, self.fetch)?);
        }
        for waiting in &self.plan.waiting {
            self.waiting.push(WaitingRecords::new(waiting, self.number, self.fetch)?);
        }
        for name in names {
            let value = match self.fetch.get(name)? {
                None => -1,
                Some(data) => i64::from_be_bytes(data.as_slice().try_into().map_err(|_| Unsure)?),
            };
            self.times.push(StreamTime { value, has_advanced: false });
        }
        Ok(())
    }
}

enum Refused {
    Row,
    Batch,
}

fn decode<'a>(
    codec: &'a Codec,
    data: Option<&'a [u8]>,
    headers: Option<&str>,
    pool: &mut Pool<'a>,
) -> Result<Val<'a>, Refused> {
    data.map_or(Ok(Val::Null), |data| codec.decode_record(data, headers, pool).map_err(|_| Refused::Row))
}

fn observe(time: &mut StreamTime, timestamp: i64) {
    if timestamp > time.value {
        *time = StreamTime { value: timestamp, has_advanced: true };
    }
}

fn passes<'v>(expr: &'v Expr, roles: &Roles<'_, 'v>) -> Sure<bool> {
    Ok(is_true(&expr.eval(roles)?)? == Some(true))
}

/// The new value, or None if it is the old one.
fn make<'v>(shape: &'v Shape, roles: &Roles<'_, 'v>, value: &Val<'v>, pool: &mut Pool<'v>) -> Sure<Option<Val<'v>>> {
    match shape {
        Shape::Same => Ok(None),
        Shape::Whole(Expr::Role(crate::expr::Role::Value)) => Ok(None),
        Shape::Whole(expr) => expr.eval(roles).map(Some),
        Shape::Fields { keeps, fields } => {
            let mut object = pool.take(fields.len());
            let members = Arc::get_mut(&mut object).ok_or(Unsure)?;
            if *keeps {
                match value {
                    Val::Null => {}
                    Val::Struct(kept) => members.extend(kept.iter().cloned()),
                    _ => return Err(Unsure),
                }
            }
            members.reserve(fields.len());
            let kept = members.len();
            for (id, name, expr) in fields {
                let made = Member { id: *id, name: Text::Lent(name), value: expr.eval(roles)? };
                match members[..kept].iter_mut().find(|member| *member.name == **name) {
                    Some(member) => *member = made,
                    None => members.push(made),
                }
            }
            Ok(Some(Val::Struct(object)))
        }
    }
}

/// The row of a derived table, or None if it is the parent's.
fn derive<'v>(row: &'v DerivedRow, key: &Val<'v>, value: &Val<'v>, timestamp: i64) -> Sure<Option<Val<'v>>> {
    if value.is_null() {
        return Ok(None);
    }
    let roles = Roles { key, value, timestamp, other: &NOTHING, index: 0 };
    match row {
        DerivedRow::Filter { keep, is_negated } => {
            Ok(if passes(keep, &roles)? == *is_negated { Some(Val::Null) } else { None })
        }
        DerivedRow::Shape(shape) => make(shape, &roles, value, &mut Pool::default()),
    }
}

/// What belongs to an input of a cogroup. An aggregation behind no cogroup has one for all.
fn of_input<T>(all: &[T], input: usize) -> Sure<&T> {
    if let [one] = all { Ok(one) } else { all.get(input).ok_or(Unsure) }
}

/// The first aggregate of a key.
fn start<'v>(by: &'v Aggregator) -> Sure<Val<'v>> {
    let roles = Roles { key: &NOTHING, value: &NOTHING, timestamp: 0, other: &NOTHING, index: 0 };
    Ok(match by {
        Aggregator::Count => Val::Int(0),
        Aggregator::Reduce { .. } => Val::Null,
        Aggregator::Expressions { init, .. } => init.eval(&roles)?,
        Aggregator::Functions(folds) => Val::List(Arc::new(
            folds
                .iter()
                .map(|fold| match fold.function {
                    FoldFunction::Count => Val::Int(0),
                    FoldFunction::LeastOfRows
                    | FoldFunction::GreatestOfRows
                    | FoldFunction::FirstOfRows
                    | FoldFunction::LastOfRows => Val::List(Arc::default()),
                    _ => Val::Null,
                })
                .collect(),
        )),
    })
}

/// The next aggregate. `input` is the input of a cogroup, which may have its own expression.
fn add<'v>(
    by: &'v Aggregator,
    key: &Val<'v>,
    value: &Val<'v>,
    timestamp: i64,
    old: Val<'v>,
    input: usize,
) -> Sure<Val<'v>> {
    let roles = Roles { key, value, timestamp, other: &old, index: 0 };
    match (by, &old) {
        (Aggregator::Count, Val::Int(count)) => Ok(Val::Int(count.checked_add(1).ok_or(Unsure)?)),
        (Aggregator::Reduce { .. }, Val::Null) => Ok(value.clone()),
        (Aggregator::Reduce { add: Expr::Role(crate::expr::Role::Value), .. }, _) => Ok(value.clone()),
        (Aggregator::Reduce { add: expr, .. }, _) => expr.eval(&roles),
        (Aggregator::Expressions { adds, .. }, _) => of_input(adds, input)?.eval(&roles),
        (Aggregator::Functions(folds), Val::List(parts)) => {
            let mut parts = parts.clone();
            fold(folds, Arc::make_mut(&mut parts).as_mut_slice(), &roles)?;
            Ok(Val::List(parts))
        }
        _ => Err(Unsure),
    }
}

/// Adds a record to the parts of an aggregate.
fn fold<'v>(folds: &'v [Fold], parts: &mut [Val<'v>], roles: &Roles<'_, 'v>) -> Sure<()> {
    if parts.len() != folds.len() {
        return Err(Unsure);
    }
    for (fold, part) in folds.iter().zip(parts) {
        match fold.of.as_ref().map(|expr| expr.eval(roles)).transpose()? {
            Some(Val::Null) => {}
            operand => step(fold, part, operand.as_ref())?,
        }
    }
    Ok(())
}

fn step<'v>(fold: &Fold, part: &mut Val<'v>, operand: Option<&Val<'v>>) -> Sure<()> {
    let function = fold.function;
    if function == FoldFunction::Count {
        let Val::Int(count) = part else { return Err(Unsure) };
        *count = count.checked_add(1).ok_or(Unsure)?;
        return Ok(());
    }
    let value = operand.ok_or(Unsure)?;
    let is_number = matches!(value, Val::Int(_) | Val::Double(_) | Val::Decimal(_));
    let has_order = is_number || matches!(value, Val::Bool(_) | Val::Str(_));
    match function {
        FoldFunction::First if !part.is_null() => {}
        FoldFunction::First | FoldFunction::Last => *part = value.clone(),
        FoldFunction::Sum if is_number => {
            *part = if part.is_null() { value.clone() } else { plus(part, value, fold.sums)? };
        }
        FoldFunction::Average | FoldFunction::SumOfRows if is_number => {
            match part {
                Val::Null => *part = Val::List(Arc::new(vec![value.clone(), Val::Int(1)])),
                Val::List(pair) => match Arc::make_mut(pair).as_mut_slice() {
                    [total, Val::Int(count)] => {
                        *total = plus(total, value, fold.sums)?;
                        *count = count.checked_add(1).ok_or(Unsure)?;
                    }
                    _ => return Err(Unsure),
                },
                _ => return Err(Unsure),
            }
            if function == FoldFunction::Average && fold.averages.is_some_and(Digits::is_widest) {
                average(fold, part)?; // Python refuses a record that makes the average too wide for its type
            }
        }
        FoldFunction::Least | FoldFunction::Greatest if has_order => {
            let wins = if function == FoldFunction::Least { Compare::Less } else { Compare::Greater };
            if part.is_null() || compare(wins, value, part)? {
                *part = value.clone();
            }
        }
        FoldFunction::FirstOfRows
        | FoldFunction::LastOfRows
        | FoldFunction::LeastOfRows
        | FoldFunction::GreatestOfRows => grouped_table::keep(function, part, value)?,
        _ => return Err(Unsure),
    }
    Ok(())
}

fn plus<'v>(total: &Val, value: &Val, sums: Option<Digits>) -> Sure<Val<'v>> {
    match (total, value) {
        (Val::Decimal(total), Val::Decimal(value)) => total.add(*value)?.fit(sums.ok_or(Unsure)?).map(Val::Decimal),
        (Val::Int(total), Val::Int(value)) => total.checked_add(*value).map(Val::Int).ok_or(Unsure),
        _ => Ok(Val::Double(to_double(total)? + to_double(value)?)),
    }
}

fn average<'v>(fold: &Fold, part: &Val<'v>) -> Sure<Val<'v>> {
    let Val::List(pair) = part else { return if part.is_null() { Ok(Val::Null) } else { Err(Unsure) } };
    match pair.as_slice() {
        [Val::Decimal(total), count @ Val::Int(_)] => {
            total.divide(to_decimal(count)?, fold.averages.ok_or(Unsure)?).map(Val::Decimal)
        }
        [total, Val::Int(count)] if *count > 0 => {
            if matches!(total, Val::Int(total) if total.abs_diff(0) > 1 << 53) {
                return Err(Unsure); // Python divides integers exactly and rounds once
            }
            Ok(Val::Double(to_double(total)? / to_double(&Val::Int(*count))?))
        }
        _ => Err(Unsure),
    }
}
