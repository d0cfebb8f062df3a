# Before a run: `snakemake check` with the run's own options. No other rule asks for it.
rule check:
    log:
        f"{RESULTS}/_run/logs/check.log",
    localrule: True
    conda:
        "../envs/intogen-agent.yaml"
    params:
        executor=lambda wildcards: workflow.executor_plugin.name,
        qos=lambda wildcards: getattr(workflow.executor_settings, "qos", None),
    message:
        "Checking what the run needs"
    script:
        "../scripts/check.py"
