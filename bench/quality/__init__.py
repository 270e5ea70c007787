"""How good related pages are, and what a page costs: pagekin beside other ways."""
