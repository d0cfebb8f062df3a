# Builds the local evidence store from record files, unless a built store is configured.
if PLAN.store_records:

    rule store:
        input:
            ancient(PLAN.store_inputs()),
        output:
            PLAN.store,
        log:
            f"{RESULTS}/_run/logs/store.log",
        conda:
            "../envs/intogen-agent.yaml"
        params:
            records=PLAN.store_records,
            cancer_types=str(PLAN.cancer_types),
        message:
            "Building the local evidence store from {params.records}"
        script:
            "../scripts/store.py"
