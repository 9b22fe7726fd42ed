"""The space's embedding model in the shape of OpenAI's API."""
