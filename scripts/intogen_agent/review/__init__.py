"""The scientific reviewer and the refinement it asks for."""
