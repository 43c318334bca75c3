"""Walk the syntax tree of a command text in the order of execution, and evaluate every simple command."""
