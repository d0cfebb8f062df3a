# intogen-agent: from intOGen's driver calls to citation-backed reports, one per gene and cancer
# type. Every option is in config/config.yaml; how to run it is in README.md.

# Not `workflow.basedir`: where this is a module, that is the other workflow's folder.
ROOT = Path(str(workflow.current_basedir))


configfile: ROOT / "config" / "config.yaml"


include: "rules/common.smk"
include: "rules/store.smk"
include: "rules/phase1.smk"
include: "rules/phase2.smk"
include: "rules/report.smk"
include: "rules/critique.smk"
include: "rules/summary.smk"
include: "rules/render.smk"
include: "rules/tables.smk"
include: "rules/check.smk"


rule all:
    default_target: True
    input:
        PLAN.pair_files(),
        PLAN.tables(),
    localrule: True
    message:
        "All reports and tables are made"
