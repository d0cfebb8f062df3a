"""The commit of a checkout is read off git's files as git reads it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from intogen_agent.config.checkout import commit, has_changes

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", *identity, "-C", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "file").write_text("one")
    git(folder, "add", "file")
    git(folder, "commit", "--quiet", "--message", "one")
    return folder


def test_without_a_repository_there_is_no_commit(tmp_path: Path) -> None:
    assert (commit(tmp_path), has_changes(tmp_path)) == (None, None)


def test_a_repository_without_a_commit_has_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert commit(tmp_path) is None


@needs_git
@pytest.mark.parametrize("state", ["branch", "packed", "detached"])
def test_the_commit_is_the_one_that_git_names(checkout: Path, state: str) -> None:
    if state == "packed":
        git(checkout, "pack-refs", "--all")
    if state == "detached":
        git(checkout, "checkout", "--quiet", "--detach")
    assert commit(checkout) == git(checkout, "rev-parse", "HEAD")


@needs_git
def test_a_work_tree_has_its_own_commit(checkout: Path) -> None:
    tree = checkout.parent / "tree"
    git(checkout, "worktree", "add", "--quiet", "-b", "other", str(tree))
    (tree / "file").write_text("two")
    git(tree, "commit", "--quiet", "--all", "--message", "two")
    assert commit(tree) == git(tree, "rev-parse", "HEAD") != commit(checkout)


@needs_git
def test_a_changed_file_is_noticed(checkout: Path) -> None:
    assert has_changes(checkout) is False
    (checkout / "file").write_text("two")
    assert has_changes(checkout) is True
