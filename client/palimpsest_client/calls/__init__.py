"""Every call of the API that the client knows, each defined once: what it sends, and what its answer is read as."""
