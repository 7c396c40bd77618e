//! One batch of one task: rows go depth first through the nodes, as `runner/engine/tasks/task.py` takes them.

mod aggregates;
mod deduplicate;
mod flat_map;
mod foreign_key;
mod grouped_table;
mod results;
pub mod stream_join;
pub mod suppress;
mod tables;
pub mod waiting;
mod windows;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bumpalo::Bump;

use crate::codec::Codec;
use crate::expr::{Expr, Role, Roles, is_true};
use crate::json::{self, Pool};
use crate::plan::{Late, Op, Plan, Shape, Window};
use crate::rows::{Output, Row, Rows};
use crate::state::Fetch;
use crate::store::{Store, read_times};
use crate::task::foreign_key::ForeignKeys;
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
            Op::FlatMap { .. } => self.flat_map(node, &roles, at),
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
            Op::Shuffle { .. } => self.shuffle(node, key, value, time, at),
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
            Op::Derive { .. } => self.update_derived(node, key, new, old, time, at),
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
            Op::Shuffle { .. } => self.shuffle_update(node, key, new, old, time, at),
            Op::Suppress { .. } => self.suppress(node, key, new, old, time, at),
            Op::JoinTables { .. } => self.update_joined(node, key, new, old, time, at),
            _ => Err(Unsure),
        }
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
        Shape::Whole(Expr::Role(Role::Value)) => Ok(None),
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
