from trees import make_call, make_provenance, make_report, make_summary, make_task

from intogen_agent.delivery.overview import overview
from intogen_agent.models import Stage
from intogen_agent.report.models import Involvement


def add_unsupported(tree, gene, undetermined=False):
    task = tree.add(make_task(gene, "LUAD"))
    report = make_report(task, Stage.CRITIQUE)
    verdict = {"involvement": Involvement.NOT_SUPPORTED, "undetermined": undetermined}
    assessment = report.assessment.model_copy(update=verdict)
    tree.replace(
        task,
        make_report(task, Stage.CRITIQUE, assessment=assessment, mechanistic_hypothesis=None),
    )
    tree.replace(task, make_summary(task, role_of_action="unclear"))
    return task


def table(tree):
    text = overview(tree.results, tree.tasks)
    lines = text.split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


def test_a_row_per_pair_in_words(tree):
    for code in ("COADREAD", "CANCER"):
        tree.add(make_task(code=code))
    add_unsupported(tree, "TTN")
    add_unsupported(tree, "XYZ", undetermined=True)
    assert table(tree) == [
        ["gene", "cancer", "involvement", "role", "references", "mechanisms"],
        ["APC", "COADREAD", "supported", "tumor suppressor", "3", "1"],
        ["APC", "CANCER", "supported", "tumor suppressor", "3", "1"],
        ["TTN", "LUAD", "not supported", "unclear", "3", "0"],
        ["XYZ", "LUAD", "undetermined", "unclear", "3", "0"],
    ]


def test_the_columns_are_aligned(tree):
    tree.add(make_task())
    add_unsupported(tree, "TTN")
    lines, words = overview(tree.results, tree.tasks).splitlines()[:3], ("role", "tumor", "unclear")
    assert len({line.index(word) for line, word in zip(lines, words, strict=True)}) == 1
    assert len({len(line) for line in lines}) == 1


def test_failed_and_unfinished_pairs_say_so(tree):
    failed = tree.add(make_task())
    tree.remove(failed, "summary.json")
    tree.fail(failed.path, "summary")
    tree.tasks.append(make_task("KRAS", "PAAD"))
    tree.fail("KRAS/PAAD", "phase2")
    unfinished = tree.add(make_task("TP53", "LUAD"))
    tree.remove(unfinished, "summary.md")
    assert [row[2] for row in table(tree)[1:]] == [
        "supported (failed)",
        "failed",
        "supported (incomplete)",
    ]


def pages(tree):
    text = overview(tree.results, tree.tasks)
    found = text.split("Open:\n")[1].splitlines()
    return [line.split()[0].removeprefix(f"{tree.results}/") for line in found]


def test_the_pages_of_three_pairs_with_mechanisms_first(tree):
    add_unsupported(tree, "AAA")
    for code in ("CANCER", "COADREAD"):
        tree.add(make_task(code=code))
    tree.add(make_task("KRAS", "PAAD"))
    (tree.results / "reports.tsv").write_text("")
    assert pages(tree) == [
        "APC/COADREAD/summary.md",
        "APC/COADREAD/report.md",
        "KRAS/PAAD/summary.md",
        "KRAS/PAAD/report.md",
        "APC/CANCER/summary.md",
        "APC/CANCER/report.md",
        "reports.tsv",
    ]


def test_pages_that_do_not_exist_are_not_named(tree):
    task = tree.add(make_task())
    tree.remove(task, "summary.md")
    tree.write("_run/partial/reports.tsv", "")
    assert pages(tree) == ["_run/partial/reports.tsv"]


def test_tokens_and_price_stand_between_the_table_and_the_pages(tree):
    task = tree.add(make_task())
    call = make_call("report", tokens=200, cached_tokens=50, price=0.5)
    tree.replace(task, make_provenance(task, [call]))
    parts = overview(tree.results, tree.tasks).split("\n\n")
    assert parts[0].startswith("gene") and parts[2].startswith("Open:")
    assert parts[1].splitlines() == [
        "tokens: 200 in (25 % from the provider's cache), 100 out, 1 model call",
        "price: 0.50 (in the currency of llm.prices)",
    ]


def test_nothing_yet(tree):
    tree.tasks.append(make_task())
    assert overview(tree.results, tree.tasks) == f"No reports in {tree.results} yet.\n"
