"""The command ``cave-sim``, and ``python -m cave_sim``. Ctrl-C ends it in one line while it is still being imported."""

import sys


def main() -> int:
    """Run the command line; returns its exit code."""
    try:
        from cave_sim.cli.main import main as run_command_line
    except KeyboardInterrupt:
        print("cave-sim: interrupted", file=sys.stderr)
        return 130  # as cave_sim.cli.options.exit_codes has it, which may not be there yet
    return run_command_line()


if __name__ == "__main__":
    sys.exit(main())
