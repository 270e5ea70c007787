//! How well an ordering of pages agrees with a directory.
//!
//! For one query page after another the similarities to all other pages are
//! computed and the pairs that the directory orders are counted: those on which
//! both agree, disagree, and those that the similarity leaves tied.

mod cocitation;
mod collection;
mod family;
mod ranking;
mod tally;

pub use cocitation::{cocitation_batch, cocitations, CocitationCount};
pub use collection::{Collection, Similarity, SimilarityScores, UnequalSums};
pub use family::{Family, Relation};
pub use ranking::Ranking;
pub use tally::{tally, Scores, Tally};
