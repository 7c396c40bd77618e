//! The kernel: runs the common part of the engine. The contract with Python is in README.md.

mod avro;
mod bindings;
mod codec;
mod decimal;
mod expr;
mod frame;
mod functions;
mod json;
mod json_schema;
mod librdkafka;
mod lmdb;
mod murmur2;
mod packing;
mod plan;
mod protobuf;
mod reads;
mod rows;
mod state;
mod store;
mod task;
mod value;
