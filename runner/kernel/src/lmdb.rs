//! The border to LMDB: rows of the state in transactions that py-lmdb began.
//!
//! py-lmdb opens the files, and begins, commits and aborts. Its calls for rows make a Python object of each.

use std::cmp::Ordering;
use std::ffi::{c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::packing::{self, Packed, Writes};

/// `MDB_val` of lmdb.h.
#[repr(C)]
struct Value {
    size: usize,
    data: *const u8,
}

impl Value {
    fn lend(bytes: &[u8]) -> Value {
        Value { size: bytes.len(), data: bytes.as_ptr() }
    }

    fn empty() -> Value {
        Value { size: 0, data: std::ptr::dangling() }
    }
}

type Txn = *mut c_void;
type Cursor = *mut c_void;

/// `MdbApi` of py-lmdb's mdb_api.h: the functions of one of the versions of LMDB that it is linked with.
#[repr(C)]
struct Functions {
    version: [c_int; 3],
    format: c_uint,
    of_environments: [usize; 20],
    of_transactions: [usize; 6],
    dbi_open: unsafe extern "C" fn(Txn, *const i8, c_uint, *mut c_uint) -> c_int,
    of_databases: [usize; 3],
    get: unsafe extern "C" fn(Txn, c_uint, *mut Value, *mut Value) -> c_int,
    of_rows: [usize; 3],
    cursor_open: unsafe extern "C" fn(Txn, c_uint, *mut Cursor) -> c_int,
    cursor_close: unsafe extern "C" fn(Cursor),
    cursor_get: unsafe extern "C" fn(Cursor, *mut Value, *mut Value, c_int) -> c_int,
    cursor_put: unsafe extern "C" fn(Cursor, *mut Value, *mut Value, c_uint) -> c_int,
    cursor_del: unsafe extern "C" fn(Cursor, c_uint) -> c_int,
}

// values of MDB_cursor_op
const NEXT: c_int = 8;
const SET_KEY: c_int = 16;
const SET_RANGE: c_int = 17;

const NOT_FOUND: c_int = -30798;

/// What LMDB answers if it cannot do something.
#[derive(Debug, Clone, Copy)]
pub struct Refused(pub c_int);

pub type Result<T> = std::result::Result<T, Refused>;
pub type Row<'t> = (&'t [u8], &'t [u8]);

/// The functions of a version of LMDB, at an address.
#[pyclass(frozen)]
pub struct Lmdb(&'static Functions);

impl Lmdb {
    /// The rows of a transaction of py-lmdb, which must not end before.
    pub fn rows<'t>(&self, txn: usize) -> Result<Rows<'t>> {
        let (functions, txn) = (self.0, txn as Txn);
        let (mut db, mut cursor) = (0, null_mut());
        // SAFETY: the caller promises that it is a transaction of these functions. CopyFile has opened the database, so
        // this only finds it.
        #[allow(unsafe_code)]
        unsafe {
            check((functions.dbi_open)(txn, c"rows".as_ptr(), 0, &raw mut db))?;
            check((functions.cursor_open)(txn, db, &raw mut cursor))?;
        }
        Ok(Rows { functions, txn, db, cursor, is_there: false, lent: PhantomData })
    }
}

#[pymethods]
impl Lmdb {
    /// Raises ValueError if there are no functions of a known version at the address.
    #[new]
    fn new(address: usize) -> PyResult<Lmdb> {
        // SAFETY: the caller found an `MdbApi` under its name in py-lmdb, which stays loaded.
        #[allow(unsafe_code)]
        let functions = unsafe { &*(address as *const Functions) };
        match (functions.version, functions.format) {
            ([0, 9, _], 1) | ([1, 0, _], 3) => Ok(Lmdb(functions)),
            (version, _) => Err(PyValueError::new_err(format!("LMDB {version:?}"))),
        }
    }

    /// Applies an encoded delta in a write transaction: 0, or LMDB's error. None, before any change, for long keys.
    fn apply(&self, txn: usize, delta: &[u8]) -> PyResult<Option<c_int>> {
        let Some(delta) = packing::read_delta(delta)? else { return Ok(None) };
        Ok(Some(self.rows(txn).and_then(|mut rows| delta.apply(&mut rows)).map_or_else(|refused| refused.0, |()| 0)))
    }

    /// The changes of a batch, packed for the changelog. None if Python must do it, because of long keys.
    #[allow(clippy::too_many_arguments)]
    fn pack<'py>(
        &self,
        py: Python<'py>,
        txn: usize,
        writes: Bound<'py, PyDict>,
        deleted_ranges: Bound<'py, PyList>,
        cursor: Bound<'py, PyBytes>,
        least: usize,
        piece: usize,
        most_undo: usize,
    ) -> PyResult<Option<Packed<'py>>> {
        let writes = Writes { writes, deleted_ranges, cursor, least, piece, most_undo };
        let Some(held) = packing::hold(&writes) else { return Ok(None) };
        let packed = self.rows(txn).and_then(|mut rows| packing::pack(py, &writes, &held, &mut rows));
        packed.map_err(|refused| PyOSError::new_err(format!("LMDB answers {} to the state.", refused.0)))
    }
}

fn check(answer: c_int) -> Result<()> {
    if answer == 0 { Ok(()) } else { Err(Refused(answer)) }
}

/// Rows in a transaction. Bytes of a read transaction are lent for as long as it lives.
pub struct Rows<'t> {
    functions: &'static Functions,
    txn: Txn,
    db: c_uint,
    cursor: Cursor,
    /// True if the cursor is at a row.
    is_there: bool,
    lent: PhantomData<&'t [u8]>,
}

impl<'t> Rows<'t> {
    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Result<Option<&'t [u8]>> {
        let (mut key, mut value) = (Value::lend(key), Value::empty());
        // SAFETY: LMDB reads the key, and lends the value for as long as the read transaction lives.
        #[allow(unsafe_code)]
        unsafe {
            let answer = (self.functions.get)(self.txn, self.db, &raw mut key, &raw mut value);
            if answer == NOT_FOUND {
                return Ok(None);
            }
            check(answer)?;
            Ok(Some(std::slice::from_raw_parts(value.data, value.size)))
        }
    }

    /// The value of a key, which is found faster near the one before.
    pub fn get_next(&mut self, key: &[u8]) -> Result<Option<&'t [u8]>> {
        Ok(self.move_to(key, SET_KEY)?.map(|(_, value)| value))
    }

    /// The first row from a key on.
    pub fn seek(&mut self, start: &[u8]) -> Result<Option<Row<'t>>> {
        if start.is_empty() { self.move_to(&[0], SET_RANGE) } else { self.move_to(start, SET_RANGE) }
    }

    /// The row after the one that was read last.
    pub fn next(&mut self) -> Result<Option<Row<'t>>> {
        if self.is_there { self.move_to(&[], NEXT) } else { Ok(None) }
    }

    fn move_to(&mut self, key: &[u8], how: c_int) -> Result<Option<Row<'t>>> {
        let (mut key, mut value) = (Value::lend(key), Value::empty());
        // SAFETY: as for `get`, with the key of the row too.
        #[allow(unsafe_code)]
        unsafe {
            let answer = (self.functions.cursor_get)(self.cursor, &raw mut key, &raw mut value, how);
            self.is_there = answer == 0;
            if answer == NOT_FOUND {
                return Ok(None);
            }
            check(answer)?;
            let row = std::slice::from_raw_parts(key.data, key.size);
            Ok(Some((row, std::slice::from_raw_parts(value.data, value.size))))
        }
    }

    /// Puts a row in a write transaction, fastest in order of keys.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let (mut key, mut value) = (Value::lend(key), Value::lend(value));
        // SAFETY: LMDB copies both.
        #[allow(unsafe_code)]
        check(unsafe { (self.functions.cursor_put)(self.cursor, &raw mut key, &raw mut value, 0) })
    }

    /// Deletes the row of a key, if there is one.
    pub fn delete(&mut self, key: &[u8]) -> Result<()> {
        if self.get_next(key)?.is_some() { self.delete_here() } else { Ok(()) }
    }

    /// Deletes the rows from one key to before another.
    pub fn delete_range(&mut self, start: &[u8], end: &[u8]) -> Result<()> {
        while let Some((key, _)) = self.seek(start)? {
            if key.cmp(end) != Ordering::Less {
                break;
            }
            self.delete_here()?;
        }
        Ok(())
    }

    fn delete_here(&mut self) -> Result<()> {
        // SAFETY: the cursor is at a row.
        #[allow(unsafe_code)]
        check(unsafe { (self.functions.cursor_del)(self.cursor, 0) })
    }
}

impl Drop for Rows<'_> {
    fn drop(&mut self) {
        // SAFETY: the transaction still lives, as the caller of `rows` promised.
        #[allow(unsafe_code)]
        unsafe {
            (self.functions.cursor_close)(self.cursor);
        }
    }
}
