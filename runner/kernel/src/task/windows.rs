//! Aggregation in windows (`runner/engine/operators/aggregations/`): of time, sliding, and sessions.

use std::sync::Arc;

use crate::plan::{Aggregator, Fold, FoldFunction, Op, Window, WindowKind};
use crate::store::{Retention, Times};
use crate::task::aggregates::{add, of_input, plus, start, step};
use crate::task::{EMITTED, EXPIRED, EXTRA, LATE, MERGED, NULL_KEY, NULL_VALUE, OPENED, Place, Task, observe};
use crate::value::{Sure, Unsure, Val};

/// The last time at which a window may start or end.
const LAST: i64 = i64::MAX - 1;

/// An aggregate, and the time of its newest record.
type Aggregate<'p> = (Val<'p>, i64);

/// A record on its way into windows of a node.
#[derive(Clone, Copy)]
struct Arrival<'r, 'p> {
    node: usize,
    store: usize,
    by: &'p Aggregator,
    window: &'p Window,
    sends_old: bool,
    /// The bytes of its key.
    key_bytes: &'r [u8],
    key: &'r Val<'p>,
    value: &'r Val<'p>,
    time: i64,
    at: Place<'r, 'p>,
}

impl<'p> Task<'p, '_> {
    pub(super) fn aggregate_in_windows(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Aggregate { store, sends_old, by, window: Some(window) } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let needs_value = window.kind == WindowKind::Sliding;
        if key.is_null() || (needs_value && value.is_null()) {
            self.note(node, if key.is_null() { NULL_KEY } else { NULL_VALUE }, at, None)?;
        } else {
            observe(&mut self.times[window.time(at)?], time);
            if window.kind == WindowKind::Time {
                self.aggregate_times(node, *store, window, key, value, time, at)?;
            } else if window.kind == WindowKind::Calendar {
                let bounds = plan.stores[*store].find_window(time)?;
                let late_by = self.times[window.time(at)?].value - window.grace_ms - bounds.1;
                self.aggregate_time(node, *store, window, bounds, late_by, key, value, time, at)?;
            } else {
                let mut key_bytes = Vec::new();
                if !self.stores[*store].plan.key.encode(key, &mut key_bytes)? {
                    return Err(Unsure);
                }
                let key_bytes = key_bytes.as_slice();
                let arrival =
                    Arrival { node, store: *store, by, window, sends_old: *sends_old, key_bytes, key, value, time, at };
                match window.kind {
                    WindowKind::Session => self.aggregate_sessions(arrival)?,
                    _ => self.aggregate_sliding(arrival)?,
                }
            }
        }
        match window.closed {
            None => Ok(()),
            Some(closed) => self.close(node, *store, window, closed, at),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn aggregate_times(
        &mut self,
        node: usize,
        store: usize,
        window: &Window,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let Window { size_ms, advance_ms, grace_ms, .. } = *window;
        let clock = window.time(at)?;
        let closed = self.times[clock].value - size_ms - grace_ms;
        let last = time - time % advance_ms;
        let first = if advance_ms == size_ms { last } else { (time - size_ms + advance_ms).max(0) };
        let mut start = first - first % advance_ms;
        let mut is_first = true;
        while start <= last {
            if !is_first {
                self.count(node, EXTRA);
            }
            is_first = false;
            self.aggregate_time(node, store, window, (start, start + size_ms), closed - start, key, value, time, at)?;
            start += advance_ms;
        }
        Ok(())
    }

    /// Brings a record into a window, unless it closed `late_by` ago, or just now at 0.
    #[allow(clippy::too_many_arguments)]
    fn aggregate_time(
        &mut self,
        node: usize,
        store: usize,
        window: &Window,
        (start, end): (i64, i64),
        late_by: i64,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        if late_by >= 0 {
            return self.note(node, LATE, at, Some(late_by + 1));
        }
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        self.keep_window(&retention, start)?;
        let place = self.find(store, key, &[start])?;
        let was_there = self.stores[store].entries[place].entry.is_some();
        self.aggregate(node, place, Some((start, end)), key, value, time, at)?;
        if window.closed.is_some() {
            let is_there = self.stores[store].entries[place].entry.is_some();
            self.count_open(node, was_there, is_there);
        }
        Ok(())
    }

    fn count_open(&mut self, node: usize, was_there: bool, is_there: bool) {
        if was_there != is_there {
            self.count(node, if is_there { OPENED } else { MERGED });
        }
    }

    /// Moves a window store on to a start (sessions: end). One past retention is for the Python engine.
    fn keep_window(&mut self, retention: &Retention, start: i64) -> Sure<()> {
        let newest = &mut self.times[retention.time];
        if start > newest.value {
            observe(newest, start);
        } else if start < newest.value - retention.kept_ms {
            return Err(Unsure);
        }
        Ok(())
    }

    /// Merges the sessions that a record touches.
    fn aggregate_sessions(&mut self, arrival: Arrival<'_, 'p>) -> Sure<()> {
        let Arrival { node, store, by, window, key, value, time, at, .. } = arrival;
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        let newest = self.times[retention.time].value;
        let earliest = (time - window.size_ms).max(newest - retention.kept_ms);
        let times = self.stores[store].read_times(arrival.key_bytes, newest, self.fetch)?;
        let times = &times[times.partition_point(|(end, _)| *end < earliest)..];
        let touched: Vec<Times> = times.iter().filter(|(_, start)| *start <= time + window.size_ms).copied().collect();
        let mut aggregate = start(by)?;
        let mut bounds = (time, time);
        for session in &touched {
            let (other, _) = self.read_window(arrival, *session)?;
            aggregate = merge(by, key, aggregate, &other)?;
            bounds = (bounds.0.max(session.0), bounds.1.min(session.1));
        }
        let closes = self.times[window.time(at)?].value - window.size_ms - window.grace_ms - 1;
        if bounds.0 <= closes {
            self.note(node, LATE, at, Some(closes - bounds.0 + 1))?;
            return Ok(());
        }
        let mut is_new = touched.is_empty();
        if bounds != (time, time) {
            for session in touched {
                let (old, _) = self.read_window(arrival, session)?;
                if window.closed.is_none() || self.stores[store].plan.is_cached {
                    self.count(node, EXTRA);
                }
                self.put_window(arrival, session, Val::Null, session.0)?;
                self.count(node, MERGED);
                self.send_session(arrival, session, &Val::Null, &old)?;
            }
            is_new = true;
        }
        let aggregate = add(by, key, value, time, aggregate, at.input)?;
        self.put_window(arrival, bounds, aggregate.clone(), bounds.0)?;
        let is_kept = bounds.0 >= retention.find_first(self.times[retention.time].value);
        if is_new && !aggregate.is_null() && is_kept {
            self.count(node, OPENED);
        } else if !is_new && aggregate.is_null() {
            self.count(node, MERGED);
        }
        self.send_session(arrival, bounds, &aggregate, &Val::Null)
    }

    /// Sends a session without the headers of the record that arrived.
    fn send_session(
        &mut self,
        arrival: Arrival<'_, 'p>,
        (end, start): Times,
        new: &Val<'p>,
        old: &Val<'p>,
    ) -> Sure<()> {
        let at = Place { keeps_headers: false, ..arrival.at };
        self.send_window(Arrival { at, ..arrival }, (start, end), new, old, end)
    }

    fn send_window(
        &mut self,
        arrival: Arrival<'_, 'p>,
        (start, end): Times,
        new: &Val<'p>,
        old: &Val<'p>,
        time: i64,
    ) -> Sure<()> {
        let Arrival { node, store, window, sends_old, .. } = arrival;
        if window.closed.is_some() || self.stores[store].plan.is_cached {
            return Ok(());
        }
        let plan = self.plan;
        let key = Val::Windowed(Arc::new((arrival.key.clone(), start, end)));
        let new = self.present(node, new.clone())?;
        let old = if sends_old { self.present(node, old.clone())? } else { Val::Null };
        self.send_update(&plan.nodes[node].to, &key, &new, &old, time, arrival.at)
    }

    /// An aggregate that is there.
    fn read_window(&mut self, arrival: Arrival<'_, 'p>, times: Times) -> Sure<Aggregate<'p>> {
        let place = self.find_window(arrival, times)?;
        self.stores[arrival.store].entries[place].entry.clone().ok_or(Unsure)
    }

    fn find_window(&mut self, arrival: Arrival<'_, 'p>, (first, second): Times) -> Sure<usize> {
        let has_ends = self.stores[arrival.store].plan.retention.is_some_and(|retention| retention.has_ends);
        let times = [first, second];
        self.find(arrival.store, arrival.key, if has_ends { &times } else { &times[..1] })
    }

    fn put_window(&mut self, arrival: Arrival<'_, 'p>, times: Times, value: Val<'p>, timestamp: i64) -> Sure<()> {
        let store = arrival.store;
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        self.stores[store].read_times(arrival.key_bytes, self.times[retention.time].value, self.fetch)?;
        self.keep_window(&retention, times.0)?;
        let place = self.find_window(arrival, times)?;
        let is_there = !value.is_null();
        self.stores[store].check_depth(&value)?;
        self.stores[store].put(place, value, timestamp, arrival.at.row);
        self.stores[store].set_times(arrival.key_bytes, times, is_there)
    }

    fn aggregate_sliding(&mut self, arrival: Arrival<'_, 'p>) -> Sure<()> {
        let Arrival { node, window, time, at, .. } = arrival;
        let open = self.times[window.time(at)?].value - window.grace_ms;
        if time + window.size_ms < open {
            self.note(node, LATE, at, Some(open - window.size_ms - time))?;
            return Ok(());
        }
        let mut results = 0;
        if time < window.size_ms { self.slide_early(arrival, &mut results) } else { self.slide(arrival, &mut results) }
    }

    /// The starts of the windows of the record's key from `first` to `last`, ascending.
    fn list_starts(&mut self, arrival: Arrival<'_, 'p>, first: i64, last: i64) -> Sure<Vec<i64>> {
        let store = &mut self.stores[arrival.store];
        let retention = store.plan.retention.ok_or(Unsure)?;
        let newest = self.times[retention.time].value;
        let first = first.max(newest - retention.kept_ms);
        let times = store.read_times(arrival.key_bytes, newest, self.fetch)?;
        let times = &times[times.partition_point(|(start, _)| *start < first)..];
        Ok(times.iter().map(|(start, _)| *start).take_while(|start| *start <= last).collect())
    }

    /// Updates the windows around the record from the latest back, then makes its missing ones.
    fn slide(&mut self, arrival: Arrival<'_, 'p>, results: &mut usize) -> Sure<()> {
        let Arrival { window, time, .. } = arrival;
        let difference = window.size_ms;
        let starts = self.list_starts(arrival, (time - 2 * difference).max(0), time + 1)?;
        let (mut left, mut right): (Option<Aggregate>, Option<Aggregate>) = (None, None);
        let mut previous = None;
        let (mut left_exists, mut right_exists) = (false, false);
        for start in starts.iter().rev() {
            let entry = self.read_window(arrival, (*start, 0))?;
            if *start > time {
                right_exists = true;
            } else if start + difference > time {
                right.get_or_insert_with(|| entry.clone());
                self.slide_into(arrival, *start, Some(entry), false, results)?;
            } else if start + difference == time {
                left_exists = true;
                let newest = entry.1;
                self.slide_into(arrival, *start, Some(entry), false, results)?;
                if newest >= time {
                    return Ok(());
                }
                previous = Some(newest);
            } else {
                previous = Some(entry.1);
                left = Some(entry);
                break;
            }
        }
        if let Some(previous) = previous
            && !starts.contains(&(previous + 1))
            && previous + 1 + difference >= time
        {
            self.slide_into(arrival, previous + 1, None, true, results)?;
        }
        if !left_exists {
            let is_filled = previous.is_some_and(|previous| time - difference <= previous);
            let entry = left.filter(|_| is_filled).map(|(value, _)| (value, time));
            self.slide_into(arrival, time - difference, entry, true, results)?;
        }
        if right_exists { Ok(()) } else { self.make_right(arrival, right, results) }
    }

    /// A left window would start before the epoch, so the window [0, difference] holds all early records instead.
    fn slide_early(&mut self, arrival: Arrival<'_, 'p>, results: &mut usize) -> Sure<()> {
        let time = arrival.time;
        let starts = self.list_starts(arrival, 0, time + 1)?;
        let (mut early, mut right): (Option<Aggregate>, Option<Aggregate>) = (None, None);
        let mut previous = None;
        for start in &starts {
            let entry = self.read_window(arrival, (*start, 0))?;
            if *start == 0 {
                previous = (entry.1 < time).then_some(entry.1);
                early = Some(entry);
            } else if *start <= time {
                right = Some(entry.clone());
                self.slide_into(arrival, *start, Some(entry), false, results)?;
            }
        }
        if !starts.contains(&(time + 1)) {
            self.make_right(arrival, right.or_else(|| early.clone()), results)?;
        }
        if let Some(previous) = previous
            && !starts.contains(&(previous + 1))
        {
            self.slide_into(arrival, previous + 1, None, true, results)?;
        }
        let is_new = early.is_none();
        self.slide_into(arrival, 0, early, is_new, results)
    }

    /// Makes the right window of a record that came after later ones. It begins with their aggregate.
    fn make_right(&mut self, arrival: Arrival<'_, 'p>, later: Option<Aggregate<'p>>, results: &mut usize) -> Sure<()> {
        let Some((value, newest)) = later.filter(|(_, newest)| *newest > arrival.time) else {
            return Ok(());
        };
        self.start_result(arrival.node, results);
        let start = arrival.time + 1;
        self.put_window(arrival, (start, 0), value.clone(), newest)?;
        if arrival.window.closed.is_some() && self.is_retained(arrival.store, start)? {
            self.count(arrival.node, OPENED);
        }
        self.send_window(arrival, (start, start + arrival.window.size_ms), &value, &Val::Null, newest)
    }

    /// Brings the record into a window. A new window begins with the first aggregate.
    fn slide_into(
        &mut self,
        arrival: Arrival<'_, 'p>,
        window_start: i64,
        entry: Option<Aggregate<'p>>,
        is_new: bool,
        results: &mut usize,
    ) -> Sure<()> {
        let Arrival { node, by, window, key, value, time, at, .. } = arrival;
        self.start_result(node, results);
        let open = self.times[window.time(at)?].value - window.grace_ms;
        if window_start + window.size_ms < open {
            self.note(node, LATE, at, Some(open - window.size_ms - window_start))?;
            return Ok(());
        }
        let (old, latest) = match entry {
            None => (start(by)?, time),
            Some((value, latest)) => (value, latest.max(time)),
        };
        let new = add(by, key, value, time, old.clone(), at.input)?;
        self.put_window(arrival, (window_start, 0), new.clone(), latest)?;
        if window.closed.is_some() {
            if is_new && !new.is_null() && self.is_retained(arrival.store, window_start)? {
                self.count(node, OPENED);
            } else if !is_new && new.is_null() {
                self.count(node, MERGED);
            }
        }
        self.send_window(arrival, (window_start, window_start + window.size_ms), &new, &old, latest)
    }

    fn is_retained(&self, store: usize, start: i64) -> Sure<bool> {
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        Ok(start >= self.times[retention.time].value - retention.kept_ms)
    }

    /// Counts each window of a record after the first.
    fn start_result(&mut self, node: usize, results: &mut usize) {
        if *results > 0 {
            self.count(node, EXTRA);
        }
        *results += 1;
    }

    /// Sends the windows that closed since the last time (`runner/engine/operators/aggregations/closing.py`).
    fn close(&mut self, node: usize, store: usize, window: &Window, closed: usize, at: Place<'_, 'p>) -> Sure<()> {
        let spare = i64::from(matches!(window.kind, WindowKind::Sliding | WindowKind::Session));
        let last = self.times[closed].value;
        let until = self.times[window.time(at)?].value - window.size_ms - window.grace_ms - spare;
        if until <= last {
            return Ok(());
        }
        let plan = self.plan;
        let (since, newest) = match window.kind {
            WindowKind::Time if until - until.rem_euclid(window.advance_ms) <= last => return Ok(()),
            WindowKind::Calendar => {
                let store = &plan.stores[store];
                let (start, _) = store.find_window(until)?; // a window ends where the next one starts
                if start <= last {
                    return Ok(());
                }
                (store.find_window(last.max(0))?.0, start - 1)
            }
            _ => (last + 1, until),
        };
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        self.count_expired(node, store, since, newest)?;
        let first = since.max(retention.find_first(self.times[retention.time].value));
        if first <= newest {
            let mut places = self.stores[store].between(first, newest, self.fetch)?;
            if retention.is_by_key {
                let entries = &self.stores[store].entries;
                places.sort_by(|one, other| {
                    let (one, other) = (&entries[*one].key, &entries[*other].key);
                    (&one[4..12], &one[20..], &one[12..20]).cmp(&(&other[4..12], &other[20..], &other[12..20]))
                });
            }
            for place in places {
                self.count(node, EMITTED);
                let entry = &self.stores[store].entries[place];
                let key_bytes = entry.key.clone();
                let (value, timestamp) = entry.entry.clone().ok_or(Unsure)?;
                let key = self.read_key(store, &key_bytes)?;
                let shown = self.present(node, value)?;
                self.send_update(&plan.nodes[node].to, &key, &shown, &Val::Null, timestamp, at)?;
            }
        }
        observe(&mut self.times[closed], until);
        Ok(())
    }

    /// At the end of a batch: counts windows that the store now forgets, so that nobody would find them.
    pub(super) fn expire_windows(&mut self, node: usize, store: usize, closed: usize) -> Sure<()> {
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        if self.times[retention.time].has_advanced {
            let last = self.times[closed].value;
            let is_calendar = !self.plan.stores[store].starts.is_empty();
            let first = if is_calendar { self.plan.stores[store].find_window(last.max(0))?.0 } else { last + 1 };
            self.count_expired(node, store, first, LAST)?;
        }
        Ok(())
    }

    fn count_expired(&mut self, node: usize, store: usize, first: i64, last: i64) -> Sure<()> {
        let retention = self.stores[store].plan.retention.ok_or(Unsure)?;
        let last = last.min(retention.find_first(self.times[retention.time].value) - 1);
        if first <= last {
            for _ in self.stores[store].between(first, last, self.fetch)? {
                self.count(node, EXPIRED);
            }
        }
        Ok(())
    }
}

impl Window {
    /// The stream time by which a record is late: that of its input, behind a cogroup.
    fn time(&self, at: Place) -> Sure<usize> {
        of_input(&self.times, at.input).copied()
    }
}

/// Joins the aggregates of two sessions.
fn merge<'v>(by: &'v Aggregator, key: &Val<'v>, aggregate: Val<'v>, other: &Val<'v>) -> Sure<Val<'v>> {
    match (by, aggregate, other) {
        (Aggregator::Count, Val::Int(count), Val::Int(other)) => count.checked_add(*other).map(Val::Int).ok_or(Unsure),
        (Aggregator::Reduce { .. }, aggregate, other) => add(by, key, other, 0, aggregate, 0),
        (Aggregator::Expressions { merge: Some(merge), .. }, aggregate, other) => {
            let roles = crate::expr::Roles { key, value: other, timestamp: 0, other: &aggregate, index: 0 };
            merge.eval(&roles)
        }
        (Aggregator::Functions(folds), Val::List(mut parts), Val::List(others))
            if parts.len() == folds.len() && others.len() == folds.len() =>
        {
            for ((fold, part), other) in folds.iter().zip(Arc::make_mut(&mut parts)).zip(others.iter()) {
                merge_part(fold, part, other)?;
            }
            Ok(Val::List(parts))
        }
        _ => Err(Unsure),
    }
}

fn merge_part<'v>(fold: &Fold, part: &mut Val<'v>, other: &Val<'v>) -> Sure<()> {
    match (fold.function, &mut *part, other) {
        (FoldFunction::Count, Val::Int(count), Val::Int(other)) => {
            *count = count.checked_add(*other).ok_or(Unsure)?;
        }
        (FoldFunction::Count, ..) => return Err(Unsure),
        (_, _, Val::Null) => {}
        (FoldFunction::Average | FoldFunction::SumOfRows, Val::Null, other) => *part = other.clone(),
        (FoldFunction::Average | FoldFunction::SumOfRows, Val::List(pair), Val::List(other)) => {
            let (pair, other) = (Arc::make_mut(pair).as_mut_slice(), other.as_slice());
            let ([total, Val::Int(count)], [other_total, Val::Int(other_count)]) = (pair, other) else {
                return Err(Unsure);
            };
            *total = plus(total, other_total, fold.sums)?;
            *count = count.checked_add(*other_count).ok_or(Unsure)?;
        }
        _ => step(fold, part, Some(other))?,
    }
    Ok(())
}
