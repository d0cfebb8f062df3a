# One row per pair, per reference and per mechanism, over all pairs.
rule tables:
    input:
        PLAN.finished(),
    output:
        reports=f"{RESULTS}/reports.tsv",
        references=f"{RESULTS}/references.tsv",
        mechanisms=f"{RESULTS}/mechanisms.tsv",
    log:
        f"{RESULTS}/_run/logs/tables.log",
    localrule: True
    conda:
        "../envs/intogen-agent.yaml"
    params:
        tasks=PLAN.table_settings(),
    message:
        "Tables over all pairs"
    script:
        "../scripts/tables.py"
