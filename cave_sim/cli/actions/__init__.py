"""What commands do that have libraries to import for it. What they take is declared in ``commands`` alone, so that help
and completion wait for none of these.
"""
