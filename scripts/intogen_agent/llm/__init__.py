"""Language models behind one narrow interface."""
