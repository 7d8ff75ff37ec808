"""Those who choose cells: each agent reads what its entity observes and answers with a few lines of Python."""
