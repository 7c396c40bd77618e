//! Several records of one (`runner/engine/operators/flat_map.py`).

use crate::expr::Roles;
use crate::plan::Op;
use crate::task::{EXTRA, Place, SILENT, Task, make};
use crate::value::{Sure, Unsure, Val};

/// Most records that flat maps make of one row. Python says what becomes of more.
const MAX_RESULTS: usize = 1_000_000;

impl<'p> Task<'p, '_> {
    pub(super) fn flat_map(&mut self, node: usize, roles: &Roles<'_, 'p>, at: Place<'_, 'p>) -> Sure<()> {
        let plan = self.plan;
        let to = &plan.nodes[node].to;
        let Roles { key, value, timestamp, .. } = *roles;
        let Op::FlatMap { items, key: new_key, value: shape } = &plan.nodes[node].op else { return Err(Unsure) };
        let Val::List(items) = items.eval(roles)? else { return Err(Unsure) };
        let mut made = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let roles = Roles { other: item, index: index as i64, ..*roles };
            let made_key = new_key.as_ref().map(|expr| expr.eval(&roles)).transpose()?;
            made.push((made_key, make(shape, &roles, value, &mut self.pool)?));
        }
        if self.flattened.0 != at.row {
            self.flattened = (at.row, 0);
        }
        self.flattened.1 += made.len();
        if self.flattened.1 > MAX_RESULTS {
            return Err(Unsure);
        }
        if made.is_empty() {
            self.count(node, SILENT);
        }
        for (index, (made_key, made)) in made.iter().enumerate() {
            if index > 0 {
                self.count(node, EXTRA);
            }
            self.send(to, made_key.as_ref().unwrap_or(key), made.as_ref().unwrap_or(value), timestamp, at)?;
        }
        Ok(())
    }
}
