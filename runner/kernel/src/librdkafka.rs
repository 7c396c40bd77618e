//! The border to librdkafka: records from columns into a producer's queue.
//!
//! confluent-kafka owns the clients and does everything else. Its calls for records make a Python object of each.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::bindings::{HeldBlobs, HeldInts, borrow_blobs, borrow_ints};
use crate::value::Unsure;

/// `rd_kafka_vu_t` of rdkafka.h: one property of a record to produce.
#[repr(C)]
struct Property {
    kind: c_int,
    value: PropertyValue,
}

#[repr(C)]
union PropertyValue {
    pointer: *mut c_void,
    int: c_int,
    int64: i64,
    memory: Memory,
    padding: [u8; 64],
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Memory {
    start: *const u8,
    size: usize,
}

// values of rd_kafka_vtype_t, and flags
const TOPIC: c_int = 2;
const VALUE: c_int = 4;
const KEY: c_int = 5;
const FLAGS: c_int = 7;
const TIMESTAMP: c_int = 8;
const COPY: c_int = 2;
const UNKNOWN: c_int = -1;

/// Declares the functions of librdkafka that we call, by their names in rdkafka.h without `rd_kafka_`.
macro_rules! functions {
    ($($name:ident: $type:ty,)*) => {
        struct Functions {
            $($name: $type,)*
        }

        impl Functions {
            fn load(find: &Bound<'_, PyAny>) -> PyResult<Functions> {
                // SAFETY: rdkafka.h declares these types for these names, and never changes them.
                #[allow(unsafe_code)]
                Ok(unsafe {
                    Functions {
                        $($name: std::mem::transmute::<usize, $type>(
                            find_function(find, stringify!($name))?,
                        ),)*
                    }
                })
            }
        }
    };
}
type Client = *mut c_void;
type Topic = *mut c_void;
type Text = *const c_char;

functions! {
    topic_new: unsafe extern "C" fn(Client, Text, *mut c_void) -> Topic,
    topic_destroy: unsafe extern "C" fn(Topic),
    produceva: unsafe extern "C" fn(Client, *const Property, usize) -> *mut c_void,
    error_code: unsafe extern "C" fn(*const c_void) -> c_int,
    error_destroy: unsafe extern "C" fn(*mut c_void),
    last_error: unsafe extern "C" fn() -> c_int,
}

/// librdkafka as this process has loaded it. Clients are given as the addresses of their `rd_kafka_t`.
#[pyclass(frozen)]
pub struct Librdkafka(Functions);

#[pymethods]
impl Librdkafka {
    /// `find(name)` gives the address of a function. It must be one of the librdkafka whose clients come later.
    #[new]
    fn new(find: &Bound<'_, PyAny>) -> PyResult<Librdkafka> {
        Functions::load(find).map(Librdkafka)
    }

    /// Queues records from the row `first` on. Returns the row after the last that was queued, and the error code of
    /// that row: 0 if all are queued.
    #[allow(clippy::too_many_arguments)]
    fn produce(
        &self,
        py: Python<'_>,
        producer: usize,
        topic: &str,
        first: usize,
        count: usize,
        timestamps: HeldInts,
        keys: HeldBlobs,
        values: HeldBlobs,
    ) -> PyResult<(usize, i32)> {
        let topic = CString::new(topic)?;
        let timestamps = borrow_ints(&timestamps, i64::to_le_bytes)?;
        let (keys, values) = (borrow_blobs(&keys), borrow_blobs(&values));
        let queued = py.detach(|| {
            let mut rows = (first..count)
                .map(|row| Ok((i64::from_le_bytes(timestamps.get(row)?), keys.get(row)?, values.get(row)?)));
            self.put(producer as *mut c_void, &topic, first, &mut rows)
        });
        queued.map_err(|Unsure| PyValueError::new_err("a column is shorter than its rows"))
    }
}

fn find_function(find: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    let address: usize = find.call1((format!("rd_kafka_{name}"),))?.extract()?;
    if address == 0 { Err(PyValueError::new_err(format!("librdkafka has no rd_kafka_{name}"))) } else { Ok(address) }
}

type Record<'a> = (i64, Option<&'a [u8]>, Option<&'a [u8]>);

// SAFETY of all below: the caller holds the client, whose address it gave, for the length of a call, and librdkafka
// copies what it is given to produce.
#[allow(unsafe_code)]
impl Librdkafka {
    fn put(
        &self,
        producer: *mut c_void,
        topic: &CStr,
        first: usize,
        records: &mut dyn Iterator<Item = Result<Record<'_>, Unsure>>,
    ) -> Result<(usize, i32), Unsure> {
        let functions = &self.0;
        let opened = unsafe { (functions.topic_new)(producer, topic.as_ptr(), null_mut()) };
        if opened.is_null() {
            return Ok((first, unsafe { (functions.last_error)() }));
        }
        let mut result = Ok(0);
        let mut row = first;
        for record in records {
            result = record.map(|record| self.put_one(producer, opened, record));
            if !matches!(result, Ok(0)) {
                break;
            }
            row += 1;
        }
        unsafe { (functions.topic_destroy)(opened) };
        result.map(|code| (row, code))
    }

    /// Queues one record. Returns an error code, or 0.
    fn put_one(&self, producer: *mut c_void, topic: *mut c_void, (timestamp, key, value): Record) -> c_int {
        let memory = |bytes: Option<&[u8]>| Memory {
            start: bytes.map_or(null(), <[u8]>::as_ptr),
            size: bytes.map_or(0, <[u8]>::len),
        };
        let properties = [
            Property { kind: TOPIC, value: PropertyValue { pointer: topic } },
            Property { kind: VALUE, value: PropertyValue { memory: memory(value) } },
            Property { kind: KEY, value: PropertyValue { memory: memory(key) } },
            Property { kind: FLAGS, value: PropertyValue { int: COPY } },
            Property { kind: TIMESTAMP, value: PropertyValue { int64: timestamp } },
        ];
        unsafe {
            let error = (self.0.produceva)(producer, properties.as_ptr(), properties.len());
            if error.is_null() {
                return 0;
            }
            let code = (self.0.error_code)(error);
            (self.0.error_destroy)(error);
            if code == 0 { UNKNOWN } else { code }
        }
    }
}
