//! A plan of one sub-topology, as `runner/engine/kernel/planning.py` writes it in JSON.

use std::collections::HashMap;
use std::sync::Arc;

use crate::avro::{self, Avro, ReadField, Slot, WriteField};
use crate::codec::Codec;
use crate::decimal::{Decimal, Digits};
use crate::expr::{Cast, Compare, Expr, Kind, Numbers, Operator, Pattern, Role};
use crate::frame::{self, Frame, Header, Id, Place, Stamp};
use crate::functions;
use crate::json::{self, Decimals, Field, Reads, Type};
use crate::json_schema::{Bound, JsonSchema, Limits, Others, Property, Rule, Word};
use crate::protobuf::{self, Label, Message, Missing, Of, Protobuf};
use crate::reads;
use crate::store::expiring::Expiry;
use crate::store::versions::History;
use crate::store::{Retention, StorePlan};
use crate::value::{UNNAMED, Val};

/// What in a plan the kernel does not know. It runs nothing of such a plan.
#[derive(Debug)]
pub struct Unknown(pub String);

type Known<T> = Result<T, Unknown>;

#[derive(Debug)]
pub struct Plan {
    pub nodes: Vec<Node>,
    pub entrances: Vec<Entrance>,
    pub stores: Vec<StorePlan>,
    pub joins: Vec<JoinPlan>,
    pub buffers: Vec<BufferPlan>,
    pub waiting: Vec<WaitingPlan>,
    /// The names of stream times, as the state has them.
    pub times: Vec<String>,
    /// The nodes with stores, in the order in which a batch ends.
    pub flushes: Vec<usize>,
}

#[derive(Debug)]
pub struct Entrance {
    pub target: i32,
    pub key: Codec,
    pub value: Codec,
    /// True if values are updates with a new and an old value.
    pub is_change: bool,
    pub node: usize,
    pub to: Vec<usize>,
}

#[derive(Debug)]
pub struct Node {
    pub name: String,
    pub op: Op,
    pub to: Vec<usize>,
}

/// A way to make a new value.
#[derive(Debug)]
pub enum Shape {
    Same,
    Whole(Expr),
    Fields { keeps: bool, fields: Vec<(u32, Arc<str>, Expr)> },
}

#[derive(Debug)]
pub enum Op {
    /// The entrance of a source: it only counts time.
    Enter,
    Filter {
        keep: Expr,
        is_negated: bool,
    },
    Shape {
        key: Option<Expr>,
        value: Shape,
    },
    FlatMap {
        items: Expr,
        key: Option<Expr>,
        value: Shape,
    },
    Split {
        rules: Vec<(Expr, Vec<usize>)>,
        default: Option<Vec<usize>>,
    },
    Emit {
        target: i32,
        key: Codec,
        value: Codec,
        same_keys: Vec<i32>,
        same_values: Vec<i32>,
        stamp: Option<Stamp>,
    },
    Shuffle {
        target: i32,
        key: Codec,
        value: Codec,
        keeps_null_keys: bool,
    },
    ToStream {
        key: Option<Expr>,
    },
    Source {
        store: Option<usize>,
        sends_old: bool,
    },
    Derive {
        store: Option<usize>,
        sends_old: bool,
        row: Row,
        skips_nothing: bool,
    },
    Aggregate {
        store: usize,
        sends_old: bool,
        by: Aggregator,
        window: Option<Window>,
    },
    /// Leads an input of a cogroup to its aggregations.
    Cogroup {
        input: usize,
    },
    /// Writes lines into the run's log, which Python makes.
    Log {
        most: usize,
    },
    /// Sends rows of a table to their groups.
    GroupRows {
        key: Expr,
        value: Shape,
    },
    /// The first record of each identity: the key, or what an expression gives.
    Deduplicate {
        store: u16,
        key: Option<Codec>,
        by: Option<Expr>,
        within_ms: i64,
        time: usize,
    },
    /// One side of a join of two tables: it takes the updates of that side, and looks up the other.
    JoinTables {
        store: Option<usize>,
        sends_old: bool,
        other: View,
        shape: Shape,
        is_left: bool,
        keeps_left: bool,
        keeps_right: bool,
    },
    Suppress {
        buffer: usize,
    },
    /// One side of a join of two streams.
    JoinStreams {
        join: usize,
        is_left: bool,
        is_outer: bool,
    },
    Subscribe(Box<Subscribing>),
    Subscriptions(Box<Subscriptions>),
    /// Notes what left rows are now for the node that turns responses into rows.
    Hear {
        responses: usize,
    },
    Responses(Box<Responses>),
    /// Handles updates of a versioned table that are older than the row of their key.
    Guard {
        late: Late,
    },
    Lookup {
        view: View,
        /// True if rows are looked up as of the time of the record.
        as_of: bool,
        /// Where records wait, if they do.
        waiting: Option<usize>,
        key: Option<Expr>,
        shape: Shape,
        is_left: bool,
    },
}

/// The part of a join by a foreign key at its left table.
#[derive(Debug)]
pub struct Subscribing {
    pub is_left: bool,
    pub foreign_key: Expr,
    /// The bytes of foreign keys, and of the left table's keys.
    pub foreign: Codec,
    pub key: Codec,
    /// The stream time that counts versions.
    pub version: usize,
    /// True if a record may reach both sides.
    pub meets_right: bool,
    pub subscriptions: Vec<usize>,
    pub latest: Vec<usize>,
}

/// The part at its right table.
#[derive(Debug)]
pub struct Subscriptions {
    pub store: u16,
    pub foreign: Codec,
    pub key: Codec,
    /// What is kept of each subscription.
    pub kept: Type,
    pub right: View,
}

/// The part that makes the result.
#[derive(Debug)]
pub struct Responses {
    pub store: Option<usize>,
    pub sends_old: bool,
    pub key: Codec,
    pub is_left: bool,
    pub shape: Shape,
    /// The store of the latest left rows, if it keeps them.
    pub latest: Option<u16>,
}

/// What becomes of an update that is older than the row of its key.
#[derive(Debug, Clone, Copy)]
pub enum Late {
    Taken,
    Dropped,
    Ignored,
}

/// A join of two streams. A right record is at most `before_ms` before a left one and `after_ms` after it.
#[derive(Debug)]
pub struct JoinPlan {
    pub left: SidePlan,
    pub right: SidePlan,
    /// The store of records without a partner.
    pub unmatched: Option<u16>,
    pub key: Codec,
    pub time: usize,
    pub before_ms: i64,
    pub after_ms: i64,
    pub grace_ms: i64,
    pub shape: Shape,
}

/// Where updates of a table wait, until stream time is `waits_ms` past them or more than `most` wait.
#[derive(Debug)]
pub struct BufferPlan {
    pub store: u16,
    pub key: Codec,
    pub values: Type,
    pub time: usize,
    pub waits_ms: Option<i64>,
    /// True if they wait until their windows close.
    pub until_close: bool,
    pub most: Option<i64>,
    pub most_bytes: Option<i64>,
    /// How updates are measured, if their bytes are limited.
    pub sizes: Option<SizePlan>,
    pub shuts_down: bool,
}

/// Where records wait for a versioned table.
#[derive(Debug)]
pub struct WaitingPlan {
    pub store: u16,
    pub key: Codec,
    /// The type of what is kept of each record.
    pub values: Type,
    pub time: usize,
    pub grace_ms: i64,
}

/// What an update takes, as Kafka Streams counts it.
#[derive(Debug)]
pub struct SizePlan {
    pub value: Codec,
    /// The bytes of any update, without those of its key, values, topic and headers.
    pub each: i64,
    /// The lengths of the topics of rows, by target.
    pub topics: HashMap<i32, i64>,
}

/// The store of one side.
#[derive(Debug)]
pub struct SidePlan {
    pub store: u16,
    pub values: Type,
    pub time: usize,
    pub bucket_ms: i64,
    pub segment_ms: i64,
    pub retention_ms: i64,
}

/// A row of a derived table.
#[derive(Debug)]
pub enum Row {
    Filter { keep: Expr, is_negated: bool },
    Shape(Shape),
}

/// The rows of a table that is looked up.
#[derive(Debug)]
pub enum View {
    /// Those of a store, presented by the aggregation of a node if they are parts.
    Stored { store: usize, presented_by: Option<usize> },
    /// Those that a node makes of each row of another table.
    Derived { node: usize, of: Box<View> },
    /// Those of another table before the updates that wait in a buffer.
    Held { buffer: usize, of: Box<View> },
    /// Those that a join makes of the rows of both sides.
    Joined { node: usize, left: Box<View>, right: Box<View> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowKind {
    Time,
    /// Days, weeks, months or years of a time zone, whose starts the store lists.
    Calendar,
    Sliding,
    Session,
}

#[derive(Debug)]
pub struct Window {
    pub kind: WindowKind,
    pub size_ms: i64,
    pub advance_ms: i64,
    pub grace_ms: i64,
    /// The stream time of its records, or that of each input of the cogroup before it.
    pub times: Vec<usize>,
    /// The stream time up to which windows were sent, if they are sent when they close.
    pub closed: Option<usize>,
}

#[derive(Debug)]
pub enum Aggregator {
    Count,
    Reduce {
        add: Expr,
        subtract: Option<Expr>,
    },
    /// `adds` has one expression for each input of the cogroup before it, else one.
    Expressions {
        init: Expr,
        adds: Vec<Expr>,
        subtract: Option<Expr>,
        merge: Option<Expr>,
    },
    Functions(Vec<Fold>),
}

#[derive(Debug)]
pub struct Fold {
    pub id: u32,
    pub name: Arc<str>,
    pub of: Option<Expr>,
    pub function: FoldFunction,
    /// The type of sums of decimals.
    pub sums: Option<Digits>,
    /// The type of averages of decimals.
    pub averages: Option<Digits>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldFunction {
    Count,
    Sum,
    /// A sum from which values are taken back.
    SumOfRows,
    Average,
    Least,
    Greatest,
    First,
    Last,
    /// The same over rows, which may be taken back: all values are kept.
    LeastOfRows,
    GreatestOfRows,
    FirstOfRows,
    LastOfRows,
}

impl Plan {
    /// True if each row is processed as if it were alone.
    pub fn is_stateless(&self) -> bool {
        let compares_rows = |node: &Node| matches!(node.op, Op::Subscriptions(_) | Op::Hear { .. } | Op::Responses(_));
        self.stores.is_empty() && self.times.is_empty() && !self.nodes.iter().any(compares_rows)
    }

    /// Reads a plan.
    pub fn read(text: &[u8]) -> Known<Plan> {
        let any = Type::Any;
        let json = json::read(text, &any, false).map_err(|_| Unknown("a plan that is not JSON".into()))?;
        let mut reader = Reader::default();
        let nodes = reader.list(get(&json, "nodes")?, Reader::node)?;
        let mut entrances = reader.list(get(&json, "entrances")?, Reader::entrance)?;
        for entrance in &mut entrances {
            reads::mark(entrance, &nodes);
        }
        let mut stores = reader.list(get(&json, "stores")?, Reader::store)?;
        for node in &nodes {
            if let Op::Aggregate { store, by: Aggregator::Reduce { .. } | Aggregator::Expressions { .. }, .. } = node.op
                && let Some(store) = stores.get_mut(store)
            {
                store.may_grow = store.values.holds_any();
            }
        }
        Ok(Plan {
            nodes,
            entrances,
            stores,
            joins: reader.list(get(&json, "joins")?, Reader::join)?,
            buffers: reader.list(get(&json, "buffers")?, Reader::buffer)?,
            waiting: reader.list(get(&json, "waiting")?, |reader, json| {
                Ok(WaitingPlan {
                    store: number(get(json, "store")?)?,
                    key: reader.codec(get(json, "key")?)?,
                    values: reader.type_(get(json, "values")?)?,
                    time: index(get(json, "time")?)?,
                    grace_ms: int(get(json, "grace_ms")?)?,
                })
            })?,
            times: reader.list(get(&json, "times")?, |_, name| text_of(name).map(str::to_owned))?,
            flushes: reader.list(get(&json, "flushes")?, |_, node| index(node))?,
        })
    }
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
}

impl Reader {
    fn list<T>(&mut self, json: &Val, read: impl Fn(&mut Reader, &Val) -> Known<T>) -> Known<Vec<T>> {
        items(json)?.iter().map(|item| read(self, item)).collect()
    }

    fn optional<T>(&mut self, json: &Val, read: impl Fn(&mut Reader, &Val) -> Known<T>) -> Known<Option<T>> {
        if json.is_null() { Ok(None) } else { read(self, json).map(Some) }
    }

    fn id(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|each| each == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u32::try_from(place).unwrap_or(UNNAMED)
    }

    fn entrance(&mut self, json: &Val) -> Known<Entrance> {
        Ok(Entrance {
            target: number(get(json, "target")?)?,
            key: self.codec(get(json, "key")?)?,
            value: self.codec(get(json, "value")?)?,
            is_change: flag(get(json, "is_change")?)?,
            node: index(get(json, "node")?)?,
            to: self.list(get(json, "to")?, |_, node| index(node))?,
        })
    }

    fn store(&mut self, json: &Val) -> Known<StorePlan> {
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

    fn join(&mut self, json: &Val) -> Known<JoinPlan> {
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

    fn buffer(&mut self, json: &Val) -> Known<BufferPlan> {
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

    fn node(&mut self, json: &Val) -> Known<Node> {
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

    fn codec(&mut self, json: &Val) -> Known<Codec> {
        let inner = |reader: &mut Reader| reader.codec(get(json, "inner")?).map(Box::new);
        Ok(match text_of(get(json, "format")?)? {
            "json" => Codec::Json(self.type_(get(json, "type")?)?, Reads::All, Decimals::AsNumbers),
            "json_key" => Codec::Json(self.type_(get(json, "type")?)?, Reads::All, Decimals::Refused),
            "packed" => Codec::Packed(self.type_(get(json, "type")?)?, Reads::All),
            "avro" => Codec::Avro(Box::new(self.avro(json)?)),
            "json_schema" => Codec::JsonSchema(Box::new(JsonSchema {
                frame: self.frame(json)?,
                type_: self.type_(get(json, "type")?)?,
                rule: self.rule(get(json, "rule")?)?,
            })),
            "protobuf" => Codec::Protobuf(Box::new(self.protobuf(json)?)),
            "string" => Codec::Text,
            "bytes" => Codec::Bytes,
            "long" => Codec::Long,
            "integer" => Codec::Integer,
            "double" => Codec::Double,
            "boolean" => Codec::Bool,
            "none" => Codec::Nothing,
            "unread" => Codec::Unread,
            "windowed" => Codec::Windowed(inner(self)?),
            "windowed_json" => Codec::WindowedJson,
            "windowed_kafka" => Codec::WindowedKafka(inner(self)?),
            "windowed_session" => Codec::WindowedSession(inner(self)?),
            "windowed_plain" => Codec::WindowedPlain(inner(self)?),
            other => return Err(Unknown(format!("the format {other}"))),
        })
    }

    fn avro(&mut self, json: &Val) -> Known<Avro> {
        Ok(Avro {
            frame: self.frame(json)?,
            readers: self.list(get(json, "readers")?, Reader::avro_read)?,
            writer: self.avro_write(get(json, "writer")?)?,
        })
    }

    fn frame(&mut self, json: &Val) -> Known<Frame> {
        let mut ids = HashMap::new();
        for pair in items(get(json, "ids")?)? {
            let pair = items(pair)?;
            let id = match at(pair, 0)? {
                Val::Str(guid) => Id::Guid(frame::read_uuid(guid).map_err(|_| Unknown("such a GUID".into()))?),
                id => Id::Number(number(id)?),
            };
            ids.insert(id, index(at(pair, 1)?)?);
        }
        Ok(Frame {
            place: match text_of(get(json, "frame")?)? {
                "none" => Place::None,
                "any" => Place::Any,
                "id" => Place::Before,
                other => return Err(Unknown(format!("the frame {other}"))),
            },
            header: text_of(get(json, "header")?)?.to_owned(),
            ids,
            prefix: self.list(get(json, "prefix")?, |_, byte| number(byte))?,
        })
    }

    fn rule(&mut self, json: &Val) -> Known<Rule> {
        let limits = |reader: &mut Reader, name: &str| -> Known<Limits> {
            let pair = items(get(json, name)?)?;
            let most = reader.optional(at(pair, 1)?, |_, most| index(most))?;
            Ok(Limits { least: index(at(pair, 0)?)?, most })
        };
        Ok(Rule {
            words: self.list(get(json, "words")?, |_, word| {
                Ok(match text_of(word)? {
                    "null" => Word::Null,
                    "boolean" => Word::Boolean,
                    "integer" => Word::Integer,
                    "number" => Word::Number,
                    "string" => Word::Text,
                    "array" => Word::Array,
                    "object" => Word::Object,
                    other => return Err(Unknown(format!("the type {other} in JSON Schema"))),
                })
            })?,
            takes_null: flag(get(json, "takes_null")?)?,
            choices: self
                .optional(get(json, "choices")?, |reader, all| reader.list(all, |_, value| Ok(value.keep())))?,
            members: self.list(get(json, "members")?, |reader, member| {
                let parts = items(member)?;
                let name = text_of(at(parts, 0)?)?;
                Ok(Property {
                    id: reader.id(name),
                    name: name.to_owned(),
                    is_required: flag(at(parts, 1)?)?,
                    rule: reader.rule(at(parts, 2)?)?,
                })
            })?,
            others: match get(json, "others")? {
                Val::Null | Val::Bool(true) => Others::Taken,
                Val::Bool(false) => Others::Refused,
                rule => Others::By(Box::new(self.rule(rule)?)),
            },
            item: self.optional(get(json, "item")?, Reader::rule)?.map(Box::new),
            item_count: limits(self, "items")?,
            length: limits(self, "length")?,
            bounds: self.list(get(json, "bounds")?, |_, pair| {
                let pair = items(pair)?;
                let bound = match text_of(at(pair, 0)?)? {
                    "least" => Bound::Least,
                    "most" => Bound::Most,
                    "above" => Bound::Above,
                    "below" => Bound::Below,
                    other => return Err(Unknown(format!("the limit {other} in JSON Schema"))),
                };
                Ok((bound, at(pair, 1)?.keep()))
            })?,
        })
    }

    fn protobuf(&mut self, json: &Val) -> Known<Protobuf> {
        Ok(Protobuf {
            frame: self.frame(json)?,
            indexes: self.list(get(json, "indexes")?, |reader, of| {
                reader.list(of, |reader, bytes| reader.list(bytes, |_, byte| number(byte)))
            })?,
            messages: self.list(get(json, "messages")?, |reader, message| {
                reader.list(message, Reader::protobuf_field).map(Message::new)
            })?,
        })
    }

    fn protobuf_field(&mut self, json: &Val) -> Known<protobuf::Field> {
        let name = text_of(get(json, "name")?)?;
        let of = self.protobuf_type(get(json, "of")?)?;
        Ok(protobuf::Field {
            number: number(get(json, "number")?)?,
            id: self.id(name),
            name: name.to_owned(),
            label: match text_of(get(json, "label")?)? {
                "one" => Label::One,
                "list" => Label::List,
                "map" => Label::Map(self.protobuf_type(get(json, "key")?)?),
                other => return Err(Unknown(format!("a field of Protobuf that is {other}"))),
            },
            missing: match get(json, "missing")? {
                Val::Null => Missing::Null,
                Val::Bool(_) => Missing::Zero,
                default => match (&of, at(items(default)?, 0)?) {
                    (Of::Double | Of::Float, Val::Int(number)) => Missing::Default(Val::Double(*number as f64)),
                    (_, default) => Missing::Default(default.keep()),
                },
            },
            of,
            has_presence: flag(get(json, "has_presence")?)?,
            is_required: flag(get(json, "is_required")?)?,
            is_packed: flag(get(json, "is_packed")?)?,
            oneof: self.optional(get(json, "oneof")?, |_, json| number(json))?,
        })
    }

    fn protobuf_type(&mut self, json: &Val) -> Known<Of> {
        let parts = match json {
            Val::Str(name) => {
                return Ok(match &**name {
                    "int32" => Of::Int32,
                    "int64" => Of::Int64,
                    "uint32" => Of::Uint32,
                    "uint64" => Of::Uint64,
                    "sint32" => Of::Sint32,
                    "sint64" => Of::Sint64,
                    "fixed32" => Of::Fixed32,
                    "fixed64" => Of::Fixed64,
                    "sfixed32" => Of::Sfixed32,
                    "sfixed64" => Of::Sfixed64,
                    "float" => Of::Float,
                    "double" => Of::Double,
                    "bool" => Of::Bool,
                    "string" => Of::Text,
                    "bytes" => Of::Bytes,
                    "timestamp" => Of::Timestamp,
                    "duration" => Of::Duration,
                    "any" => Of::Any(protobuf::ANY.map(|name| self.id(name))),
                    other => return Err(Unknown(format!("{other} in Protobuf"))),
                });
            }
            other => items(other)?,
        };
        Ok(match text_of(at(parts, 0)?)? {
            "enum" => Of::Enum(
                self.list(at(parts, 1)?, |_, pair| {
                    let pair = items(pair)?;
                    Ok((number(at(pair, 0)?)?, text_of(at(pair, 1)?)?.to_owned()))
                })?,
                flag(at(parts, 2)?)?,
            ),
            "message" => Of::Message(index(at(parts, 1)?)?),
            "wrapper" => Of::Wrapper(Box::new(self.protobuf_type(at(parts, 1)?)?)),
            other => return Err(Unknown(format!("{other} in Protobuf"))),
        })
    }

    fn avro_read(&mut self, json: &Val) -> Known<avro::Read> {
        use avro::Read;
        let parts = items(json)?;
        let boxed = |reader: &mut Reader| reader.avro_read(at(parts, 1)?).map(Box::new);
        Ok(match text_of(at(parts, 0)?)? {
            "null" => Read::Null,
            "boolean" => Read::Bool,
            "int" => Read::Int,
            "long" => Read::Long,
            "int_as_double" => Read::IntAsDouble,
            "long_as_double" => Read::LongAsDouble,
            "float" => Read::Float,
            "double" => Read::Double,
            "text" => Read::Text,
            "bytes" => Read::Bytes,
            "text_as_bytes" => Read::TextAsBytes,
            "fixed" => Read::Fixed(index(at(parts, 1)?)?),
            "decimal" => Read::Decimal(digits(parts)?, self.optional(at(parts, 3)?, |_, size| index(size))?),
            "uuid" => Read::Uuid,
            "duration" => Read::Duration(avro::DURATION.map(|name| self.id(name))),
            "enum" => Read::Enum(self.list(at(parts, 1)?, |reader, symbol| {
                reader.optional(symbol, |_, symbol| text_of(symbol).map(str::to_owned))
            })?),
            "list" => Read::List(boxed(self)?),
            "map" => Read::Map(boxed(self)?),
            "union" => {
                Read::Union(self.list(at(parts, 1)?, |reader, option| reader.optional(option, Reader::avro_read))?)
            }
            "record" => Read::Record {
                fields: self.list(at(parts, 1)?, |reader, field| {
                    let pair = items(field)?;
                    let name = reader.optional(at(pair, 0)?, |_, name| text_of(name).map(str::to_owned))?;
                    let id = name.as_deref().map_or(UNNAMED, |name| reader.id(name));
                    Ok(ReadField { id, name, read: reader.avro_read(at(pair, 1)?)?, is_read: true })
                })?,
                order: self.optional(at(parts, 2)?, |reader, order| {
                    reader.list(order, |reader, slot| {
                        if let Val::Int(_) = slot {
                            return Ok(Slot::Written(index(slot)?));
                        }
                        let pair = items(slot)?;
                        let name = text_of(at(pair, 0)?)?.to_owned();
                        let id = reader.id(&name);
                        Ok(Slot::Default { id, name, value: at(pair, 1)?.keep(), is_read: true })
                    })
                })?,
            },
            other => return Err(Unknown(format!("{other} in Avro"))),
        })
    }

    fn avro_write(&mut self, json: &Val) -> Known<avro::Write> {
        use avro::Write;
        let parts = items(json)?;
        let boxed = |reader: &mut Reader, place: usize| reader.avro_write(at(parts, place)?).map(Box::new);
        Ok(match text_of(at(parts, 0)?)? {
            "null" => Write::Null,
            "boolean" => Write::Bool,
            "int" => Write::Int,
            "long" => Write::Long,
            "float" => Write::Float,
            "double" => Write::Double,
            "text" => Write::Text,
            "bytes" => Write::Bytes,
            "fixed" => Write::Fixed(index(at(parts, 1)?)?),
            "decimal" => Write::Decimal(digits(parts)?, self.optional(at(parts, 3)?, |_, size| index(size))?),
            "uuid" => Write::Uuid,
            "duration" => Write::Duration(avro::DURATION.map(|name| self.id(name))),
            "enum" => Write::Enum(self.list(at(parts, 1)?, |_, symbol| text_of(symbol).map(str::to_owned))?),
            "list" => Write::List(boxed(self, 1)?),
            "map" => Write::Map(boxed(self, 1)?),
            "nullable" => Write::Nullable(
                self.optional(at(parts, 1)?, |_, index| number(index))?,
                number(at(parts, 2)?)?,
                boxed(self, 3)?,
            ),
            "record" => Write::Record(self.list(at(parts, 1)?, |reader, field| {
                let parts = items(field)?;
                let name = text_of(at(parts, 0)?)?.to_owned();
                let (id, write) = (reader.id(&name), reader.avro_write(at(parts, 1)?)?);
                Ok(WriteField { id, name, write, missing: at(parts, 2)?.keep() })
            })?),
            other => return Err(Unknown(format!("{other} in Avro"))),
        })
    }

    fn type_(&mut self, json: &Val) -> Known<Type> {
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

    fn expr(&mut self, json: &Val) -> Known<Expr> {
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

    fn exprs(&mut self, json: &Val) -> Known<Vec<Expr>> {
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

fn get<'v, 'a>(json: &'v Val<'a>, name: &str) -> Known<&'v Val<'a>> {
    match json {
        Val::Struct(members) => members
            .iter()
            .find(|member| *member.name == *name)
            .map(|member| &member.value)
            .ok_or_else(|| Unknown(format!("a plan without {name}"))),
        _ => Err(Unknown(format!("a plan that is no object beside {name}"))),
    }
}

fn items<'v, 'a>(json: &'v Val<'a>) -> Known<&'v [Val<'a>]> {
    match json {
        Val::List(items) => Ok(items),
        _ => Err(Unknown("a plan without a list".into())),
    }
}

fn at<'v, 'a>(items: &'v [Val<'a>], place: usize) -> Known<&'v Val<'a>> {
    items.get(place).ok_or_else(|| Unknown("a plan with a short list".into()))
}

fn text_of<'v>(json: &'v Val) -> Known<&'v str> {
    match json {
        Val::Str(text) => Ok(text),
        _ => Err(Unknown("a plan without a text".into())),
    }
}

fn int(json: &Val) -> Known<i64> {
    match json {
        Val::Int(number) => Ok(*number),
        _ => Err(Unknown("a plan without a number".into())),
    }
}

/// The digits of a decimal type: its name, its precision and its scale.
fn digits(parts: &[Val]) -> Known<Digits> {
    Ok(Digits { precision: number(at(parts, 1)?)?, scale: number(at(parts, 2)?)? })
}

fn number<T: TryFrom<i64>>(json: &Val) -> Known<T> {
    T::try_from(int(json)?).map_err(|_| Unknown("a number in a plan that is too large".into()))
}

fn index(json: &Val) -> Known<usize> {
    number(json)
}

fn flag(json: &Val) -> Known<bool> {
    match json {
        Val::Bool(value) => Ok(*value),
        _ => Err(Unknown("a plan without true or false".into())),
    }
}
