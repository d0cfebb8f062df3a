"""Tables, failures and pages for people, built from the stage files."""
