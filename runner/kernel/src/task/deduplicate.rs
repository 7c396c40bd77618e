//! The first record of each identity (`runner/engine/operators/deduplicate.py`).

use crate::expr::Roles;
use crate::json;
use crate::plan::Op;
use crate::task::{NULL_KEY, Place, SILENT, Task, observe};
use crate::value::{Sure, Unsure, Val};

/// The time of an identity that was never seen.
const NEVER: i64 = i64::MIN;

impl<'p> Task<'p, '_> {
    /// True if a record goes no further: it has no key, or a record of the same identity is remembered.
    pub(super) fn is_repeat(
        &mut self,
        node: usize,
        key: &Val<'p>,
        roles: &Roles<'_, 'p>,
        at: Place<'_, 'p>,
    ) -> Sure<bool> {
        let plan = self.plan;
        let Op::Deduplicate { store, key: codec, by, within_ms, time } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let mut identity = [self.number.to_be_bytes(), store.to_be_bytes()].concat();
        identity.push(b'i');
        let start = identity.len();
        let has_identity = match (codec, by) {
            (Some(_), _) if key.is_null() => {
                self.note(node, NULL_KEY, at, None)?;
                return Ok(true);
            }
            (Some(codec), _) => codec.encode(key, &mut identity)?,
            (None, Some(by)) => {
                let value = by.eval(roles)?;
                if !value.is_null() {
                    json::write(&value, &mut identity)?;
                }
                !value.is_null()
            }
            (None, None) => return Err(Unsure),
        };
        observe(&mut self.times[*time], roles.timestamp);
        let horizon = self.times[*time].value - within_ms;
        self.seen.entry(node).or_default(); // the flush forgets, even if this batch sees nothing new
        if !has_identity || roles.timestamp <= horizon {
            return Ok(false);
        }
        let seen = self.seen.entry(node).or_default();
        let first = match seen.get(&identity[start..]) {
            Some((first, _)) => *first,
            None => match self.fetch.get(&identity)? {
                None => NEVER,
                Some(data) => i64::from_be_bytes(data.as_slice().try_into().map_err(|_| Unsure)?),
            },
        };
        if first > horizon {
            seen.entry(identity[start..].to_vec()).or_insert((first, false));
            self.count(node, SILENT);
            return Ok(true);
        }
        seen.insert(identity[start..].to_vec(), (roles.timestamp, true));
        Ok(false)
    }
}
