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

/// A column of numbers that enters: one for each row in Arrow's little-endian form, or the same for all.
#[derive(Debug, Clone, Copy)]
pub enum Ints<'a, const N: usize> {
    Same([u8; N]),
    Each(&'a [[u8; N]]),
}

impl<const N: usize> Ints<'_, N> {
    pub fn get(&self, index: usize) -> Sure<[u8; N]> {
        match self {
            Ints::Same(number) => Ok(*number),
            Ints::Each(numbers) => numbers.get(index).copied().ok_or(Unsure),
        }
    }
}

/// A column of bytes that enters, in Arrow's form. `first` is the place of its first row.
#[derive(Debug, Clone, Copy)]
pub struct Blobs<'a> {
    pub valid: Option<&'a [u8]>,
    pub ends: &'a [[u8; 4]],
    pub data: &'a [u8],
    pub first: usize,
}

impl<'a> Blobs<'a> {
    pub fn get(&self, index: usize) -> Sure<Option<&'a [u8]>> {
        let index = self.first + index;
        if let Some(valid) = self.valid
            && valid.get(index / 8).ok_or(Unsure)? & (1 << (index % 8)) == 0
        {
            return Ok(None);
        }
        let [start, end] = self.ends.get(index..index + 2).ok_or(Unsure)? else { return Err(Unsure) };
        let place = |end: &[u8; 4]| usize::try_from(i32::from_le_bytes(*end)).map_err(|_| Unsure);
        self.data.get(place(start)?..place(end)?).map(Some).ok_or(Unsure)
    }
}

/// The rows that enter, column by column.
#[derive(Debug)]
pub struct Rows<'a> {
    pub count: usize,
    pub targets: Ints<'a, 4>,
    pub keys: Blobs<'a>,
    pub values: Blobs<'a>,
    pub timestamps: Ints<'a, 8>,
    pub headers: Option<Blobs<'a>>,
    pub numbers: Ints<'a, 4>,
    pub offsets: Ints<'a, 8>,
}

impl<'a> Rows<'a> {
    pub fn get(&self, index: usize) -> Sure<Row<'a>> {
        let headers = match &self.headers {
            None => None,
            Some(column) => column.get(index)?.map(std::str::from_utf8).transpose().map_err(|_| Unsure)?,
        };
        Ok(Row {
            target: i32::from_le_bytes(self.targets.get(index)?),
            key: self.keys.get(index)?,
            value: self.values.get(index)?,
            timestamp: i64::from_le_bytes(self.timestamps.get(index)?),
            headers,
            number: i32::from_le_bytes(self.numbers.get(index)?),
            offset: i64::from_le_bytes(self.offsets.get(index)?),
        })
    }
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
    /// Room for some rows with so many bytes.
    pub fn new(count: usize, size: usize) -> Bytes {
        let mut ends = Vec::with_capacity(count + 1);
        ends.push(0);
        Bytes { valid: Vec::with_capacity(count / 8 + 1), ends, data: Vec::with_capacity(size), ..Bytes::default() }
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
    /// Room for as many rows as there are, as large as they are.
    pub fn new(rows: &Rows) -> Output {
        let count = rows.count;
        Output {
            targets: Vec::with_capacity(count),
            timestamps: Vec::with_capacity(count),
            keys: Bytes::new(count, rows.keys.data.len()),
            values: Bytes::new(count, rows.values.data.len()),
            headers: Bytes::new(count, 0),
            numbers: Vec::with_capacity(count),
            offsets: Vec::with_capacity(count),
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
    pub fn finish(&mut self, target: i32, timestamp: i64, headers: Option<&str>, number: i32, offset: i64) -> Sure<()> {
        self.targets.push(target);
        self.timestamps.push(timestamp);
        self.headers.push(headers.map(str::as_bytes))?;
        self.numbers.push(number);
        self.offsets.push(offset);
        Ok(())
    }
}
