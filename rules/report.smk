# The first report that passes validation.
rule report:
    input:
        phase2=f"{RESULTS}/{{gene}}/{{cancer}}/phase2.json",
        phase1=ancient(f"{RESULTS}/{{gene}}/phase1.json"),
    output:
        f"{RESULTS}/{{gene}}/{{cancer}}/report.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/{{cancer}}/report.log",
    group:
        "pair"
    conda:
        "../envs/intogen-agent.yaml"
    resources:
        llm_slots=1,
    params:
        task=PLAN.pair_task,
        settings=PLAN.stage_settings(Stage.REPORT),
    message:
        "Report: {wildcards.gene} in {wildcards.cancer}"
    script:
        "../scripts/report.py"
