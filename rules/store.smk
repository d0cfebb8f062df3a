# Builds the local evidence store from record files, unless a built store is configured. The name of
# the store holds their digest, so they are no inputs: other records make another store, and the same
# ones at another place make nothing anew. A store that is there is no output: PLAN.store_output.
if PLAN.store_records:

    rule store:
        output:
            PLAN.store_output(),
        log:
            f"{RESULTS}/_run/logs/store.log",
        conda:
            "../envs/intogen-agent.yaml"
        message:
            "Building the local evidence store"
        script:
            "../scripts/store.py"
