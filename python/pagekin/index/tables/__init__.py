"""The tables of an index: their columns, and how mapped files are read and checked."""
