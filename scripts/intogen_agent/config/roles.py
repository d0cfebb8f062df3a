"""The agents' roles, each with its prompt file `config/prompts/<role>.md`."""

from enum import StrEnum


class Role(StrEnum):
    """Who speaks to a language model."""

    GENE_INVESTIGATOR = "gene_investigator"
    MECHANISM_INVESTIGATOR = "mechanism_investigator"
    HYPOTHESIS_PLANNER = "hypothesis_planner"
    SUMMARIZER = "summarizer"
    REPORT_CREATOR = "report_creator"
    REPAIRER = "repairer"
    SCIENTIFIC_REVIEWER = "scientific_reviewer"
    REFINER = "refiner"
    SUMMARY_HELPER = "summary_helper"
    STYLE_CRITIC = "style_critic"
    STYLE_REFINER = "style_refiner"
