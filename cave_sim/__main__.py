"""``python -m cave_sim`` is the same as ``cave-sim``."""

import sys

from cave_sim.cli.main import main

sys.exit(main())
