"""The Model Context Protocol: a few tools over the JSON API, by HTTP and over stdio; and what all tools share."""
