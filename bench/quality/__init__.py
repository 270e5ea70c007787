"""Quality of related pages and cost of a page: pagekin and other methods."""
