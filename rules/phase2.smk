# Phase 2: cancer-specific evidence, hypotheses and their fate.
rule phase2:
    input:
        phase1=f"{RESULTS}/{{gene}}/phase1.json",
        store=ancient(PLAN.store_dependency()),
    output:
        f"{RESULTS}/{{gene}}/{{cancer}}/phase2.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/{{cancer}}/phase2.log",
    group:
        "pair"
    conda:
        "../envs/intogen-agent.yaml"
    resources:
        llm_slots=1,
        literature_slots=1,
    params:
        task=PLAN.pair_task,
        settings=PLAN.stage_settings(Stage.PHASE2),
    message:
        "Phase 2: evidence on {wildcards.gene} in {wildcards.cancer}"
    script:
        "../scripts/phase2.py"
