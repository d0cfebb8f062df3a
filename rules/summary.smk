# Plain-language summaries and the style editor.
rule summary:
    input:
        reviewed=f"{RESULTS}/{{gene}}/{{cancer}}/reviewed.json",
    output:
        f"{RESULTS}/{{gene}}/{{cancer}}/summary.json",
    log:
        f"{RESULTS}/_run/logs/{{gene}}/{{cancer}}/summary.log",
    group:
        "pair"
    conda:
        "../envs/intogen-agent.yaml"
    resources:
        llm_slots=1,
    params:
        task=PLAN.pair_task,
        settings=PLAN.stage_settings(Stage.SUMMARY),
    message:
        "Summary: {wildcards.gene} in {wildcards.cancer}"
    script:
        "../scripts/summary.py"
