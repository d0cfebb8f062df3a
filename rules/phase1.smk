# Phase 1: gene and protein function, once per gene.
rule phase1:
    input:
        store=ancient(PLAN.store_dependency()),
    output:
        f"{RESULTS}/{{gene}}/phase1.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/phase1.log",
    group:
        "gene"
    conda:
        "../envs/intogen-agent.yaml"
    resources:
        llm_slots=1,
        gene_slots=1,
        protein_slots=1,
    params:
        task=PLAN.gene_task,
        settings=PLAN.stage_settings(Stage.PHASE1),
    message:
        "Phase 1: function of {wildcards.gene}"
    script:
        "../scripts/phase1.py"
