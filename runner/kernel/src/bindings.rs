//! The border to Python: plans, columns of rows, and what a batch gives.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use bumpalo::Bump;
use pyo3::buffer::PyBuffer;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::functions;
use crate::librdkafka::Librdkafka;
use crate::lmdb::Lmdb;
use crate::murmur2;
use crate::plan::{self, Op};
use crate::rows::{Blobs, Bytes, Ints, Output, Rows};
use crate::state::{HeldState, Lent, LentState, State};
use crate::store::Store;
use crate::task::{self, COUNTERS, Seen, TIMED, Task};
use crate::value::{Sure, Unsure};

create_exception!(
    streamwright_kernel,
    Panicked,
    PyException,
    "The kernel failed. The text names the node and says why."
);

thread_local! {
    /// True while this thread processes a batch: its panics are caught and told.
    static IS_PROCESSING: Cell<bool> = const { Cell::new(false) };
}

/// A compiled plan of one sub-topology. It keeps nothing between batches.
#[pyclass(frozen)]
struct Plan(plan::Plan);

/// Arrow's buffers of a column: which rows have a value, the ends of values, their bytes, and the first row.
pub type HeldBlobs = (Option<PyBuffer<i8>>, PyBuffer<i8>, Option<PyBuffer<i8>>, usize);

/// A number for each row, with the place of the first, or the same number for all.
#[derive(FromPyObject)]
pub enum HeldInts {
    Same(i64),
    Each(PyBuffer<i8>, usize),
}

#[pymethods]
impl Plan {
    #[new]
    fn new(json: &[u8]) -> PyResult<Plan> {
        plan::Plan::read(json).map(Plan).map_err(|unknown| PyValueError::new_err(unknown.0))
    }

    /// True if each row is processed as if it were alone.
    #[getter]
    fn is_stateless(&self) -> bool {
        self.0.is_stateless()
    }

    /// Processes rows in Arrow's buffers.
    #[allow(clippy::too_many_arguments)]
    fn run<'py>(
        &self,
        py: Python<'py>,
        task: u16,
        state: Option<Py<PyAny>>,
        count: usize,
        targets: HeldInts,
        timestamps: HeldInts,
        keys: HeldBlobs,
        values: HeldBlobs,
        headers: Option<HeldBlobs>,
        numbers: HeldInts,
        offsets: HeldInts,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let rows = Rows {
            count,
            targets: borrow_ints(&targets, i32::to_le_bytes)?,
            keys: borrow_blobs(&keys),
            values: borrow_blobs(&values),
            timestamps: borrow_ints(&timestamps, i64::to_le_bytes)?,
            headers: headers.as_ref().map(borrow_blobs),
            numbers: borrow_ints(&numbers, i32::to_le_bytes)?,
            offsets: borrow_ints(&offsets, i64::to_le_bytes)?,
        };
        self.run_rows(py, task, state, &rows)
    }
}

impl Plan {
    /// What the batch gives, or None if the Python engine must take it. Raises Panicked.
    fn run_rows<'py>(
        &self,
        py: Python<'py>,
        number: u16,
        state: Option<Py<PyAny>>,
        rows: &Rows,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let at_work = AtomicUsize::new(0);
        let lent = state.as_ref().map(|state| Lent::take(state.bind(py), number)).transpose()?.flatten();
        let outcome = py.detach(|| {
            IS_PROCESSING.set(true);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let mut held = HeldState(state.as_ref());
                let mut lent = lent.as_ref().map(|lent| LentState::new(lent, held)).transpose()?;
                let fetch = lent.as_mut().map_or(&mut held as &mut dyn State, |lent| lent);
                process(&self.0, number, fetch, rows, &at_work)
            }));
            IS_PROCESSING.set(false);
            outcome
        });
        match outcome {
            Ok(Ok(result)) => result.give(py, &self.0).map(Some),
            Ok(Err(Unsure)) => Ok(None),
            Err(panic) => {
                let name = self.0.nodes.get(at_work.load(Ordering::Relaxed)).map_or("", |node| node.name.as_str());
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let why = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                Err(Panicked::new_err(format!("node {name}: {why}")))
            }
        }
    }
}

/// Everything that a batch changed.
struct Outcome {
    output: Output,
    for_python: Vec<task::ForPython>,
    counters: Vec<u64>,
    inputs: Vec<u64>,
    samples: Vec<task::Sample>,
    last_samples: Vec<task::Sample>,
    lines: Vec<task::Line>,
    spent: Vec<std::time::Duration>,
    writes: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    deleted_ranges: Vec<(Vec<u8>, Vec<u8>)>,
    seen: BTreeMap<usize, Seen>,
    times: Vec<i64>,
}

fn process(plan: &plan::Plan, number: u16, fetch: &mut dyn State, rows: &Rows, at_work: &AtomicUsize) -> Sure<Outcome> {
    let arena = Bump::new();
    let prefix = [number.to_be_bytes(), u16::MAX.to_be_bytes()].concat();
    let names: Vec<Vec<u8>> = plan.times.iter().map(|name| [&prefix, name.as_bytes()].concat()).collect();
    let mut task = Task::new(plan, number, rows, fetch, at_work, &arena);
    task.read_state(&names)?;
    task.run()?;
    let mut writes = Vec::new();
    let mut deleted_ranges = Vec::new();
    for store in &task.stores {
        for place in &store.dirty {
            let entry = &store.entries[*place];
            if entry.row.is_some() {
                writes.push((entry.key.clone(), Store::write(entry)?));
                writes.extend(store.write_past(*place)?);
            }
        }
        let changes = store.list_index_changes();
        writes.extend(changes.into_iter().map(|(key, is_there)| (key, is_there.then(|| vec![0]))));
        writes.extend(store.list_time_changes());
        if let Some(retention) = store.plan.retention {
            let newest = task.times[retention.time];
            if newest.has_advanced {
                deleted_ranges.extend(store.list_expired(newest.value));
            }
        }
    }
    for join in &task.joins {
        join.list_changes(&task.times, &mut writes, &mut deleted_ranges)?;
    }
    task.foreign_keys.list_changes(plan, number, &mut writes)?;
    for waiting in &task.waiting {
        waiting.list_changes(&mut writes)?;
    }
    for buffer in &task.buffers {
        buffer.list_changes(rows, &task.earlier_rows, &mut writes)?;
    }
    for (name, time) in names.into_iter().zip(&task.times) {
        if time.has_advanced {
            writes.push((name, Some(time.value.to_be_bytes().to_vec())));
        }
    }
    // the state puts them in order anyway: it reads objects faster that were made in that order
    writes.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(Outcome {
        output: task.output,
        for_python: task.for_python,
        counters: task.counters,
        inputs: task.inputs,
        samples: task.samples,
        last_samples: task.last_samples,
        lines: task.lines,
        spent: task.spent,
        writes,
        deleted_ranges,
        seen: task.seen,
        times: task.times.iter().map(|time| time.value).collect(),
    })
}

impl Outcome {
    fn give<'py>(self, py: Python<'py>, plan: &plan::Plan) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        result.set_item("count", self.output.count())?;
        result.set_item("targets", numbers(py, &self.output.targets, |n| n.to_le_bytes())?)?;
        result.set_item("timestamps", numbers(py, &self.output.timestamps, |n| n.to_le_bytes())?)?;
        result.set_item("keys", blobs(py, self.output.keys)?)?;
        result.set_item("values", blobs(py, self.output.values)?)?;
        result.set_item("headers", blobs(py, self.output.headers)?)?;
        result.set_item("numbers", numbers(py, &self.output.numbers, |n| n.to_le_bytes())?)?;
        result.set_item("offsets", numbers(py, &self.output.offsets, |n| n.to_le_bytes())?)?;
        result.set_item("for_python", self.for_python)?;
        let counts = self.counters.iter().enumerate().filter(|(_, count)| **count > 0);
        let counts: Vec<_> = counts.map(|(place, count)| (place / COUNTERS, place % COUNTERS, *count)).collect();
        result.set_item("counters", counts)?;
        let inputs = plan.entrances.iter().zip(self.inputs).filter(|(_, count)| *count > 0);
        result.set_item("inputs", inputs.map(|(way, count)| (way.target, count)).collect::<Vec<_>>())?;
        result.set_item("samples", self.samples)?;
        result.set_item("last_samples", self.last_samples)?;
        let lines = self.lines.iter().map(|(node, key, window, value, time, headers)| {
            let bytes = |data: &Option<Vec<u8>>| data.as_ref().map(|data| PyBytes::new(py, data));
            (*node, bytes(key), *window, bytes(value), *time, headers.as_deref())
        });
        result.set_item("lines", lines.collect::<Vec<_>>())?;
        result
            .set_item("seconds", self.spent.iter().map(|spent| (*spent * TIMED).as_secs_f64()).collect::<Vec<_>>())?;
        let writes = self
            .writes
            .iter()
            .map(|(key, value)| (PyBytes::new(py, key), value.as_ref().map(|value| PyBytes::new(py, value))));
        result.set_item("writes", writes.collect::<Vec<_>>())?;
        let ranges = self.deleted_ranges.iter().map(|(start, end)| (PyBytes::new(py, start), PyBytes::new(py, end)));
        result.set_item("deleted_ranges", ranges.collect::<Vec<_>>())?;
        let seen = self.seen.iter().map(|(node, seen)| {
            let Op::Deduplicate { time, .. } = &plan.nodes[*node].op else { return (*node, 0, Vec::new()) };
            let first = seen.iter().filter(|(_, (_, is_new))| *is_new);
            (*node, self.times[*time], first.map(|(id, (at, _))| (PyBytes::new(py, id), *at)).collect())
        });
        result.set_item("seen", seen.collect::<Vec<_>>())?;
        Ok(result)
    }
}

pub fn numbers<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    all: &[T],
    write: fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, all.len() * N, |data| {
        for (place, number) in data.as_chunks_mut().0.iter_mut().zip(all) {
            *place = write(*number);
        }
        Ok(())
    })
}

/// Bytes that Arrow reads in place.
#[pyclass(frozen)]
pub struct Memory(Vec<u8>);

#[pymethods]
impl Memory {
    // SAFETY: the bytes never change, and the view holds this object.
    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = &slf.get().0;
        let size = ffi::Py_ssize_t::try_from(bytes.len())?;
        let start = bytes.as_ptr().cast_mut().cast();
        match unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, size, 1, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}

pub type Column<'py> = (usize, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Memory);

pub fn blobs(py: Python<'_>, column: Bytes) -> PyResult<Column<'_>> {
    let ends = numbers(py, &column.ends, |n: i32| n.to_le_bytes())?;
    Ok((column.null_count, PyBytes::new(py, &column.valid), ends, Memory(column.data)))
}

/// The bytes of a buffer, for as long as the buffer is held.
fn bytes_of(buffer: &PyBuffer<i8>) -> &[u8] {
    if buffer.item_count() == 0 {
        return &[];
    }
    // SAFETY: the buffer is contiguous and held. Arrow never changes its buffers, and `runner/engine/kernel` passes no
    // others.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts(buffer.buf_ptr().cast::<u8>(), buffer.len_bytes())
    }
}

pub fn borrow_ints<T: TryFrom<i64>, const N: usize>(held: &HeldInts, write: fn(T) -> [u8; N]) -> PyResult<Ints<'_, N>> {
    Ok(match held {
        HeldInts::Same(number) => {
            let number = T::try_from(*number).map_err(|_| PyValueError::new_err("a number that is too large"))?;
            Ints::Same(write(number))
        }
        HeldInts::Each(buffer, first) => Ints::Each(bytes_of(buffer).as_chunks().0.get(*first..).unwrap_or(&[])),
    })
}

pub fn borrow_blobs((valid, ends, data, first): &HeldBlobs) -> Blobs<'_> {
    Blobs {
        valid: valid.as_ref().map(bytes_of),
        ends: bytes_of(ends).as_chunks().0,
        data: data.as_ref().map_or(&[][..], bytes_of),
        first: *first,
    }
}

/// The names of the functions that the kernel knows.
#[pyfunction]
fn known_functions() -> Vec<&'static str> {
    functions::names()
}

/// Kafka's hash of each key, as bytes of 32-bit numbers. That of a null is 0.
#[pyfunction]
fn hash_keys<'py>(py: Python<'py>, count: usize, keys: HeldBlobs) -> PyResult<Bound<'py, PyBytes>> {
    let keys = borrow_blobs(&keys);
    let hashes = (0..count).map(|row| Ok(keys.get(row)?.map_or(0, murmur2::hash_key))).collect::<Sure<Vec<u32>>>();
    let hashes = hashes.map_err(|Unsure| PyValueError::new_err("a column is shorter than its rows"))?;
    numbers(py, &hashes, u32::to_le_bytes)
}

#[pymodule]
fn streamwright_kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // the run's log says it once, with the node
        if !IS_PROCESSING.get() {
            others(panic);
        }
    }));
    module.add_class::<Plan>()?;
    module.add_class::<Librdkafka>()?;
    module.add_class::<Lmdb>()?;
    module.add_function(wrap_pyfunction!(known_functions, module)?)?;
    module.add_function(wrap_pyfunction!(hash_keys, module)?)?;
    module.add("Panicked", module.py().get_type::<Panicked>())
}
