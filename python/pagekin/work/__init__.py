"""Long work: what it may use, how it is cut into parts, who does them, and how it reports."""
