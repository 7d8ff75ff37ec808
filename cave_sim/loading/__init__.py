"""What is imported, and when: what packages offer, optional parts, what draws views, and Mesa in little time."""
