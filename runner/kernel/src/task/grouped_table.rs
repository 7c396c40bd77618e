//! Aggregation of grouped tables (`runner/engine/operators/aggregations/aggregating.py`): rows come and are taken back.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::expr::{Compare, Roles, compare};
use crate::functions::MAX_ITEMS;
use crate::json::{self, Pool};
use crate::plan::{Aggregator, Fold, FoldFunction, Op};
use crate::task::aggregates::{add, plus, start};
use crate::task::{EXTRA, NOTHING, Place, Refused, SILENT, Task, decode, make};
use crate::value::{Sure, Unsure, Val};

impl<'p> Task<'p, '_> {
    /// Takes an update from a shuffle: its new and its old value, in one.
    pub(super) fn take_change(
        &mut self,
        entrance: usize,
        key: &Val<'p>,
        data: &'p [u8],
        time: i64,
        at: Place<'_, 'p>,
    ) -> Result<(), Refused> {
        let plan = self.plan;
        let way = &plan.entrances[entrance];
        let (new, old) = split_change(data).map_err(|_| Refused::Batch)?;
        let new = decode(&way.value, new, None, &mut self.pool).map_err(|_| Refused::Batch)?;
        let old = decode(&way.value, old, None, &mut self.pool).map_err(|_| Refused::Batch)?;
        self.send_update(&way.to, key, &new, &old, time, at).map_err(|_| Refused::Batch)
    }

    /// Sends a row with its old and new value to its groups. If both are in one, they go together.
    pub(super) fn group_rows(
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
        match (self.find_group(node, key, new)?, self.find_group(node, key, old)?) {
            (None, None) => {
                self.count(node, SILENT);
                Ok(())
            }
            (None, Some((group, old))) => self.send_update(to, &group, &NOTHING, &old, time, at),
            (Some((group, new)), None) => self.send_update(to, &group, &new, &NOTHING, time, at),
            (Some((group, new)), Some((other, old))) => {
                if is_one_group(&group, &other)? {
                    return self.send_update(to, &group, &new, &old, time, at);
                }
                self.count(node, EXTRA);
                self.send_update(to, &other, &NOTHING, &old, time, at)?;
                self.send_update(to, &group, &new, &NOTHING, time, at)
            }
        }
    }

    /// The group and the value of a row there, if it is in one.
    fn find_group(&mut self, node: usize, key: &Val<'p>, value: &Val<'p>) -> Sure<Option<(Val<'p>, Val<'p>)>> {
        let plan = self.plan;
        let Op::GroupRows { key: group, value: shape } = &plan.nodes[node].op else { return Err(Unsure) };
        if value.is_null() {
            return Ok(None);
        }
        let roles = Roles { key, value, timestamp: 0, other: &NOTHING, index: 0 };
        let group = group.eval(&roles)?;
        let value = make(shape, &roles, value, &mut Pool::default())?.unwrap_or_else(|| value.clone());
        Ok((!group.is_null() && !value.is_null()).then_some((group, value)))
    }

    /// Takes the old value of a row back from the aggregate, then adds the new one.
    pub(super) fn aggregate_rows(
        &mut self,
        node: usize,
        key: &Val<'p>,
        new: &Val<'p>,
        old: &Val<'p>,
        time: i64,
        at: Place<'_, 'p>,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Aggregate { store, sends_old, by, window: None } = &plan.nodes[node].op else { return Err(Unsure) };
        let place = self.find(*store, key, &[])?;
        let (before, latest) = match self.stores[*store].entries[place].entry.clone() {
            None => (Val::Null, time),
            Some((value, latest)) => (value, latest.max(time)),
        };
        let mut aggregate = before.clone();
        if !old.is_null() && !aggregate.is_null() {
            aggregate = subtract(by, key, old, time, aggregate)?;
        }
        if !new.is_null() {
            let begun = if aggregate.is_null() { start(by)? } else { aggregate };
            aggregate = add(by, key, new, time, begun, 0)?;
        }
        self.stores[*store].check_depth(&aggregate)?;
        self.stores[*store].put(place, aggregate.clone(), latest, at.row);
        if self.stores[*store].plan.is_cached {
            return Ok(());
        }
        let before = if *sends_old { self.present(node, before)? } else { Val::Null };
        let aggregate = self.present(node, aggregate)?;
        self.send_update(&plan.nodes[node].to, key, &aggregate, &before, latest, at)
    }
}

/// The bytes of a new and of an old value.
type Change<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

fn split_change(data: &[u8]) -> Sure<Change<'_>> {
    let read = |bytes: &[u8]| bytes.try_into().map(i32::from_be_bytes).map_err(|_| Unsure);
    let (lengths, rest) = data.split_at_checked(8).ok_or(Unsure)?;
    let (new, old) = (read(&lengths[..4])?, read(&lengths[4..])?);
    let (news, olds) = rest.split_at_checked(usize::try_from(new).unwrap_or(0)).ok_or(Unsure)?;
    Ok(((new >= 0).then_some(news), (old >= 0).then_some(olds)))
}

/// Appends both values of an update (`change_codec`).
pub fn write_change(
    out: &mut Vec<u8>,
    new: &Val,
    old: &Val,
    encode: impl Fn(&Val, &mut Vec<u8>) -> Sure<bool>,
) -> Sure<()> {
    let place = out.len();
    out.extend([0xFF; 8]);
    for (number, value) in [new, old].into_iter().enumerate() {
        let before = out.len();
        if !value.is_null() && encode(value, out)? {
            let length = i32::try_from(out.len() - before).map_err(|_| Unsure)?;
            out[place + 4 * number..][..4].copy_from_slice(&length.to_be_bytes());
        }
    }
    Ok(())
}

/// True if Python finds two keys equal. Keys of several parts that are written in two ways may be equal or not.
fn is_one_group(one: &Val, other: &Val) -> Sure<bool> {
    Ok(match (one, other) {
        (Val::Bool(one), Val::Bool(other)) => one == other,
        (Val::Int(one), Val::Int(other)) => one == other,
        (Val::Double(one), Val::Double(other)) => one == other,
        (Val::Decimal(one), Val::Decimal(other)) => one.compare(*other)? == Ordering::Equal,
        (Val::Str(one), Val::Str(other)) => **one == **other,
        (Val::Bytes(one), Val::Bytes(other)) => **one == **other,
        (Val::List(_), Val::List(_)) | (Val::Struct(_), Val::Struct(_)) => {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            json::write(one, &mut first)?;
            json::write(other, &mut second)?;
            if first == second { true } else { return Err(Unsure) }
        }
        (Val::Windowed(_), _) | (_, Val::Windowed(_)) => return Err(Unsure),
        _ => false,
    })
}

fn subtract<'v>(by: &'v Aggregator, key: &Val<'v>, value: &Val<'v>, timestamp: i64, old: Val<'v>) -> Sure<Val<'v>> {
    let roles = Roles { key, value, timestamp, other: &old, index: 0 };
    match (by, &old) {
        (Aggregator::Count, Val::Int(count)) => Ok(Val::Int(count.checked_sub(1).ok_or(Unsure)?)),
        (Aggregator::Reduce { subtract: Some(expr), .. } | Aggregator::Expressions { subtract: Some(expr), .. }, _) => {
            expr.eval(&roles)
        }
        (Aggregator::Functions(folds), Val::List(parts)) if parts.len() == folds.len() => {
            let mut parts = parts.clone();
            for (fold, part) in folds.iter().zip(Arc::make_mut(&mut parts)) {
                match fold.of.as_ref().map(|expr| expr.eval(&roles)).transpose()? {
                    Some(Val::Null) => {}
                    operand => take_back(fold, part, operand.as_ref())?,
                }
            }
            Ok(Val::List(parts))
        }
        _ => Err(Unsure),
    }
}

const KEEPS_ALL: [FoldFunction; 4] =
    [FoldFunction::LeastOfRows, FoldFunction::GreatestOfRows, FoldFunction::FirstOfRows, FoldFunction::LastOfRows];

/// Adds a value to those that are kept: in order of arrival, or from the greatest down.
pub fn keep<'v>(function: FoldFunction, part: &mut Val<'v>, value: &Val<'v>) -> Sure<()> {
    let Val::List(values) = part else { return Err(Unsure) };
    let is_ranked = matches!(function, FoldFunction::LeastOfRows | FoldFunction::GreatestOfRows);
    let is_sorted = !matches!(value, Val::Double(number) if number.is_nan());
    if values.len() >= MAX_ITEMS
        || !is_sorted
        || !matches!(value, Val::Bool(_) | Val::Int(_) | Val::Double(_) | Val::Decimal(_) | Val::Str(_))
    {
        return Err(Unsure);
    }
    let mut place = values.len();
    if is_ranked {
        let mut low = 0;
        while low < place {
            let middle = usize::midpoint(low, place);
            if compare(Compare::Greater, value, &values[middle])? {
                place = middle;
            } else {
                low = middle + 1;
            }
        }
    }
    Arc::make_mut(values).insert(place, value.clone());
    Ok(())
}

fn take_back<'v>(fold: &Fold, part: &mut Val<'v>, operand: Option<&Val<'v>>) -> Sure<()> {
    let function = fold.function;
    let negative = match (function, operand) {
        (FoldFunction::Count, _) => {
            let Val::Int(count) = part else { return Err(Unsure) };
            *count = count.checked_sub(1).ok_or(Unsure)?;
            return Ok(());
        }
        (_, Some(value))
            if let Val::List(values) = part
                && KEEPS_ALL.contains(&function) =>
        {
            let mut place = None;
            for (number, other) in values.iter().enumerate() {
                if compare(Compare::Equal, other, value)? {
                    place = Some(number);
                    break;
                }
            }
            if let Some(place) = place {
                Arc::make_mut(values).remove(place);
            }
            return Ok(());
        }
        (_, Some(Val::Int(number))) => Val::Int(number.checked_neg().ok_or(Unsure)?),
        (_, Some(Val::Double(number))) => Val::Double(-number),
        (_, Some(Val::Decimal(number))) => Val::Decimal(number.negate()),
        _ => return Err(Unsure),
    };
    if !matches!(function, FoldFunction::Average | FoldFunction::SumOfRows) {
        return Err(Unsure);
    }
    let Val::List(pair) = &mut *part else { return if part.is_null() { Ok(()) } else { Err(Unsure) } };
    match Arc::make_mut(pair).as_mut_slice() {
        [_, Val::Int(count)] if *count <= 1 => *part = Val::Null,
        [total, Val::Int(count)] => {
            *total = plus(total, &negative, fold.sums)?;
            *count -= 1;
        }
        _ => return Err(Unsure),
    }
    Ok(())
}
