"""The evidence: tools in two phases, summaries, the reference manager, the ledger."""
