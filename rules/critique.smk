# The scientific reviewer's loop and the report after it.
rule critique:
    input:
        report=f"{RESULTS}/{{gene}}/{{cancer}}/report.json",
        phase2=ancient(f"{RESULTS}/{{gene}}/{{cancer}}/phase2.json"),
        phase1=ancient(f"{RESULTS}/{{gene}}/phase1.json"),
        store=ancient(PLAN.review_store()),
    output:
        critique=f"{RESULTS}/{{gene}}/{{cancer}}/critique.json",
        reviewed=f"{RESULTS}/{{gene}}/{{cancer}}/reviewed.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/{{cancer}}/critique.log",
    group:
        "pair"
    conda:
        "../envs/intogen-agent.yaml"
    resources:
        llm_slots=1,
        literature_slots=PLAN.review_literature_slots,
    params:
        task=PLAN.pair_task,
        settings=PLAN.stage_settings(Stage.CRITIQUE),
    message:
        "Review: {wildcards.gene} in {wildcards.cancer}"
    script:
        "../scripts/critique.py"
