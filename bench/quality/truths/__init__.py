"""What is known of the pages of each crawl."""
