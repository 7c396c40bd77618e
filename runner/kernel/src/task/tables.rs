//! Rows of tables: they are taken, derived, joined, looked up, and deleted when their time to live is over.

use crate::expr::Roles;
use crate::json::Pool;
use crate::plan::{Op, Row, View};
use crate::store::versions::History;
use crate::task::{
    EXTRA, LATE, NO_MATCH, NOTHING, NULL_KEY, NULL_VALUE, Place, SILENT, Task, make, observe, passes, suppress,
};
use crate::value::{Sure, Unsure, Val};

impl<'p> Task<'p, '_> {
    /// Takes a record as a row of a table.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn take_row(
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

    /// Takes a record of a versioned table, unless it is too old for the history.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn take_version(
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

    /// Sends on an update of the row that a node makes of each row of another table.
    pub(super) fn update_derived(
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
        let Op::Derive { store, sends_old, row, skips_nothing } = &plan.nodes[node].op else { return Err(Unsure) };
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

    /// Sends on what an update of one side changes in a join of two tables.
    pub(super) fn update_joined(
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
        let Op::JoinTables { store, sends_old, other, is_left, keeps_left, keeps_right, .. } = &plan.nodes[node].op
        else {
            return Err(Unsure);
        };
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

    /// Deletes the rows of a table whose time to live is over when a record comes, or came too late itself
    /// (`Expiring` in `operators/shared/expiring.py`). Each deletion has the time at which its row ended.
    pub(super) fn delete_expired(
        &mut self,
        node: usize,
        store: Option<usize>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
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

    /// Joins a record with the row of its key.
    pub(super) fn look_up_row(
        &mut self,
        node: usize,
        key: &Val<'p>,
        value: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
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

    /// The row of a key and its time, now or as of a time.
    pub(super) fn look_up(&mut self, view: &View, key: &Val<'p>, as_of: Option<i64>) -> Sure<Option<(Val<'p>, i64)>> {
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

    /// The row of a join of tables from that of one side and that of the other, or null if a required one is missing.
    pub(super) fn join(
        &mut self,
        node: usize,
        key: &Val<'p>,
        own: &Val<'p>,
        other: &Val<'p>,
        time: i64,
    ) -> Sure<Val<'p>> {
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

    /// Leaves the batch to the Python engine if a row that an update of the other side has found is gone: it takes back
    /// what was made of it.
    pub(super) fn check_found_rows(&mut self) -> Sure<()> {
        let plan = self.plan;
        for (node, key) in std::mem::take(&mut self.found) {
            let Op::JoinTables { other, .. } = &plan.nodes[node].op else { return Err(Unsure) };
            if self.look_up(other, &key, None)?.is_none() {
                return Err(Unsure);
            }
        }
        Ok(())
    }
}

/// The row of a derived table, or None if it is the parent's.
pub(super) fn derive<'v>(row: &'v Row, key: &Val<'v>, value: &Val<'v>, timestamp: i64) -> Sure<Option<Val<'v>>> {
    if value.is_null() {
        return Ok(None);
    }
    let roles = Roles { key, value, timestamp, other: &NOTHING, index: 0 };
    match row {
        Row::Filter { keep, is_negated } => {
            Ok(if passes(keep, &roles)? == *is_negated { Some(Val::Null) } else { None })
        }
        Row::Shape(shape) => make(shape, &roles, value, &mut Pool::default()),
    }
}
