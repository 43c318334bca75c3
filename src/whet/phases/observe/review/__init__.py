"""The source `review`: a language model reads whole files and says what is wrong with them."""
