"""The door for people: pages made of templates and htmx fragments, over the same rooms that the API calls."""
