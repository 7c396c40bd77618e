//! Reads nodes, and what they keep.

use std::collections::HashMap;

use crate::frame::{Header, Stamp};
use crate::plan::reader::{Reader, at, digits, flag, get, index, int, items, number, text_of};
use crate::plan::{
    Aggregator, BufferPlan, Entrance, Fold, FoldFunction, JoinPlan, Known, Late, Node, Op, Responses, Row, Shape,
    SidePlan, SizePlan, Subscribing, Subscriptions, Unknown, View, WaitingPlan, Window, WindowKind,
};
use crate::store::expiring::Expiry;
use crate::store::versions::History;
use crate::store::{Retention, StorePlan};
use crate::value::Val;

impl Reader {
    pub(super) fn entrance(&mut self, json: &Val) -> Known<Entrance> {
        Ok(Entrance {
            target: number(get(json, "target")?)?,
            key: self.codec(get(json, "key")?)?,
            value: self.codec(get(json, "value")?)?,
            is_change: flag(get(json, "is_change")?)?,
            node: index(get(json, "node")?)?,
            to: self.list(get(json, "to")?, |_, node| index(node))?,
        })
    }

    pub(super) fn store(&mut self, json: &Val) -> Known<StorePlan> {
        Ok(StorePlan {
            number: number(get(json, "number")?)?,
            is_global: flag(get(json, "is_global")?)?,
            key: self.codec(get(json, "key")?)?,
            values: self.type_(get(json, "values")?)?,
            may_grow: false,
            is_cached: flag(get(json, "is_cached")?)?,
            starts: self.list(get(json, "starts")?, |_, start| int(start))?,
            history: self.optional(get(json, "history")?, |_, json| {
                Ok(History {
                    store: number(get(json, "store")?)?,
                    kept_ms: int(get(json, "kept_ms")?)?,
                    time: index(get(json, "time")?)?,
                })
            })?,
            expiry: self.optional(get(json, "expiry")?, |_, json| {
                Ok(Expiry {
                    store: number(get(json, "store")?)?,
                    ttl_ms: int(get(json, "ttl_ms")?)?,
                    time: index(get(json, "time")?)?,
                })
            })?,
            retention: self.optional(get(json, "retention")?, |reader, json| {
                let pair =
                    |json: &Val| -> Known<(i64, i64)> { Ok((int(at(items(json)?, 0)?)?, int(at(items(json)?, 1)?)?)) };
                Ok(Retention {
                    kept_ms: int(get(json, "kept_ms")?)?,
                    segments: reader.optional(get(json, "segments")?, |_, json| pair(json))?,
                    time: index(get(json, "time")?)?,
                    length_ms: int(get(json, "length_ms")?)?,
                    has_ends: flag(get(json, "has_ends")?)?,
                    index_ms: reader.optional(get(json, "index_ms")?, |_, json| int(json))?,
                    is_ordered: flag(get(json, "is_ordered")?)?,
                    is_by_key: flag(get(json, "is_by_key")?)?,
                })
            })?,
        })
    }

    pub(super) fn join(&mut self, json: &Val) -> Known<JoinPlan> {
        Ok(JoinPlan {
            left: self.side(get(json, "left")?)?,
            right: self.side(get(json, "right")?)?,
            unmatched: self.optional(get(json, "unmatched")?, |_, store| number(store))?,
            key: self.codec(get(json, "key")?)?,
            time: index(get(json, "time")?)?,
            before_ms: int(get(json, "before_ms")?)?,
            after_ms: int(get(json, "after_ms")?)?,
            grace_ms: int(get(json, "grace_ms")?)?,
            shape: self.shape(get(json, "value")?)?,
        })
    }

    pub(super) fn buffer(&mut self, json: &Val) -> Known<BufferPlan> {
        Ok(BufferPlan {
            store: number(get(json, "store")?)?,
            key: self.codec(get(json, "key")?)?,
            values: self.type_(get(json, "values")?)?,
            time: index(get(json, "time")?)?,
            waits_ms: self.optional(get(json, "waits_ms")?, |_, json| int(json))?,
            until_close: flag(get(json, "until_close")?)?,
            most: self.optional(get(json, "most")?, |_, json| int(json))?,
            most_bytes: self.optional(get(json, "most_bytes")?, |_, json| int(json))?,
            sizes: self.optional(get(json, "sizes")?, |reader, json| {
                let mut topics = HashMap::new();
                for pair in items(get(json, "topics")?)? {
                    let pair = items(pair)?;
                    topics.insert(number(at(pair, 0)?)?, int(at(pair, 1)?)?);
                }
                Ok(SizePlan { value: reader.codec(get(json, "value")?)?, each: int(get(json, "each")?)?, topics })
            })?,
            shuts_down: flag(get(json, "shuts_down")?)?,
        })
    }

    pub(super) fn waiting(&mut self, json: &Val) -> Known<WaitingPlan> {
        Ok(WaitingPlan {
            store: number(get(json, "store")?)?,
            key: self.codec(get(json, "key")?)?,
            values: self.type_(get(json, "values")?)?,
            time: index(get(json, "time")?)?,
            grace_ms: int(get(json, "grace_ms")?)?,
        })
    }

    fn side(&mut self, json: &Val) -> Known<SidePlan> {
        Ok(SidePlan {
            store: number(get(json, "store")?)?,
            values: self.type_(get(json, "values")?)?,
            time: index(get(json, "time")?)?,
            bucket_ms: int(get(json, "bucket_ms")?)?,
            segment_ms: int(get(json, "segment_ms")?)?,
            retention_ms: int(get(json, "retention_ms")?)?,
        })
    }

    pub(super) fn node(&mut self, json: &Val) -> Known<Node> {
        let to = self.list(get(json, "to")?, |_, node| index(node))?;
        let name = text_of(get(json, "name")?)?.to_owned();
        Ok(Node { name, op: self.op(json)?, to })
    }

    fn op(&mut self, json: &Val) -> Known<Op> {
        Ok(match text_of(get(json, "op")?)? {
            "enter" => Op::Enter,
            "filter" => {
                Op::Filter { keep: self.expr(get(json, "keep")?)?, is_negated: flag(get(json, "is_negated")?)? }
            }
            "shape" => Op::Shape {
                key: self.optional(get(json, "key")?, Reader::expr)?,
                value: self.shape(get(json, "value")?)?,
            },
            "flat_map" => Op::FlatMap {
                items: self.expr(get(json, "items")?)?,
                key: self.optional(get(json, "key")?, Reader::expr)?,
                value: self.shape(get(json, "value")?)?,
            },
            "split" => Op::Split {
                rules: self.list(get(json, "rules")?, |reader, rule| {
                    let to = reader.list(get(rule, "to")?, |_, node| index(node))?;
                    Ok((reader.expr(get(rule, "when")?)?, to))
                })?,
                default: self.optional(get(json, "default")?, |reader, to| reader.list(to, |_, node| index(node)))?,
            },
            "emit" => Op::Emit {
                target: number(get(json, "target")?)?,
                key: self.codec(get(json, "key")?)?,
                value: self.codec(get(json, "value")?)?,
                same_keys: self.list(get(json, "same_keys")?, |_, target| number(target))?,
                same_values: self.list(get(json, "same_values")?, |_, target| number(target))?,
                stamp: self.optional(get(json, "stamp")?, |reader, json| {
                    let header = |_: &mut Reader, json: &Val| -> Known<Header> {
                        let pair = items(json)?;
                        Ok((text_of(at(pair, 0)?)?.to_owned(), text_of(at(pair, 1)?)?.to_owned()))
                    };
                    Ok(Stamp {
                        stale: reader.list(get(json, "stale")?, |_, name| text_of(name).map(str::to_owned))?,
                        key: reader.optional(get(json, "key")?, header)?,
                        value: reader.optional(get(json, "value")?, header)?,
                    })
                })?,
            },
            "shuffle" => Op::Shuffle {
                target: number(get(json, "target")?)?,
                key: self.codec(get(json, "key")?)?,
                value: self.codec(get(json, "value")?)?,
                keeps_null_keys: flag(get(json, "keeps_null_keys")?)?,
            },
            "to_stream" => Op::ToStream { key: self.optional(get(json, "key")?, Reader::expr)? },
            "source" => Op::Source {
                store: self.optional(get(json, "store")?, |_, store| index(store))?,
                sends_old: flag(get(json, "sends_old")?)?,
            },
            "derive" => Op::Derive {
                store: self.optional(get(json, "store")?, |_, store| index(store))?,
                sends_old: flag(get(json, "sends_old")?)?,
                row: match get(json, "keep")? {
                    Val::Null => Row::Shape(self.shape(get(json, "value")?)?),
                    keep => Row::Filter { keep: self.expr(keep)?, is_negated: flag(get(json, "is_negated")?)? },
                },
                skips_nothing: flag(get(json, "skips_nothing")?)?,
            },
            "aggregate" => Op::Aggregate {
                store: index(get(json, "store")?)?,
                sends_old: flag(get(json, "sends_old")?)?,
                by: self.aggregator(get(json, "by")?)?,
                window: self.optional(get(json, "window")?, |reader, json| {
                    Ok(Window {
                        kind: match text_of(get(json, "kind")?)? {
                            "time" => WindowKind::Time,
                            "calendar" => WindowKind::Calendar,
                            "sliding" => WindowKind::Sliding,
                            "session" => WindowKind::Session,
                            other => return Err(Unknown(format!("{other} windows"))),
                        },
                        size_ms: int(get(json, "size_ms")?)?,
                        advance_ms: int(get(json, "advance_ms")?)?,
                        grace_ms: int(get(json, "grace_ms")?)?,
                        times: reader.list(get(json, "times")?, |_, time| index(time))?,
                        closed: reader.optional(get(json, "closed")?, |_, time| index(time))?,
                    })
                })?,
            },
            "lookup" => Op::Lookup {
                view: self.view(get(json, "view")?)?,
                as_of: flag(get(json, "as_of")?)?,
                waiting: self.optional(get(json, "waiting")?, |_, place| index(place))?,
                key: self.optional(get(json, "key")?, Reader::expr)?,
                shape: self.shape(get(json, "value")?)?,
                is_left: flag(get(json, "is_left")?)?,
            },
            "deduplicate" => Op::Deduplicate {
                store: number(get(json, "store")?)?,
                key: self.optional(get(json, "key")?, Reader::codec)?,
                by: self.optional(get(json, "by")?, Reader::expr)?,
                within_ms: int(get(json, "within_ms")?)?,
                time: index(get(json, "time")?)?,
            },
            "guard" => Op::Guard {
                late: match text_of(get(json, "late")?)? {
                    "taken" => Late::Taken,
                    "dropped" => Late::Dropped,
                    "ignored" => Late::Ignored,
                    other => return Err(Unknown(format!("updates that are {other}"))),
                },
            },
            "subscribe" => Op::Subscribe(Box::new(Subscribing {
                is_left: flag(get(json, "is_left")?)?,
                foreign_key: self.expr(get(json, "foreign_key")?)?,
                foreign: self.codec(get(json, "foreign")?)?,
                key: self.codec(get(json, "key")?)?,
                version: index(get(json, "version")?)?,
                meets_right: flag(get(json, "meets_right")?)?,
                subscriptions: self.list(get(json, "subscriptions")?, |_, node| index(node))?,
                latest: self.list(get(json, "latest")?, |_, node| index(node))?,
            })),
            "subscriptions" => Op::Subscriptions(Box::new(Subscriptions {
                store: number(get(json, "store")?)?,
                foreign: self.codec(get(json, "foreign")?)?,
                key: self.codec(get(json, "key")?)?,
                kept: self.type_(get(json, "kept")?)?,
                right: self.view(get(json, "view")?)?,
            })),
            "hear" => Op::Hear { responses: index(get(json, "responses")?)? },
            "responses" => Op::Responses(Box::new(Responses {
                store: self.optional(get(json, "store")?, |_, store| index(store))?,
                sends_old: flag(get(json, "sends_old")?)?,
                key: self.codec(get(json, "key")?)?,
                is_left: flag(get(json, "is_left")?)?,
                shape: self.shape(get(json, "value")?)?,
                latest: self.optional(get(json, "latest")?, |_, store| number(store))?,
            })),
            "cogroup" => Op::Cogroup { input: index(get(json, "input")?)? },
            "log" => Op::Log { most: index(get(json, "most")?)? },
            "group_rows" => {
                Op::GroupRows { key: self.expr(get(json, "key")?)?, value: self.shape(get(json, "value")?)? }
            }
            "suppress" => Op::Suppress { buffer: index(get(json, "buffer")?)? },
            "join_streams" => Op::JoinStreams {
                join: index(get(json, "join")?)?,
                is_left: flag(get(json, "is_left")?)?,
                is_outer: flag(get(json, "is_outer")?)?,
            },
            "join_tables" => Op::JoinTables {
                store: self.optional(get(json, "store")?, |_, store| index(store))?,
                sends_old: flag(get(json, "sends_old")?)?,
                other: self.view(get(json, "view")?)?,
                shape: self.shape(get(json, "value")?)?,
                is_left: flag(get(json, "is_left")?)?,
                keeps_left: flag(get(json, "keeps_left")?)?,
                keeps_right: flag(get(json, "keeps_right")?)?,
            },
            other => return Err(Unknown(format!("the operation {other}"))),
        })
    }

    fn view(&mut self, json: &Val) -> Known<View> {
        let view = |reader: &mut Reader, name: &str| reader.view(get(json, name)?).map(Box::new);
        Ok(match text_of(get(json, "how")?)? {
            "stored" => View::Stored {
                store: index(get(json, "store")?)?,
                presented_by: self.optional(get(json, "presented_by")?, |_, node| index(node))?,
            },
            "derived" => View::Derived { node: index(get(json, "node")?)?, of: view(self, "of")? },
            "held" => View::Held { buffer: index(get(json, "buffer")?)?, of: view(self, "of")? },
            "joined" => View::Joined {
                node: index(get(json, "node")?)?,
                left: view(self, "left")?,
                right: view(self, "right")?,
            },
            other => return Err(Unknown(format!("a view that is {other}"))),
        })
    }

    fn aggregator(&mut self, json: &Val) -> Known<Aggregator> {
        Ok(match text_of(get(json, "how")?)? {
            "count" => Aggregator::Count,
            "reduce" => Aggregator::Reduce {
                add: self.expr(get(json, "add")?)?,
                subtract: self.optional(get(json, "subtract")?, Reader::expr)?,
            },
            "expressions" => Aggregator::Expressions {
                init: self.expr(get(json, "init")?)?,
                adds: self.exprs(get(json, "adds")?)?,
                subtract: self.optional(get(json, "subtract")?, Reader::expr)?,
                merge: self.optional(get(json, "merge")?, Reader::expr)?,
            },
            "functions" => Aggregator::Functions(self.list(get(json, "functions")?, |reader, json| {
                let name = text_of(get(json, "name")?)?;
                Ok(Fold {
                    id: reader.id(name),
                    name: name.into(),
                    of: reader.optional(get(json, "of")?, Reader::expr)?,
                    sums: reader.optional(get(json, "sums")?, |_, parts| digits(items(parts)?))?,
                    averages: reader.optional(get(json, "averages")?, |_, parts| digits(items(parts)?))?,
                    function: match text_of(get(json, "function")?)? {
                        "count" => FoldFunction::Count,
                        "sum" => FoldFunction::Sum,
                        "sum of a table" => FoldFunction::SumOfRows,
                        "avg" => FoldFunction::Average,
                        "min" => FoldFunction::Least,
                        "max" => FoldFunction::Greatest,
                        "first" => FoldFunction::First,
                        "last" => FoldFunction::Last,
                        "min of a table" => FoldFunction::LeastOfRows,
                        "max of a table" => FoldFunction::GreatestOfRows,
                        "first of a table" => FoldFunction::FirstOfRows,
                        "last of a table" => FoldFunction::LastOfRows,
                        other => return Err(Unknown(format!("the aggregate function {other}"))),
                    },
                })
            })?),
            other => return Err(Unknown(format!("the aggregator {other}"))),
        })
    }

    fn shape(&mut self, json: &Val) -> Known<Shape> {
        Ok(match text_of(get(json, "how")?)? {
            "same" => Shape::Same,
            "whole" => Shape::Whole(self.expr(get(json, "value")?)?),
            "fields" => Shape::Fields {
                keeps: flag(get(json, "keeps")?)?,
                fields: self.list(get(json, "fields")?, |reader, field| {
                    let pair = items(field)?;
                    let name = text_of(at(pair, 0)?)?;
                    Ok((reader.id(name), name.into(), reader.expr(at(pair, 1)?)?))
                })?,
            },
            other => return Err(Unknown(format!("the shape {other}"))),
        })
    }
}
