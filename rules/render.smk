# Pages for people and the provenance record. No model is called; intOGen's statistics enter here
# and nowhere else, so they neither bias a verdict nor re-run one.
rule render:
    input:
        summary=f"{RESULTS}/{{gene}}/{{cancer}}/summary.json",
        reviewed=ancient(f"{RESULTS}/{{gene}}/{{cancer}}/reviewed.json"),
        critique=ancient(f"{RESULTS}/{{gene}}/{{cancer}}/critique.json"),
        phase2=ancient(f"{RESULTS}/{{gene}}/{{cancer}}/phase2.json"),
        phase1=ancient(f"{RESULTS}/{{gene}}/phase1.json"),
    output:
        report=f"{RESULTS}/{{gene}}/{{cancer}}/report.md",
        summary=f"{RESULTS}/{{gene}}/{{cancer}}/summary.md",
        provenance=f"{RESULTS}/{{gene}}/{{cancer}}/provenance.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/{{cancer}}/render.log",
    group:
        "pair"
    conda:
        "../envs/intogen-agent.yaml"
    params:
        task=PLAN.pair_task,
        statistics=PLAN.statistics,
        settings=PLAN.stage_settings(Stage.RENDER),
    message:
        "Pages: {wildcards.gene} in {wildcards.cancer}"
    script:
        "../scripts/render.py"
