//! The border to librdkafka: records from partitions into columns, and from columns into a producer's queue.
//!
//! confluent-kafka owns the clients and does everything else. Its calls for records make a Python object of each.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bindings::{HeldBlobs, HeldInts, blobs, borrow_blobs, borrow_ints, numbers};
use crate::rows::Bytes;
use crate::value::Unsure;

/// `rd_kafka_message_t` of rdkafka.h.
#[repr(C)]
struct Message {
    error: c_int,
    topic: *mut c_void,
    partition: i32,
    payload: *const u8,
    length: usize,
    key: *const u8,
    key_length: usize,
    offset: i64,
    private: *mut c_void,
}

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

/// `rd_kafka_topic_partition_t` of rdkafka.h.
#[repr(C)]
struct Place {
    topic: Text,
    partition: i32,
    offset: i64,
}

// values of rd_kafka_event_type_t
const FETCHED: c_int = 2;
const FAILED: c_int = 8;

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
type Queue = *mut c_void;
type Event = *mut c_void;
type Topic = *mut c_void;
type Text = *const c_char;

functions! {
    queue_new: unsafe extern "C" fn(Client) -> Queue,
    queue_get_partition: unsafe extern "C" fn(Client, Text, i32) -> Queue,
    queue_forward: unsafe extern "C" fn(Queue, Queue),
    queue_destroy: unsafe extern "C" fn(Queue),
    queue_poll: unsafe extern "C" fn(Queue, c_int) -> Event,
    event_type: unsafe extern "C" fn(Event) -> c_int,
    event_message_next: unsafe extern "C" fn(Event) -> *const Message,
    event_error: unsafe extern "C" fn(Event) -> c_int,
    event_error_string: unsafe extern "C" fn(Event) -> Text,
    event_topic_partition: unsafe extern "C" fn(Event) -> *mut Place,
    event_destroy: unsafe extern "C" fn(Event),
    topic_partition_destroy: unsafe extern "C" fn(*mut Place),
    message_timestamp: unsafe extern "C" fn(*const Message, *mut c_int) -> i64,
    message_headers: unsafe extern "C" fn(*const Message, *mut *mut c_void) -> c_int,
    header_get_all: unsafe extern "C" fn(*const c_void, usize, *mut Text, *mut *const c_void, *mut usize) -> c_int,
    topic_name: unsafe extern "C" fn(*const c_void) -> Text,
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

/// Messages of one partition. `end` is the offset after the last of them, `errors` are codes with their words.
struct Run {
    handle: usize,
    topic: String,
    partition: i32,
    end: i64,
    errors: Vec<(i32, String)>,
    offsets: Vec<i64>,
    timestamps: Vec<i64>,
    keys: Bytes,
    values: Bytes,
    headers: Vec<(usize, Headers)>,
}

type Headers = Vec<(String, Option<Vec<u8>>)>;

#[pymethods]
impl Librdkafka {
    /// `find(name)` gives the address of a function. It must be one of the librdkafka whose clients come later.
    #[new]
    fn new(find: &Bound<'_, PyAny>) -> PyResult<Librdkafka> {
        Functions::load(find).map(Librdkafka)
    }

    /// Opens a queue that gets what arrives from partitions, which must not be assigned yet. Close it before the consumer.
    ///
    /// Errors of the whole client, tokens and the like stay in the consumer's own queue, where confluent-kafka expects
    /// them: its callbacks end the process if they are called in the middle of any other call.
    fn open(&self, consumer: usize, places: Vec<(String, i32)>) -> PyResult<usize> {
        let places = places
            .into_iter()
            .map(|(topic, partition)| Ok((CString::new(topic)?, partition)))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(self.forward(consumer as Client, &places) as usize)
    }

    /// The messages that wait in a queue, up to a number, by partition. Waits `timeout_ms` for the first.
    fn take<'py>(
        &self,
        py: Python<'py>,
        queue: usize,
        most: usize,
        timeout_ms: i32,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let runs = py.detach(|| self.read_all(queue as Queue, most, timeout_ms));
        let runs =
            runs.map_err(|Unsure| PyValueError::new_err("messages of more than 2 GiB, or names that are no text"))?;
        runs.into_iter().map(|run| run.give(py)).collect()
    }

    fn close(&self, queue: usize) {
        self.end(queue as Queue);
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

// SAFETY of all below: the callers hold the clients, whose addresses they gave, for the length of a call. Pointers of a
// message are read before it is destroyed, and librdkafka copies what it is given to produce.
#[allow(unsafe_code)]
impl Librdkafka {
    fn forward(&self, consumer: Client, places: &[(CString, i32)]) -> Queue {
        let functions = &self.0;
        unsafe {
            let queue = (functions.queue_new)(consumer);
            for (topic, partition) in places {
                let source = (functions.queue_get_partition)(consumer, topic.as_ptr(), *partition);
                if !source.is_null() {
                    (functions.queue_forward)(source, queue);
                    (functions.queue_destroy)(source);
                }
            }
            queue
        }
    }

    fn end(&self, queue: Queue) {
        unsafe { (self.0.queue_destroy)(queue) }
    }

    // events, because librdkafka's call for many messages calls the client's callbacks for errors of a topic
    fn read_all(&self, queue: Queue, most: usize, timeout_ms: i32) -> Result<Vec<Run>, Unsure> {
        let mut runs = Runs { all: Vec::new(), last: 0 };
        let mut result = Ok(());
        for number in 0..most {
            let timeout_ms = if number == 0 { timeout_ms } else { 0 };
            let event = unsafe { (self.0.queue_poll)(queue, timeout_ms) };
            if event.is_null() {
                break;
            }
            if result.is_ok() {
                result = match unsafe { (self.0.event_type)(event) } {
                    FETCHED => self.read_messages(event, &mut runs),
                    FAILED => {
                        self.read_error(event, &mut runs);
                        Ok(())
                    }
                    _ => Ok(()),
                };
            }
            unsafe { (self.0.event_destroy)(event) };
        }
        result.map(|()| runs.all)
    }

    fn read_messages(&self, event: Event, runs: &mut Runs) -> Result<(), Unsure> {
        while let Some(message) = unsafe { (self.0.event_message_next)(event).as_ref() } {
            let run = runs.find(message.topic as usize, message.partition, || unsafe {
                read_text((self.0.topic_name)(message.topic))
            });
            run.end = run.end.max(message.offset + 1);
            run.offsets.push(message.offset);
            run.timestamps.push(unsafe { (self.0.message_timestamp)(message, null_mut()) });
            run.keys.push(unsafe { read_memory(message.key, message.key_length) })?;
            run.values.push(unsafe { read_memory(message.payload, message.length) })?;
            let mut all = null_mut();
            if unsafe { (self.0.message_headers)(message, &raw mut all) } == 0 {
                run.headers.push((run.offsets.len() - 1, self.read_headers(all)?));
            }
        }
        Ok(())
    }

    fn read_error(&self, event: Event, runs: &mut Runs) {
        let place = unsafe { (self.0.event_topic_partition)(event) };
        let (topic, partition, offset) = match unsafe { place.as_ref() } {
            None => (String::new(), 0, 0),
            Some(place) => (unsafe { read_text(place.topic) }, place.partition, place.offset),
        };
        if !place.is_null() {
            unsafe { (self.0.topic_partition_destroy)(place) };
        }
        let code = unsafe { (self.0.event_error)(event) };
        let words = unsafe { read_text((self.0.event_error_string)(event)) };
        let run = runs.find(0, partition, || topic);
        run.end = run.end.max(offset);
        run.errors.push((code, words));
    }

    fn read_headers(&self, all: *const c_void) -> Result<Headers, Unsure> {
        let mut found = Vec::new();
        let (mut name, mut start, mut size) = (null(), null(), 0);
        while unsafe { (self.0.header_get_all)(all, found.len(), &raw mut name, &raw mut start, &raw mut size) } == 0 {
            let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| Unsure)?;
            let value = unsafe { read_memory(start.cast(), size) };
            found.push((name.to_owned(), value.map(<[u8]>::to_vec)));
        }
        Ok(found)
    }

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

#[allow(unsafe_code)]
unsafe fn read_text(text: *const c_char) -> String {
    if text.is_null() { String::new() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() }
}

#[allow(unsafe_code)]
unsafe fn read_memory<'a>(start: *const u8, size: usize) -> Option<&'a [u8]> {
    if start.is_null() { None } else { Some(unsafe { std::slice::from_raw_parts(start, size) }) }
}

/// What arrived, by partition.
struct Runs {
    all: Vec<Run>,
    last: usize,
}

impl Runs {
    /// The run of a partition. Its topic is known by the address that librdkafka gives it, or by its name.
    fn find(&mut self, handle: usize, partition: i32, name: impl FnOnce() -> String) -> &mut Run {
        let is_of = |run: &Run| run.partition == partition && handle != 0 && run.handle == handle;
        if !self.all.get(self.last).is_some_and(is_of) {
            self.last = self.all.iter().position(is_of).unwrap_or_else(|| self.find_named(partition, name()));
            self.all[self.last].handle = handle;
        }
        &mut self.all[self.last]
    }

    fn find_named(&mut self, partition: i32, topic: String) -> usize {
        let known = self.all.iter().position(|run| run.partition == partition && run.topic == topic);
        known.unwrap_or_else(|| {
            self.all.push(Run::new(topic, partition));
            self.all.len() - 1
        })
    }
}

impl Run {
    fn new(topic: String, partition: i32) -> Run {
        Run {
            handle: 0,
            topic,
            partition,
            end: 0,
            errors: Vec::new(),
            offsets: Vec::new(),
            timestamps: Vec::new(),
            keys: Bytes::new(0, 0),
            values: Bytes::new(0, 0),
            headers: Vec::new(),
        }
    }

    fn give<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        result.set_item("topic", self.topic)?;
        result.set_item("partition", self.partition)?;
        result.set_item("end", self.end)?;
        result.set_item("errors", self.errors)?;
        result.set_item("count", self.offsets.len())?;
        result.set_item("offsets", numbers(py, &self.offsets, |n| n.to_le_bytes())?)?;
        result.set_item("timestamps", numbers(py, &self.timestamps, |n| n.to_le_bytes())?)?;
        result.set_item("keys", blobs(py, self.keys)?)?;
        result.set_item("values", blobs(py, self.values)?)?;
        let as_bytes = |value: Option<Vec<u8>>| value.map(|value| PyBytes::new(py, &value));
        let headers = self
            .headers
            .into_iter()
            .map(|(row, all)| (row, all.into_iter().map(|(name, value)| (name, as_bytes(value))).collect::<Vec<_>>()));
        result.set_item("headers", headers.collect::<Vec<_>>())?;
        Ok(result)
    }
}
