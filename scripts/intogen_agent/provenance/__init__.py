"""The journal of every call, and what is made of it."""
