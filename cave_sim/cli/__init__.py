"""The command line."""

import sys

from cave_sim.cli.options import scarce_memory
from cave_sim.diagnostics.system_limits import file_size_limit

if file_size_limit():  # Python up to 3.11 keeps a compiled file of which only a part was written, and stumbles over it
    sys.dont_write_bytecode = True

scarce_memory.spare()
