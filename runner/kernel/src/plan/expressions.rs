//! Reads expressions and types.

use crate::decimal::Decimal;
use crate::expr::{Cast, Compare, Expr, Kind, Numbers, Operator, Pattern, Role};
use crate::functions;
use crate::json::{Field, Type};
use crate::plan::reader::{Reader, at, digits, flag, items, text_of};
use crate::plan::{Known, Unknown};
use crate::value::Val;

impl Reader {
    pub(super) fn type_(&mut self, json: &Val) -> Known<Type> {
        let parts = match json {
            Val::Str(name) => {
                return Ok(match &**name {
                    "any" => Type::Any,
                    "boolean" => Type::Bool,
                    "integer" => Type::Int,
                    "double" => Type::Double,
                    "string" => Type::Str,
                    "bytes" => Type::Bytes,
                    other => return Err(Unknown(format!("the type {other}"))),
                });
            }
            other => items(other)?,
        };
        Ok(match text_of(at(parts, 0)?)? {
            "decimal" => Type::Decimal(digits(parts)?),
            "list" => Type::List(Box::new(self.type_(at(parts, 1)?)?)),
            "map" => Type::Map(Box::new(self.type_(at(parts, 1)?)?)),
            "tuple" => Type::Tuple(self.list(at(parts, 1)?, Reader::type_)?),
            "struct" => Type::Struct(self.list(at(parts, 1)?, |reader, field| {
                let pair = items(field)?;
                let name = text_of(at(pair, 0)?)?;
                Ok(Field::new(reader.id(name), name, reader.type_(at(pair, 1)?)?))
            })?),
            other => return Err(Unknown(format!("the type {other}"))),
        })
    }

    pub(super) fn expr(&mut self, json: &Val) -> Known<Expr> {
        let parts = items(json)?;
        let kind = text_of(at(parts, 0)?)?;
        let part = |place: usize| at(parts, place);
        Ok(match kind {
            "decimal" => Expr::Literal(Val::Decimal(
                Decimal::read(text_of(part(1)?)?).map_err(|_| Unknown("such a decimal".into()))?,
            )),
            "to_decimal" => Expr::ToDecimal(digits(items(part(1)?)?)?, self.boxed(part(2)?)?),
            "literal" => Expr::Literal(part(1)?.keep()),
            "role" => Expr::Role(match text_of(part(1)?)? {
                "key" => Role::Key,
                "inner_key" => Role::InnerKey,
                "value" => Role::Value,
                "timestamp" => Role::Timestamp,
                "other" => Role::Other,
                "index" => Role::Index,
                "window_start" => Role::WindowStart,
                "window_end" => Role::WindowEnd,
                "window" => Role::Window(self.id("start"), self.id("end")),
                other => return Err(Unknown(format!("the name {other}"))),
            }),
            "member" => {
                let name = text_of(part(2)?)?;
                Expr::Member(self.boxed(part(1)?)?, self.id(name), name.into())
            }
            "negative" => Expr::Negative(self.boxed(part(1)?)?),
            "arithmetic" => {
                let operator = match text_of(part(1)?)? {
                    "+" => Operator::Add,
                    "-" => Operator::Subtract,
                    "*" => Operator::Multiply,
                    "/" => Operator::Divide,
                    "%" => Operator::Remainder,
                    "div" => Operator::WholeDivide,
                    other => return Err(Unknown(format!("the operator {other}"))),
                };
                let numbers = match part(2)? {
                    Val::List(parts) => Numbers::Decimal(digits(parts)?),
                    name => match text_of(name)? {
                        "integer" => Numbers::Int,
                        "double" => Numbers::Double,
                        "any" => Numbers::Any,
                        other => return Err(Unknown(format!("arithmetic that gives {other}"))),
                    },
                };
                Expr::Arithmetic(operator, numbers, self.boxed(part(3)?)?, self.boxed(part(4)?)?)
            }
            "concat" => Expr::Concat(self.exprs(part(1)?)?),
            "compare" => {
                let how = match text_of(part(1)?)? {
                    "=" => Compare::Equal,
                    "<>" => Compare::NotEqual,
                    "<" => Compare::Less,
                    "<=" => Compare::LessEqual,
                    ">" => Compare::Greater,
                    ">=" => Compare::GreaterEqual,
                    "<=>" => Compare::Same,
                    other => return Err(Unknown(format!("the operator {other}"))),
                };
                Expr::Compare(how, self.boxed(part(2)?)?, self.boxed(part(3)?)?)
            }
            "and" => Expr::And(self.exprs(part(1)?)?),
            "or" => Expr::Or(self.exprs(part(1)?)?),
            "not" => Expr::Not(self.boxed(part(1)?)?),
            "is" => match part(2)? {
                Val::Null => Expr::IsNull(self.boxed(part(1)?)?),
                value => Expr::IsBool(self.boxed(part(1)?)?, flag(value)?),
            },
            "in" => Expr::In(self.boxed(part(1)?)?, self.exprs(part(2)?)?),
            "between" => Expr::Between(self.boxed(part(1)?)?, self.boxed(part(2)?)?, self.boxed(part(3)?)?),
            "like" => Expr::Like(self.boxed(part(1)?)?, read_pattern(text_of(part(2)?)?)?),
            "case" => Expr::Case(
                self.optional(part(1)?, Reader::boxed)?,
                self.list(part(2)?, |reader, when| {
                    let pair = items(when)?;
                    Ok((reader.expr(at(pair, 0)?)?, reader.expr(at(pair, 1)?)?))
                })?,
                self.boxed(part(3)?)?,
            ),
            "cast" => {
                let to = match text_of(part(1)?)? {
                    "integer" => Cast::Int,
                    "double" => Cast::Double,
                    "boolean" => Cast::Bool,
                    "string" => Cast::Text,
                    other => return Err(Unknown(format!("CAST to {other}"))),
                };
                Expr::Cast(to, flag(part(2)?)?, self.boxed(part(3)?)?)
            }
            "expect" => {
                let kind = match text_of(part(1)?)? {
                    "boolean" => Kind::Bool,
                    "integer" => Kind::Int,
                    "double" => Kind::Double,
                    "number" => Kind::Number,
                    "string" => Kind::Text,
                    "list" => Kind::List,
                    "struct" => Kind::Struct,
                    other => return Err(Unknown(format!("the conversion to {other}"))),
                };
                Expr::Expect(kind, self.boxed(part(2)?)?)
            }
            "coalesce" => Expr::Coalesce(self.exprs(part(1)?)?),
            "call" => {
                let name = text_of(part(1)?)?;
                let (function, takes_nulls) =
                    functions::find(name).ok_or_else(|| Unknown(format!("the function {name}")))?;
                Expr::Call(function, takes_nulls, self.exprs(part(2)?)?)
            }
            "struct" => Expr::Struct(self.list(part(1)?, |reader, field| {
                let pair = items(field)?;
                let name = text_of(at(pair, 0)?)?;
                Ok((reader.id(name), name.into(), reader.expr(at(pair, 1)?)?))
            })?),
            "item" => Expr::Item(self.boxed(part(1)?)?, self.boxed(part(2)?)?),
            "panic" => Expr::Panic,
            other => return Err(Unknown(format!("the expression {other}"))),
        })
    }

    pub(super) fn exprs(&mut self, json: &Val) -> Known<Vec<Expr>> {
        self.list(json, Reader::expr)
    }

    fn boxed(&mut self, json: &Val) -> Known<Box<Expr>> {
        self.expr(json).map(Box::new)
    }
}

fn read_pattern(text: &str) -> Known<Vec<Pattern>> {
    if text.contains('\\') {
        return Err(Unknown("a LIKE pattern with a backslash".into()));
    }
    let read = |char| match char {
        '%' => Pattern::Many,
        '_' => Pattern::One,
        other => Pattern::Char(other),
    };
    Ok(text.chars().map(read).collect())
}
