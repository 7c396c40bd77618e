//! A plan of one sub-topology, as `runner/engine/kernel/plan_writer.py` writes it in JSON.
//! This file has what a plan is. Those below `plan/` read it.

mod expressions;
mod formats;
mod nodes;
mod reader;

use std::collections::HashMap;
use std::sync::Arc;

use crate::codec::Codec;
use crate::decimal::Digits;
use crate::expr::Expr;
use crate::frame::Stamp;
use crate::json::{self, Type};
use crate::plan::reader::{Reader, get, index, text_of};
use crate::reads;
use crate::store::StorePlan;

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
            waiting: reader.list(get(&json, "waiting")?, Reader::waiting)?,
            times: reader.list(get(&json, "times")?, |_, name| text_of(name).map(str::to_owned))?,
            flushes: reader.list(get(&json, "flushes")?, |_, node| index(node))?,
        })
    }
}
