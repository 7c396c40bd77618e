//! Which members of an entering value the nodes of a plan read. The others are checked and not kept.

use std::sync::Arc;

use crate::codec::Codec;
use crate::expr::{Expr, Role};
use crate::json::{Reads, Type};
use crate::plan::{Aggregator, Entrance, Node, Op, Row, Shape};

/// Notes in the value's codec of an entrance what its nodes read.
pub fn mark(entrance: &mut Entrance, nodes: &[Node]) {
    if entrance.is_change {
        return;
    }
    let target = entrance.target;
    let mut found = Found { target, nodes, names: Vec::new(), is_seen: vec![false; nodes.len()] };
    if entrance.to.iter().any(|node| found.node(*node).is_none()) {
        return;
    }
    let mut others = found.names;
    let (type_, reads) = match &mut entrance.value {
        Codec::Json(type_, reads, _) | Codec::Packed(type_, reads) => (type_, reads),
        Codec::Avro(avro) => return avro.mark(&others),
        _ => return,
    };
    if let Type::Struct(fields) = type_ {
        for field in fields.iter_mut() {
            field.is_read = others.iter().any(|name| **name == *field.name);
        }
        others.retain(|name| !fields.iter().any(|field| **name == *field.name));
    }
    *reads = Reads::Some(others);
}

struct Found<'p> {
    target: i32,
    nodes: &'p [Node],
    names: Vec<Arc<str>>,
    is_seen: Vec<bool>,
}

impl Found<'_> {
    /// Adds what a node reads of the value, and what follows it reads. None if that is all of it.
    fn node(&mut self, place: usize) -> Option<()> {
        if std::mem::replace(&mut self.is_seen[place], true) {
            return Some(());
        }
        let node = &self.nodes[place];
        match &node.op {
            Op::Enter | Op::Cogroup { .. } | Op::Guard { .. } | Op::Source { store: None, .. } => self.all(&node.to),
            Op::Filter { keep, .. } => {
                self.expr(keep)?;
                self.all(&node.to)
            }
            Op::Shape { key, value } => {
                key.as_ref().map_or(Some(()), |key| self.expr(key))?;
                self.shape(value, &node.to)
            }
            Op::FlatMap { items, key, value } => {
                self.expr(items)?;
                key.as_ref().map_or(Some(()), |key| self.expr(key))?;
                self.shape(value, &node.to)
            }
            Op::Split { rules, default } => {
                for (when, to) in rules {
                    self.expr(when)?;
                    self.all(to)?;
                }
                default.as_ref().map_or(Some(()), |to| self.all(to))
            }
            Op::Emit { value, same_values, .. } => {
                (matches!(value, Codec::Nothing) || same_values.contains(&self.target)).then_some(())
            }
            Op::Shuffle { value, .. } => matches!(value, Codec::Unread).then_some(()),
            Op::Deduplicate { by, .. } => {
                by.as_ref().map_or(Some(()), |by| self.expr(by))?;
                self.all(&node.to)
            }
            Op::ToStream { key } => {
                key.as_ref().map_or(Some(()), |key| self.expr(key))?;
                self.all(&node.to)
            }
            Op::Derive { store: None, row, .. } => match row {
                Row::Filter { keep, .. } => {
                    self.expr(keep)?;
                    self.all(&node.to)
                }
                Row::Shape(shape) => self.shape(shape, &node.to),
            },
            Op::Aggregate { by, .. } => match by {
                Aggregator::Count => Some(()),
                Aggregator::Reduce { .. } => None,
                Aggregator::Expressions { adds, .. } => adds.iter().try_for_each(|add| self.expr(add)),
                Aggregator::Functions(folds) => {
                    folds.iter().filter_map(|fold| fold.of.as_ref()).try_for_each(|of| self.expr(of))
                }
            },
            Op::Lookup { key, shape, .. } => {
                key.as_ref().map_or(Some(()), |key| self.expr(key))?;
                self.shape(shape, &node.to)
            }
            Op::Source { store: Some(_), .. }
            | Op::Derive { store: Some(_), .. }
            | Op::JoinTables { .. }
            | Op::JoinStreams { .. }
            | Op::Suppress { .. }
            | Op::GroupRows { .. }
            | Op::Subscribe(_)
            | Op::Subscriptions(_)
            | Op::Hear { .. }
            | Op::Responses(_)
            | Op::Log { .. } => None,
        }
    }

    fn all(&mut self, to: &[usize]) -> Option<()> {
        to.iter().try_for_each(|node| self.node(*node))
    }

    fn shape(&mut self, shape: &Shape, to: &[usize]) -> Option<()> {
        match shape {
            Shape::Same | Shape::Whole(Expr::Role(Role::Value)) => self.all(to),
            Shape::Whole(expr) => self.expr(expr),
            Shape::Fields { keeps: true, .. } => None,
            Shape::Fields { keeps: false, fields } => fields.iter().try_for_each(|(_, _, expr)| self.expr(expr)),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match expr {
            Expr::Role(Role::Value) => None,
            Expr::IsNull(of) if matches!(**of, Expr::Role(Role::Value)) => Some(()),
            Expr::Member(of, _, name) if matches!(**of, Expr::Role(Role::Value)) => {
                if !self.names.contains(name) {
                    self.names.push(name.clone());
                }
                Some(())
            }
            Expr::Literal(_) | Expr::Role(_) | Expr::Panic => Some(()),
            Expr::Member(of, ..)
            | Expr::Negative(of)
            | Expr::Expect(_, of)
            | Expr::ToDecimal(_, of)
            | Expr::Not(of)
            | Expr::IsNull(of)
            | Expr::IsBool(of, _)
            | Expr::Like(of, _)
            | Expr::Cast(_, _, of) => self.expr(of),
            Expr::Arithmetic(_, _, left, right) | Expr::Compare(_, left, right) | Expr::Item(left, right) => {
                self.expr(left)?;
                self.expr(right)
            }
            Expr::Between(of, low, high) => [of, low, high].into_iter().try_for_each(|each| self.expr(each)),
            Expr::Concat(items)
            | Expr::And(items)
            | Expr::Or(items)
            | Expr::Coalesce(items)
            | Expr::Call(_, _, items) => items.iter().try_for_each(|each| self.expr(each)),
            Expr::In(of, items) => {
                self.expr(of)?;
                items.iter().try_for_each(|each| self.expr(each))
            }
            Expr::Case(operand, whens, otherwise) => {
                operand.as_ref().map_or(Some(()), |of| self.expr(of))?;
                for (when, then) in whens {
                    self.expr(when)?;
                    self.expr(then)?;
                }
                self.expr(otherwise)
            }
            Expr::Struct(fields) => fields.iter().try_for_each(|(_, _, of)| self.expr(of)),
        }
    }
}
