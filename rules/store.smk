# Builds the local evidence store from record files, unless a built store is configured.
if PLAN.store_records:

    rule store:
        input:
            **{name: ancient(path) for name, path in PLAN.store_inputs().items()},
        output:
            PLAN.store,
        log:
            f"{RESULTS}/_run/logs/store.log",
        conda:
            "../envs/intogen-agent.yaml"
        message:
            "Building the local evidence store"
        script:
            "../scripts/store.py"
