"""What an agent is given for a message."""
