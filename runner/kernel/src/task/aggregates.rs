//! Aggregation without windows, and the arithmetic of all aggregates (`runner/engine/operators/aggregations/`).

use std::sync::Arc;

use crate::decimal::{Digits, to_decimal};
use crate::expr::{Compare, Expr, Role, Roles, compare, to_double};
use crate::plan::{Aggregator, Fold, FoldFunction, Op};
use crate::task::grouped_table::keep;
use crate::task::{NOTHING, Place, Task};
use crate::value::{Member, Sure, Text, Unsure, Val};

impl<'p> Task<'p, '_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn aggregate(
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
    pub(super) fn present(&self, node: usize, value: Val<'p>) -> Sure<Val<'p>> {
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
}

/// What belongs to an input of a cogroup. An aggregation behind no cogroup has one for all.
pub(super) fn of_input<T>(all: &[T], input: usize) -> Sure<&T> {
    if let [one] = all { Ok(one) } else { all.get(input).ok_or(Unsure) }
}

/// The first aggregate of a key.
pub(super) fn start<'v>(by: &'v Aggregator) -> Sure<Val<'v>> {
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
pub(super) fn add<'v>(
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
        (Aggregator::Reduce { add: Expr::Role(Role::Value), .. }, _) => Ok(value.clone()),
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
pub(super) fn fold<'v>(folds: &'v [Fold], parts: &mut [Val<'v>], roles: &Roles<'_, 'v>) -> Sure<()> {
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

pub(super) fn step<'v>(fold: &Fold, part: &mut Val<'v>, operand: Option<&Val<'v>>) -> Sure<()> {
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
        | FoldFunction::GreatestOfRows => keep(function, part, value)?,
        _ => return Err(Unsure),
    }
    Ok(())
}

pub(super) fn plus<'v>(total: &Val, value: &Val, sums: Option<Digits>) -> Sure<Val<'v>> {
    match (total, value) {
        (Val::Decimal(total), Val::Decimal(value)) => total.add(*value)?.fit(sums.ok_or(Unsure)?).map(Val::Decimal),
        (Val::Int(total), Val::Int(value)) => total.checked_add(*value).map(Val::Int).ok_or(Unsure),
        _ => Ok(Val::Double(to_double(total)? + to_double(value)?)),
    }
}

pub(super) fn average<'v>(fold: &Fold, part: &Val<'v>) -> Sure<Val<'v>> {
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
