//! Rows that enter a task, column by column, and rows that leave it.

use crate::value::{Sure, Unsure};

/// Fixed parts of a row: see `runner/engine/records/record.py`.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub target: i32,
    pub key: Option<&'a [u8]>,
    pub value: Option<&'a [u8]>,
    pub timestamp: i64,
    pub headers: Option<&'a str>,
    pub number: i32,
    pub offset: i64,
}

/// A column of bytes in Arrow's form: a bit for each row that has some, their ends, and all bytes.
#[derive(Debug, Default)]
pub struct Bytes {
    pub valid: Vec<u8>,
    pub ends: Vec<i32>,
    pub data: Vec<u8>,
    pub count: usize,
    pub null_count: usize,
}

impl Bytes {
    pub fn new() -> Bytes {
        Bytes { ends: vec![0], ..Bytes::default() }
    }

    /// Closes a row whose bytes were appended to `data`.
    pub fn close(&mut self, is_present: bool) -> Sure<()> {
        if self.count.is_multiple_of(8) {
            self.valid.push(0);
        }
        if is_present {
            self.valid[self.count / 8] |= 1 << (self.count % 8);
        } else {
            self.null_count += 1;
        }
        self.count += 1;
        self.ends.push(i32::try_from(self.data.len()).map_err(|_| Unsure)?);
        Ok(())
    }

    pub fn push(&mut self, bytes: Option<&[u8]>) -> Sure<()> {
        if let Some(bytes) = bytes {
            self.data.extend(bytes);
        }
        self.close(bytes.is_some())
    }

    fn truncate(&mut self, count: usize) {
        while self.count > count {
            self.count -= 1;
            let bit = 1 << (self.count % 8);
            if self.valid[self.count / 8] & bit == 0 {
                self.null_count -= 1;
            }
            self.valid[self.count / 8] &= !bit;
            if self.count.is_multiple_of(8) {
                self.valid.pop();
            }
            self.ends.pop();
        }
        // an unfinished row may have left bytes
        self.data.truncate(self.ends.last().map_or(0, |end| usize::try_from(*end).unwrap_or(0)));
    }
}

/// Rows that leave.
#[derive(Debug)]
pub struct Output {
    pub targets: Vec<i32>,
    pub timestamps: Vec<i64>,
    pub keys: Bytes,
    pub values: Bytes,
    pub headers: Bytes,
    pub numbers: Vec<i32>,
    pub offsets: Vec<i64>,
}

impl Output {
    pub fn new() -> Output {
        Output {
            targets: Vec::new(),
            timestamps: Vec::new(),
            keys: Bytes::new(),
            values: Bytes::new(),
            headers: Bytes::new(),
            numbers: Vec::new(),
            offsets: Vec::new(),
        }
    }

    pub fn count(&self) -> usize {
        self.targets.len()
    }

    /// Takes back the rows after the first `count`, also one that is not finished.
    pub fn truncate(&mut self, count: usize) {
        self.targets.truncate(count);
        self.timestamps.truncate(count);
        self.keys.truncate(count);
        self.values.truncate(count);
        self.headers.truncate(count);
        self.numbers.truncate(count);
        self.offsets.truncate(count);
    }

    /// Finishes a row whose key and value are already there.
    pub fn finish(&mut self, target: i32, timestamp: i64, row: &Row) -> Sure<()> {
        self.targets.push(target);
        self.timestamps.push(timestamp);
        self.headers.push(row.headers.map(str::as_bytes))?;
        self.numbers.push(row.number);
        self.offsets.push(row.offset);
        Ok(())
    }
}
