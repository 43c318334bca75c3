"""SSH signatures of people: reading and checking them, the list of people who may sign, and asking for a signature."""
