"""Pictures and tables made on the server: plots, the course of a trial, the life of a proposal, the matrix of a proof."""
