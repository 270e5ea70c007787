"""`python -m pagekin`: the command line."""

import sys

from pagekin.cli import main

sys.exit(main())
