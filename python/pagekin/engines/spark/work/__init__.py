"""What lies between stages: files that every machine reaches, and DataFrames of them."""
