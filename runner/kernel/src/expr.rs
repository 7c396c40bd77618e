//! Expressions of users: checked and typed by Python, which sends their trees (see `runner/engine/kernel/expressions.py`).
//!
//! Each node computes what `designer/expressions/emit.py` writes for it. Errors of a record, values of another type
//! than the declared one, and whatever differs between Rust and Python are `Unsure`.

use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::decimal::{Digits, to_decimal};
use crate::functions::{self, Function};
use crate::value::{Member, Sure, Text, Unsure, Val};

const EXACT: i64 = 1 << 53;
const MAX_TEXT: usize = 1 << 20;

/// Roles of a record, by which expressions name its parts.
#[derive(Debug, Clone, Copy)]
pub struct Roles<'r, 'a> {
    pub key: &'r Val<'a>,
    pub value: &'r Val<'a>,
    pub timestamp: i64,
    /// The other value: `right` of a join, `agg` of an aggregation, `item` of a list.
    pub other: &'r Val<'a>,
    pub index: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Key,
    InnerKey,
    Value,
    Timestamp,
    Other,
    Index,
    WindowStart,
    WindowEnd,
    Window(u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Same,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    WholeDivide,
}

/// The type of a computation's result, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Int,
    Double,
    Decimal(Digits),
    Any,
}

/// Kinds that a value of unknown type may be expected to have (`designer/expressions/dynamic.py`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int,
    Double,
    Number,
    Text,
    List,
    Struct,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cast {
    Int,
    Double,
    Bool,
    Text,
}

#[derive(Debug)]
pub enum Expr {
    Literal(Val<'static>),
    Role(Role),
    Member(Box<Expr>, u32, Arc<str>),
    Negative(Box<Expr>),
    Arithmetic(Operator, Numbers, Box<Expr>, Box<Expr>),
    /// A decimal or an integer as a decimal of a type.
    ToDecimal(Digits, Box<Expr>),
    /// A value of unknown type that must be of a kind.
    Expect(Kind, Box<Expr>),
    Concat(Vec<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
    IsNull(Box<Expr>),
    IsBool(Box<Expr>, bool),
    In(Box<Expr>, Vec<Expr>),
    Between(Box<Expr>, Box<Expr>, Box<Expr>),
    Like(Box<Expr>, Vec<Pattern>),
    Case(Option<Box<Expr>>, Vec<(Expr, Expr)>, Box<Expr>),
    Cast(Cast, bool, Box<Expr>),
    Coalesce(Vec<Expr>),
    Call(Function, bool, Vec<Expr>),
    Struct(Vec<(u32, Arc<str>, Expr)>),
    Item(Box<Expr>, Box<Expr>),
    /// Panics. Only tests make it, to see that a panic costs nothing but time.
    Panic,
}

/// A part of a LIKE pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    Char(char),
    One,
    Many,
}

impl Expr {
    pub fn eval<'a>(&'a self, roles: &Roles<'_, 'a>) -> Sure<Val<'a>> {
        match self {
            Expr::Literal(value) => Ok(value.clone()),
            Expr::Role(role) => read_role(*role, roles),
            Expr::Member(of, id, name) => match of.as_ref() {
                Expr::Role(Role::Value) => read_member(roles.value, *id, name),
                Expr::Role(Role::Other) => read_member(roles.other, *id, name),
                of => read_member(&of.eval(roles)?, *id, name),
            },
            Expr::Negative(of) => match of.eval(roles)? {
                Val::Null => Ok(Val::Null),
                Val::Int(number) => number.checked_neg().map(Val::Int).ok_or(Unsure),
                Val::Double(number) => Ok(Val::Double(-number)),
                Val::Decimal(number) => Ok(Val::Decimal(number.negate())),
                _ => Err(Unsure),
            },
            Expr::Arithmetic(operator, numbers, left, right) => {
                let (left, right) = (left.eval(roles)?, right.eval(roles)?);
                compute(*operator, *numbers, &left, &right)
            }
            Expr::ToDecimal(digits, of) => match of.eval(roles)? {
                Val::Null => Ok(Val::Null),
                value => to_decimal(&value)?.fit(*digits).map(Val::Decimal),
            },
            Expr::Expect(kind, of) => {
                let value = of.eval(roles)?;
                match (kind, &value) {
                    (_, Val::Null)
                    | (Kind::Bool, Val::Bool(_))
                    | (Kind::Int, Val::Int(_))
                    | (Kind::Double, Val::Double(_))
                    | (Kind::Number, Val::Int(_) | Val::Double(_))
                    | (Kind::Text, Val::Str(_))
                    | (Kind::List, Val::List(_))
                    | (Kind::Struct, Val::Struct(_)) => Ok(value),
                    (Kind::Double, Val::Int(_)) => Ok(Val::Double(to_double(&value)?)),
                    _ => Err(Unsure),
                }
            }
            Expr::Concat(items) => concat(items, roles),
            Expr::Compare(Compare::Same, left, right) => {
                let (left, right) = (left.eval(roles)?, right.eval(roles)?);
                match (left.is_null(), right.is_null()) {
                    (false, false) => Ok(Val::Bool(compare(Compare::Equal, &left, &right)?)),
                    (left, right) => Ok(Val::Bool(left && right)),
                }
            }
            Expr::Compare(how, left, right) => {
                let (left, right) = (left.eval(roles)?, right.eval(roles)?);
                if left.is_null() || right.is_null() {
                    return Ok(Val::Null);
                }
                Ok(Val::Bool(compare(*how, &left, &right)?))
            }
            Expr::And(items) => decide(items, roles, false),
            Expr::Or(items) => decide(items, roles, true),
            Expr::Not(of) => match of.eval(roles)? {
                Val::Null => Ok(Val::Null),
                Val::Bool(value) => Ok(Val::Bool(!value)),
                _ => Err(Unsure),
            },
            Expr::IsNull(of) => Ok(Val::Bool(of.eval(roles)?.is_null())),
            Expr::IsBool(of, wanted) => Ok(Val::Bool(matches!(of.eval(roles)?, Val::Bool(value) if value == *wanted))),
            Expr::In(of, items) => {
                let value = of.eval(roles)?;
                if value.is_null() {
                    return Ok(Val::Null);
                }
                // all of them are computed, so an error in any of them counts
                let items = items.iter().map(|item| item.eval(roles)).collect::<Sure<Vec<_>>>()?;
                let mut answer = Val::Bool(false);
                for item in items {
                    if item.is_null() {
                        answer = Val::Null;
                    } else if compare(Compare::Equal, &value, &item)? {
                        return Ok(Val::Bool(true));
                    }
                }
                Ok(answer)
            }
            Expr::Between(of, low, high) => {
                let (value, low, high) = (of.eval(roles)?, low.eval(roles)?, high.eval(roles)?);
                if value.is_null() {
                    return Ok(Val::Null);
                }
                let above = if low.is_null() { None } else { Some(compare(Compare::GreaterEqual, &value, &low)?) };
                let below = if high.is_null() { None } else { Some(compare(Compare::LessEqual, &value, &high)?) };
                Ok(match (above, below) {
                    (Some(false), _) | (_, Some(false)) => Val::Bool(false),
                    (Some(true), Some(true)) => Val::Bool(true),
                    _ => Val::Null,
                })
            }
            Expr::Like(of, pattern) => match of.eval(roles)? {
                Val::Null => Ok(Val::Null),
                Val::Str(text) => Ok(Val::Bool(matches(&text, pattern))),
                _ => Err(Unsure),
            },
            Expr::Case(operand, whens, otherwise) => {
                let operand = operand.as_ref().map(|of| of.eval(roles)).transpose()?;
                for (when, then) in whens {
                    let test = when.eval(roles)?;
                    let holds = match &operand {
                        None => matches!(is_true(&test)?, Some(true)),
                        Some(value) if value.is_null() || test.is_null() => false,
                        Some(value) => compare(Compare::Equal, value, &test)?,
                    };
                    if holds {
                        return then.eval(roles);
                    }
                }
                otherwise.eval(roles)
            }
            Expr::Cast(to, is_safe, of) => functions::cast(*to, *is_safe, of.eval(roles)?),
            Expr::Coalesce(items) => {
                for item in items {
                    let value = item.eval(roles)?;
                    if !value.is_null() {
                        return Ok(value);
                    }
                }
                Ok(Val::Null)
            }
            Expr::Call(function, takes_nulls, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                let mut has_null = false;
                for argument in arguments {
                    let value = argument.eval(roles)?;
                    has_null |= value.is_null();
                    values.push(value);
                }
                if has_null && !takes_nulls { Ok(Val::Null) } else { function(&values) }
            }
            Expr::Struct(fields) => {
                let mut members = Vec::with_capacity(fields.len());
                for (id, name, value) in fields {
                    members.push(Member { id: *id, name: Text::Lent(name), value: value.eval(roles)? });
                }
                Ok(Val::Struct(Arc::new(members)))
            }
            Expr::Item(of, position) => match (of.eval(roles)?, position.eval(roles)?) {
                (Val::Null, _) | (_, Val::Null) => Ok(Val::Null),
                (Val::List(items), Val::Int(at)) => {
                    usize::try_from(at).ok().and_then(|at| items.get(at).cloned()).ok_or(Unsure)
                }
                (Val::Struct(members), Val::Str(name)) => {
                    let found = members.iter().find(|each| *each.name == *name);
                    Ok(found.map_or(Val::Null, |each| each.value.clone()))
                }
                _ => Err(Unsure),
            },
            Expr::Panic => panic!("a test asked for this"),
        }
    }
}

fn read_role<'a>(role: Role, roles: &Roles<'_, 'a>) -> Sure<Val<'a>> {
    Ok(match role {
        Role::Key => roles.key.clone(),
        Role::Value => roles.value.clone(),
        Role::Timestamp => Val::Int(roles.timestamp),
        Role::Other => roles.other.clone(),
        Role::Index => Val::Int(roles.index),
        Role::InnerKey | Role::WindowStart | Role::WindowEnd | Role::Window(..) => {
            let Val::Windowed(key) = roles.key else { return Err(Unsure) };
            match role {
                Role::InnerKey => key.0.clone(),
                Role::WindowStart => Val::Int(key.1),
                Role::WindowEnd => Val::Int(key.2),
                Role::Window(start, end) => Val::Struct(Arc::new(vec![
                    Member { id: start, name: Text::Lent("start"), value: Val::Int(key.1) },
                    Member { id: end, name: Text::Lent("end"), value: Val::Int(key.2) },
                ])),
                _ => return Err(Unsure),
            }
        }
    })
}

fn read_member<'a>(of: &Val<'a>, id: u32, name: &str) -> Sure<Val<'a>> {
    if of.is_null() { Ok(Val::Null) } else { of.member(id, name) }
}

/// The truth of a condition: null is None.
pub fn is_true(value: &Val) -> Sure<Option<bool>> {
    match value {
        Val::Null => Ok(None),
        Val::Bool(value) => Ok(Some(*value)),
        _ => Err(Unsure),
    }
}

/// Like Python's operators, every operand is computed until one decides.
fn decide<'a>(items: &'a [Expr], roles: &Roles<'_, 'a>, decides: bool) -> Sure<Val<'a>> {
    let mut has_null = false;
    for item in items {
        match is_true(&item.eval(roles)?)? {
            Some(value) if value == decides => return Ok(Val::Bool(decides)),
            Some(_) => {}
            None => has_null = true,
        }
    }
    Ok(if has_null { Val::Null } else { Val::Bool(!decides) })
}

thread_local! {
    /// Memory in which texts are put together.
    static SCRATCH: Cell<String> = const { Cell::new(String::new()) };
}

fn concat<'a>(items: &'a [Expr], roles: &Roles<'_, 'a>) -> Sure<Val<'a>> {
    let mut text = SCRATCH.take();
    text.clear();
    let (mut has_null, mut is_text) = (false, true);
    for item in items {
        match item.eval(roles)? {
            Val::Str(part) => text.push_str(&part),
            Val::Null => has_null = true,
            _ => is_text = false,
        }
    }
    let result = match has_null {
        true => Ok(Val::Null),
        false if is_text && text.len() <= MAX_TEXT => Ok(Val::Str(Text::Shared(text.as_str().into()))),
        false => Err(Unsure),
    };
    SCRATCH.set(text);
    result
}

/// The parts, which must be texts, as one.
pub fn join<'a>(parts: &[Val<'a>]) -> Sure<Val<'a>> {
    let mut length = 0;
    for part in parts {
        let Val::Str(part) = part else { return Err(Unsure) };
        length += part.len();
    }
    let mut text = String::with_capacity(length);
    for part in parts {
        if let Val::Str(part) = part {
            text.push_str(part);
        }
    }
    if text.len() > MAX_TEXT { Err(Unsure) } else { Ok(Val::text(text)) }
}

/// A number as a double. Integers beyond 2^53 are rounded as Python's float() does.
#[allow(clippy::cast_precision_loss)]
pub fn to_double(value: &Val) -> Sure<f64> {
    match value {
        Val::Int(number) => Ok(*number as f64),
        Val::Double(number) => Ok(*number),
        _ => Err(Unsure),
    }
}

fn compute<'a>(operator: Operator, numbers: Numbers, left: &Val, right: &Val) -> Sure<Val<'a>> {
    if left.is_null() || right.is_null() {
        return Ok(Val::Null);
    }
    if let Numbers::Decimal(digits) = numbers {
        let (left, right) = (to_decimal(left)?, to_decimal(right)?);
        let number = match operator {
            Operator::Add => left.add(right)?,
            Operator::Subtract => left.add(right.negate())?,
            Operator::Multiply => left.multiply(right)?,
            Operator::Divide => left.divide(right, digits)?,
            Operator::WholeDivide | Operator::Remainder => return Err(Unsure),
        };
        return number.fit(digits).map(Val::Decimal);
    }
    match (left, right) {
        (Val::Int(left), Val::Int(right)) if numbers != Numbers::Double => {
            let number = match operator {
                Operator::Add => left.checked_add(*right),
                Operator::Subtract => left.checked_sub(*right),
                Operator::Multiply => left.checked_mul(*right),
                Operator::WholeDivide => left.checked_div(*right),
                Operator::Remainder => left.checked_rem(*right),
                Operator::Divide => None,
            };
            number.map(Val::Int).ok_or(Unsure)
        }
        (Val::Int(left), Val::Int(right)) if left.abs_diff(0) > EXACT as u64 || right.abs_diff(0) > EXACT as u64 => {
            Err(Unsure) // Python divides integers exactly and rounds once
        }
        (Val::Int(_), Val::Int(_)) if operator != Operator::Divide => Err(Unsure),
        _ => {
            let (left, right) = (to_double(left)?, to_double(right)?);
            let number = match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide if right != 0.0 => left / right,
                Operator::Remainder if right != 0.0 && left.is_finite() => left % right,
                _ => return Err(Unsure),
            };
            if numbers == Numbers::Int { Err(Unsure) } else { Ok(Val::Double(number)) }
        }
    }
}

/// Compares two values that are not null.
pub fn compare(how: Compare, left: &Val, right: &Val) -> Sure<bool> {
    let order = match (left, right) {
        (Val::Int(left), Val::Int(right)) => Some(left.cmp(right)),
        (Val::Double(left), Val::Double(right)) => left.partial_cmp(right),
        (Val::Int(number), Val::Double(_)) | (Val::Double(_), Val::Int(number)) => {
            if number.abs_diff(0) > EXACT as u64 {
                return Err(Unsure); // Python compares them exactly
            }
            to_double(left)?.partial_cmp(&to_double(right)?)
        }
        (Val::Decimal(_), Val::Decimal(_) | Val::Int(_)) | (Val::Int(_), Val::Decimal(_)) => {
            Some(to_decimal(left)?.compare(to_decimal(right)?)?)
        }
        (Val::Str(left), Val::Str(right)) => Some((**left).cmp(&**right)),
        (Val::Bool(left), Val::Bool(right)) => Some(left.cmp(right)),
        (Val::Bytes(left), Val::Bytes(right)) => Some((**left).cmp(&**right)),
        _ => return Err(Unsure),
    };
    Ok(match how {
        Compare::Equal | Compare::Same => order == Some(Ordering::Equal),
        Compare::NotEqual => order != Some(Ordering::Equal),
        Compare::Less => order == Some(Ordering::Less),
        Compare::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Compare::Greater => order == Some(Ordering::Greater),
        Compare::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    })
}

fn matches(text: &str, pattern: &[Pattern]) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut part) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < chars.len() {
        match pattern.get(part) {
            Some(Pattern::Many) => {
                back = Some((part, at));
                part += 1;
            }
            Some(Pattern::One) => {
                at += 1;
                part += 1;
            }
            Some(Pattern::Char(wanted)) if *wanted == chars[at] => {
                at += 1;
                part += 1;
            }
            _ => match back {
                Some((many, from)) => {
                    back = Some((many, from + 1));
                    part = many + 1;
                    at = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[part..].iter().all(|each| *each == Pattern::Many)
}
