"""The fixtures of `preflight_bench`."""

from preflight_bench import bench, demo_store, impatient, serve

__all__ = ["bench", "demo_store", "impatient", "serve"]
