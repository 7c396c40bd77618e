//! The kernel: runs the common part of the engine. The contract with Python is in README.md.

mod bindings;
mod codec;
mod expr;
mod functions;
mod json;
mod librdkafka;
mod plan;
mod reads;
mod rows;
mod store;
mod task;
mod value;
