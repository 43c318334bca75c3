"""The engine `model`: a language model writes the edits, and whet does everything else."""
