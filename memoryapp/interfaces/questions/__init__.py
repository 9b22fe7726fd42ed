"""What agents asked and found nothing clear for."""
