"""One file a command: HELP, add_arguments(parser) and call(options) -> exit code."""
