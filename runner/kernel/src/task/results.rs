//! Results on their way out of the task: into topics and through shuffles.

use crate::plan::Op;
use crate::task::grouped_table::write_change;
use crate::task::{BEFORE_SHUFFLE, Place, Task};
use crate::value::{Sure, Unsure, Val};

impl<'p> Task<'p, '_> {
    pub(super) fn emit(&mut self, node: usize, key: &Val, value: &Val, time: i64, at: Place) -> Sure<()> {
        let plan = self.plan;
        let Op::Emit { target, key: key_codec, value: value_codec, same_keys, same_values, stamp } =
            &plan.nodes[node].op
        else {
            return Err(Unsure);
        };
        let read = self.rows.get(self.read)?;
        if at.key.is_some_and(|read_key| read_key.is_same(key)) && same_keys.contains(&read.target) {
            self.output.keys.push(if key.is_null() { None } else { read.key })?;
        } else {
            let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
            self.output.keys.close(has_key)?;
        }
        if at.value.is_some_and(|read_value| read_value.is_same(value)) && same_values.contains(&read.target) {
            self.output.values.push(if value.is_null() { None } else { read.value })?;
        } else {
            let has_value = !value.is_null() && value_codec.encode(value, &mut self.output.values.data)?;
            self.output.values.close(has_value)?;
        }
        self.finish_stamped(*target, time, at, |headers| match stamp {
            None => Ok(None),
            Some(stamp) => stamp.write(headers, !key.is_null(), !value.is_null()),
        })
    }

    /// Finishes a result, whose key and value are there, with what it has of the row of which it is a consequence.
    pub(super) fn finish(&mut self, target: i32, time: i64, at: Place) -> Sure<()> {
        self.finish_stamped(target, time, at, |_| Ok(None))
    }

    /// Finishes a result to which `stamp` may give other headers.
    pub(super) fn finish_stamped(
        &mut self,
        target: i32,
        time: i64,
        at: Place,
        stamp: impl FnOnce(Option<&str>) -> Sure<Option<String>>,
    ) -> Sure<()> {
        let (headers, number, offset) = match self.earlier_rows.get(at.row) {
            Some(row) => (row.headers.as_deref(), row.number, row.offset),
            None => {
                let row = self.rows.get(at.row)?;
                (row.headers, row.number, row.offset)
            }
        };
        let headers = headers.filter(|_| at.keeps_headers);
        let stamped = stamp(headers)?;
        let headers = stamped.as_deref().or(headers).filter(|text| stamped.is_none() || !text.is_empty());
        self.output.finish(target, time, headers, number, offset)
    }

    /// Sends a record through a shuffle.
    pub(super) fn shuffle(&mut self, node: usize, key: &Val, value: &Val, time: i64, at: Place) -> Sure<()> {
        let plan = self.plan;
        let Op::Shuffle { target, key: key_codec, value: value_codec, keeps_null_keys } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        if key.is_null() && !keeps_null_keys {
            self.note(node, BEFORE_SHUFFLE, at, None)?;
            return Ok(());
        }
        let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
        self.output.keys.close(has_key)?;
        let has_value = !value.is_null() && value_codec.encode(value, &mut self.output.values.data)?;
        self.output.values.close(has_value)?;
        self.finish(*target, time, at)
    }

    /// Sends an update of a table through a shuffle, with its new and its old value.
    pub(super) fn shuffle_update(
        &mut self,
        node: usize,
        key: &Val,
        new: &Val,
        old: &Val,
        time: i64,
        at: Place,
    ) -> Sure<()> {
        let plan = self.plan;
        let Op::Shuffle { target, key: key_codec, value: value_codec, .. } = &plan.nodes[node].op else {
            return Err(Unsure);
        };
        let has_key = !key.is_null() && key_codec.encode(key, &mut self.output.keys.data)?;
        self.output.keys.close(has_key)?;
        write_change(&mut self.output.values.data, new, old, |value, out| value_codec.encode(value, out))?;
        self.output.values.close(true)?;
        self.finish(*target, time, at)
    }
}
