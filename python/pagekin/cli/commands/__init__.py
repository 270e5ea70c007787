"""The commands, grouped by what they do: each module adds its options to a parser and runs them."""
