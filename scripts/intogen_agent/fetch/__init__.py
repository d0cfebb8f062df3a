"""Fetching what a store needs from PubMed, UniProt and HGNC, for one's own cohort."""
