//! Open tables: what stands in one outside its cells moves before it.

use super::super::tags::{self, Tag};
use super::Reader;

/// A table, or a cell of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableLevel {
    /// Outside cells; whether a paragraph was open before the table.
    Structure {
        paragraph_open: bool,
    },
    Cell,
}

impl Reader<'_> {
    pub(super) fn between_cells(&self) -> bool {
        matches!(self.tables.last(), Some(TableLevel::Structure { .. }))
    }

    pub(super) fn start_table_part(&mut self, tag: Tag) {
        match tag {
            tags::TABLE => {
                if self.between_cells() {
                    self.needs_tree();
                }
                self.tables.push(TableLevel::Structure {
                    paragraph_open: self.paragraph_open,
                });
            }
            tags::TD | tags::TH | tags::CAPTION => {
                if self.between_cells() {
                    self.tables.push(TableLevel::Cell);
                }
                self.paragraph_open &= self.tables.is_empty();
            }
            _ if self.rules.is_table_part() => self.leave_cell(),
            _ => {}
        }
    }

    pub(super) fn leave_cell(&mut self) {
        if self.tables.last() == Some(&TableLevel::Cell) {
            self.tables.pop();
        }
    }

    pub(super) fn end_table_part(&mut self, tag: Tag) {
        if tag == tags::TABLE {
            self.leave_cell();
            if let Some(TableLevel::Structure { paragraph_open }) = self.tables.pop() {
                self.paragraph_open = paragraph_open;
            }
        } else if self.rules.is_table_part() {
            self.leave_cell();
        }
    }
}
