//! The border to Python: plans, columns of rows, and what a batch gives.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::buffer::PyBuffer;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::functions;
use crate::plan;
use crate::rows::{Bytes, Output, Row};
use crate::store::Store;
use crate::task::{self, COUNTERS, TIMED, Task};
use crate::value::{Sure, Unsure};

create_exception!(
    streamwright_kernel,
    Panicked,
    PyException,
    "The kernel failed. The text names the node and says why."
);

/// A compiled plan of one sub-topology. It keeps nothing between batches.
#[pyclass(frozen)]
struct Plan(plan::Plan);

/// Arrow's buffers of a column: which rows have a value, the ends of values, their bytes, and the first row.
type Parts = (Option<PyBuffer<i8>>, PyBuffer<i8>, Option<PyBuffer<i8>>, usize);

/// A column as the border takes it: text and bytes with their ends, or fixed numbers.
struct Blobs {
    valid: Option<PyBuffer<i8>>,
    ends: PyBuffer<i8>,
    data: Option<PyBuffer<i8>>,
    first: usize,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(json: &[u8]) -> PyResult<Plan> {
        plan::Plan::read(json).map(Plan).map_err(|unknown| PyValueError::new_err(unknown.0))
    }

    /// Processes rows in lists, of one target and one input.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (task, state, target, number, offsets, timestamps, keys, values, headers))]
    fn run_lists<'py>(
        &self,
        py: Python<'py>,
        task: u16,
        state: Option<Py<PyAny>>,
        target: i32,
        number: i32,
        offsets: &Bound<'py, PyList>,
        timestamps: &Bound<'py, PyList>,
        keys: &Bound<'py, PyList>,
        values: &Bound<'py, PyList>,
        headers: &Bound<'py, PyList>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let count = offsets.len();
        if [timestamps.len(), keys.len(), values.len(), headers.len()].iter().any(|each| *each != count) {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        let keys = hold(keys)?;
        let values = hold(values)?;
        let headers = headers
            .iter()
            .map(|each| if each.is_none() { Ok(None) } else { Ok(Some(each.cast_into::<PyString>()?)) })
            .collect::<PyResult<Vec<_>>>()?;
        let mut rows = Vec::with_capacity(count);
        for index in 0..count {
            rows.push(Row {
                target,
                key: keys[index].as_ref().map(|bytes| bytes.as_bytes()),
                value: values[index].as_ref().map(|bytes| bytes.as_bytes()),
                timestamp: timestamps.get_item(index)?.extract()?,
                headers: headers[index].as_ref().map(|text| text.to_str()).transpose()?,
                number,
                offset: offsets.get_item(index)?.extract()?,
            });
        }
        self.run(py, task, state, &rows)
    }

    /// Processes rows in Arrow's buffers. Each column comes with the place of its first row.
    #[allow(clippy::too_many_arguments)]
    fn run_columns<'py>(
        &self,
        py: Python<'py>,
        task: u16,
        state: Option<Py<PyAny>>,
        count: usize,
        targets: (PyBuffer<i8>, usize),
        timestamps: (PyBuffer<i8>, usize),
        keys: Parts,
        values: Parts,
        headers: Option<Parts>,
        numbers: (PyBuffer<i8>, usize),
        offsets: (PyBuffer<i8>, usize),
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let make = |(valid, ends, data, first): Parts| Blobs { valid, ends, data, first };
        let (keys, values, headers) = (make(keys), make(values), headers.map(make));
        let mut rows = Vec::with_capacity(count);
        for index in 0..count {
            let headers = match &headers {
                None => None,
                Some(headers) => read_blob(headers, index)?
                    .map(std::str::from_utf8)
                    .transpose()
                    .map_err(|_| PyValueError::new_err("headers that are not text"))?,
            };
            rows.push(Row {
                target: i32::from_le_bytes(read_number(&targets, index)?),
                key: read_blob(&keys, index)?,
                value: read_blob(&values, index)?,
                timestamp: i64::from_le_bytes(read_number(&timestamps, index)?),
                headers,
                number: i32::from_le_bytes(read_number(&numbers, index)?),
                offset: i64::from_le_bytes(read_number(&offsets, index)?),
            });
        }
        self.run(py, task, state, &rows)
    }
}

impl Plan {
    /// What the batch gives, or None if the Python engine must take it. Raises Panicked.
    fn run<'py>(
        &self,
        py: Python<'py>,
        number: u16,
        state: Option<Py<PyAny>>,
        rows: &[Row],
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let at_work = AtomicUsize::new(0);
        let outcome =
            py.detach(|| catch_unwind(AssertUnwindSafe(|| process(&self.0, number, state.as_ref(), rows, &at_work))));
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
    hard: Vec<task::Hard>,
    counters: Vec<u64>,
    inputs: Vec<u64>,
    samples: Vec<task::Sample>,
    spent: Vec<std::time::Duration>,
    writes: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    deleted_ranges: Vec<(Vec<u8>, Vec<u8>)>,
}

fn process(
    plan: &plan::Plan,
    number: u16,
    state: Option<&Py<PyAny>>,
    rows: &[Row],
    at_work: &AtomicUsize,
) -> Sure<Outcome> {
    let mut fetch = |key: &[u8]| {
        let Some(state) = state else { return Err(Unsure) };
        Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
            let value = state.bind(py).call_method1("get", (PyBytes::new(py, key),))?;
            if value.is_none() { Ok(None) } else { Ok(Some(value.cast::<PyBytes>()?.as_bytes().to_vec())) }
        })
        .map_err(|_| Unsure)
    };
    let prefix = [number.to_be_bytes(), u16::MAX.to_be_bytes()].concat();
    let names: Vec<Vec<u8>> = plan.times.iter().map(|name| [&prefix, name.as_bytes()].concat()).collect();
    let mut task = Task::new(plan, number, rows, &mut fetch, at_work);
    task.read_times(&names)?;
    task.run()?;
    let mut writes = Vec::new();
    let mut deleted_ranges = Vec::new();
    for store in &task.stores {
        for place in &store.dirty {
            let entry = &store.entries[*place];
            if entry.row.is_some() {
                writes.push((entry.key.clone(), Store::write(entry)?));
            }
        }
        if let Some(retention) = store.plan.retention {
            let newest = task.times[retention.time];
            let first = newest.value - retention.kept_ms;
            if newest.has_advanced && first > 0 {
                let bound = |time: i64| [store.prefix(), &time.to_be_bytes()].concat();
                deleted_ranges.push((bound(0), bound(first)));
            }
        }
    }
    for (name, time) in names.into_iter().zip(&task.times) {
        if time.has_advanced {
            writes.push((name, Some(time.value.to_be_bytes().to_vec())));
        }
    }
    Ok(Outcome {
        output: task.output,
        hard: task.hard,
        counters: task.counters,
        inputs: task.inputs,
        samples: task.samples,
        spent: task.spent,
        writes,
        deleted_ranges,
    })
}

impl Outcome {
    fn give<'py>(self, py: Python<'py>, plan: &plan::Plan) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        result.set_item("count", self.output.count())?;
        result.set_item("targets", numbers(py, &self.output.targets, |n| n.to_le_bytes()))?;
        result.set_item("timestamps", numbers(py, &self.output.timestamps, |n| n.to_le_bytes()))?;
        result.set_item("keys", blobs(py, &self.output.keys))?;
        result.set_item("values", blobs(py, &self.output.values))?;
        result.set_item("headers", blobs(py, &self.output.headers))?;
        result.set_item("numbers", numbers(py, &self.output.numbers, |n| n.to_le_bytes()))?;
        result.set_item("offsets", numbers(py, &self.output.offsets, |n| n.to_le_bytes()))?;
        result.set_item("hard", self.hard)?;
        let counts = self.counters.iter().enumerate().filter(|(_, count)| **count > 0);
        let counts: Vec<_> = counts.map(|(place, count)| (place / COUNTERS, place % COUNTERS, *count)).collect();
        result.set_item("counters", counts)?;
        let inputs = plan.entrances.iter().zip(self.inputs).filter(|(_, count)| *count > 0);
        result.set_item("inputs", inputs.map(|(way, count)| (way.target, count)).collect::<Vec<_>>())?;
        result.set_item("samples", self.samples)?;
        result
            .set_item("seconds", self.spent.iter().map(|spent| (*spent * TIMED).as_secs_f64()).collect::<Vec<_>>())?;
        let writes = self
            .writes
            .iter()
            .map(|(key, value)| (PyBytes::new(py, key), value.as_ref().map(|value| PyBytes::new(py, value))));
        result.set_item("writes", writes.collect::<Vec<_>>())?;
        let ranges = self.deleted_ranges.iter().map(|(start, end)| (PyBytes::new(py, start), PyBytes::new(py, end)));
        result.set_item("deleted_ranges", ranges.collect::<Vec<_>>())?;
        Ok(result)
    }
}

fn numbers<'py, T: Copy, const N: usize>(py: Python<'py>, all: &[T], write: fn(T) -> [u8; N]) -> Bound<'py, PyBytes> {
    let mut data = Vec::with_capacity(all.len() * N);
    for number in all {
        data.extend(write(*number));
    }
    PyBytes::new(py, &data)
}

type Column<'py> = (usize, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn blobs<'py>(py: Python<'py>, column: &Bytes) -> Column<'py> {
    let ends = numbers(py, &column.ends, |n: i32| n.to_le_bytes());
    (column.null_count, PyBytes::new(py, &column.valid), ends, PyBytes::new(py, &column.data))
}

fn hold<'py>(list: &Bound<'py, PyList>) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
    let read = |each: Bound<'py, PyAny>| if each.is_none() { Ok(None) } else { Ok(Some(each.cast_into::<PyBytes>()?)) };
    list.iter().map(read).collect()
}

fn too_short() -> PyErr {
    PyValueError::new_err("a column is shorter than its rows")
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

fn read_number<const N: usize>((buffer, first): &(PyBuffer<i8>, usize), index: usize) -> PyResult<[u8; N]> {
    let start = (first + index) * N;
    bytes_of(buffer).get(start..start + N).and_then(|bytes| bytes.try_into().ok()).ok_or_else(too_short)
}

fn read_blob(column: &Blobs, index: usize) -> PyResult<Option<&[u8]>> {
    let index = column.first + index;
    if let Some(valid) = &column.valid
        && bytes_of(valid).get(index / 8).ok_or_else(too_short)? & (1 << (index % 8)) == 0
    {
        return Ok(None);
    }
    let read = |index: usize| -> PyResult<usize> {
        let bytes = bytes_of(&column.ends).get(index * 4..index * 4 + 4).ok_or_else(too_short)?;
        let end = i32::from_le_bytes(bytes.try_into().map_err(|_| too_short())?);
        usize::try_from(end).map_err(|_| too_short())
    };
    let data = column.data.as_ref().map_or(&[][..], bytes_of);
    data.get(read(index)?..read(index + 1)?).map(Some).ok_or_else(too_short)
}

/// The names of the functions that the kernel knows.
#[pyfunction]
fn known_functions() -> Vec<&'static str> {
    functions::names()
}

#[pymodule]
fn streamwright_kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    std::panic::set_hook(Box::new(|_| {})); // the run's log says it once, with the node
    module.add_class::<Plan>()?;
    module.add_function(wrap_pyfunction!(known_functions, module)?)?;
    module.add("Panicked", module.py().get_type::<Panicked>())
}
