"""The report: models, rules, repair, assembly, rendering."""
