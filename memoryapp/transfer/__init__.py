"""What goes out of a space and what comes in: an export that loses nothing, and the files of other memories."""
