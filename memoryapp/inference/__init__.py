"""Models: embedding, reading two texts together, chat endpoints. The only package that loads or asks them."""
