"""What may live in a world: entities, their fields, and the containers that note their own writes."""
