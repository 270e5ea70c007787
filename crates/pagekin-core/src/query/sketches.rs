//! Sketches of bags, made when a search asks for them: an index has only the inverted ones, and a
//! small index has none.

use std::sync::OnceLock;

use crate::columns::Bag;
use crate::index::{Shard, TableError};
use crate::sketches::Sketcher;

/// How bags are sketched, and which pages the inverted tables list.
#[derive(Debug, Clone, Copy)]
pub struct SketchParams {
    /// How many values a sketch has.
    pub positions: usize,
    /// Chooses the hash functions.
    pub seed: u64,
    /// Pages with fewer inlinks are left out of the inverted tables.
    pub min_inlinks: u32,
}

impl SketchParams {
    /// The sketch of a bag.
    pub fn sketch(&self, bag: Bag<'_>) -> Vec<u32> {
        let mut sketcher = Sketcher::new(self.positions, self.seed);
        let mut sketch = vec![0; sketcher.positions()];
        sketcher.sketch(bag, &mut sketch);
        sketch
    }
}

/// The sketches of all bags of a shard, made once: `--min-agreement` compares them.
#[derive(Debug, Default)]
pub struct ShardSketches(OnceLock<Vec<u32>>);

impl ShardSketches {
    /// The sketches, row by row.
    pub fn of(&self, shard: &Shard, params: SketchParams) -> Result<&[u32], TableError> {
        if let Some(sketches) = self.0.get() {
            return Ok(sketches);
        }
        let mut sketcher = Sketcher::new(params.positions, params.seed);
        let m = sketcher.positions();
        let mut sketches = vec![0; shard.rows() * m];
        for (row, sketch) in sketches.chunks_exact_mut(m).enumerate() {
            sketcher.sketch(shard.bags().bag(row)?.bag(), sketch);
        }
        Ok(self.0.get_or_init(|| sketches))
    }
}
