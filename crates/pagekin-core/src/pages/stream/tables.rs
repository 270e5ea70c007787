//! Open tables: content inside a table but outside its cells moves before it (foster parenting).

use super::super::tags::{self, Rules, Tag};

/// A table, or a cell of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableLevel {
    /// Outside cells; whether a paragraph was open before the table.
    Structure {
        in_paragraph: bool,
    },
    Cell,
}

/// The open tables and cells, the innermost last.
#[derive(Debug, Default)]
pub(super) struct TableStack(Vec<TableLevel>);

impl TableStack {
    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether content here is in a table but in no cell.
    #[inline]
    pub(super) fn is_between_cells(&self) -> bool {
        matches!(self.0.last(), Some(TableLevel::Structure { .. }))
    }

    /// The start tag of a table or one of its parts.
    pub(super) fn start(&mut self, tag: Tag, rules: Rules, in_paragraph: &mut bool) {
        match tag {
            tags::TABLE => self.0.push(TableLevel::Structure {
                in_paragraph: *in_paragraph,
            }),
            tags::TD | tags::TH | tags::CAPTION => {
                if self.is_between_cells() {
                    self.0.push(TableLevel::Cell);
                }
                *in_paragraph &= self.0.is_empty();
            }
            _ if rules.is_table_part() => self.leave_cell(),
            _ => {}
        }
    }

    /// The end tag of a table or one of its parts.
    pub(super) fn end(&mut self, tag: Tag, rules: Rules, in_paragraph: &mut bool) {
        if tag == tags::TABLE {
            self.leave_cell();
            if let Some(TableLevel::Structure { in_paragraph: was }) = self.0.pop() {
                *in_paragraph = was;
            }
        } else if rules.is_table_part() {
            self.leave_cell();
        }
    }

    fn leave_cell(&mut self) {
        if self.0.last() == Some(&TableLevel::Cell) {
            self.0.pop();
        }
    }
}
