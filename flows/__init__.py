"""When things run: the command, the Prefect flows, settings and exit codes."""
