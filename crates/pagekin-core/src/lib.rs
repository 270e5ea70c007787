//! The loops of pagekin that touch every byte or every posting: crawl bytes to
//! captures, pages, fragments, bags, sketches and an index, and back to answers. Plain Rust;
//! no Python in it.

pub mod address;
pub mod bags;
pub mod concepts;
pub mod crawl;
pub mod evaluation;
pub mod exchange;
pub mod extract;
pub mod fragments;
pub mod graph;
pub mod hash;
pub mod index;
mod memory;
pub mod pages;
pub mod query;
pub mod sketches;
pub mod strategy;
pub mod text;
