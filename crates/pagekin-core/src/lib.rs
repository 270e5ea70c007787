//! The loops of pagekin that touch every byte or every posting: crawl bytes to
//! captures, pages, fragments, bags, sketches and an index, and back to answers. Plain Rust;
//! no Python in it.

pub mod audit;
pub mod bags;
pub mod columns;
pub mod concepts;
pub mod crawl;
pub mod evaluation;
pub mod extract;
pub mod fragments;
#[cfg(test)]
mod fuzzing;
pub mod graph;
pub mod hash;
pub mod index;
pub mod interrupt;
pub mod pages;
pub mod query;
pub mod sketches;
pub mod sorting;
pub mod spill;
pub mod strategy;
pub mod text;
pub mod url;
