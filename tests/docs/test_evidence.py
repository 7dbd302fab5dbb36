"""Nothing that a reader of an answer sees is a tick, a score or a word of approval."""

import re

import pytest
from support.paths import ROOT

# The signs and words that would make silence look like a proof.
APPROVAL = re.compile(
    r"verified|fact[- ]?checked|trust(?:worthiness)? score|confidence score"
    r"|已核实|已核验|已验证|已查证|核实无误|可信度|置信度|[✓✔☑✅🗸]",
    re.IGNORECASE,
)
SCORE = re.compile(r"\bscores?\b|评分|得分|分数", re.IGNORECASE)
# The doctor ticks off the parts of an installation; it knows no answer.
DOCTOR = "ui/status.py"
# The sentences that deny it.
DENIALS = (
    "这里从不说“已核实”，也没有分数。",
    "Nothing is ever called verified, and there is no score.",
)
SHOWN = [
    *(p for p in (ROOT / "ui").rglob("*.py") if str(p.relative_to(ROOT)) != DOCTOR),
    *(ROOT / "public").glob("*.js"),
    *(ROOT / "public").glob("*.css"),
    ROOT / "agent" / "__main__.py",
    *(ROOT / "citations").rglob("*.py"),
    *ROOT.glob("chainlit*.md"),
    *ROOT.glob("README*.md"),
    *(ROOT / "docs").glob("evidence*.md"),
]


@pytest.mark.spec("P4")
@pytest.mark.parametrize(
    "name", sorted(str(path.relative_to(ROOT)) for path in SHOWN), ids=str
)
def test_no_approval(name: str) -> None:
    """The texts of the page, the command and their guide approve of nothing."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for denial in DENIALS:
        text = text.replace(denial, "")

    assert APPROVAL.findall(text) == []


@pytest.mark.spec("P4")
def test_no_score() -> None:
    """No text of the page or of the command gives a score."""
    page = ("ui/texts/zh-CN.toml", "ui/texts/en-US.toml", "public/page.js")
    for name in (*page, "agent/__main__.py"):
        assert SCORE.findall((ROOT / name).read_text(encoding="utf-8")) == [], name


def test_the_guide_denies_it() -> None:
    """The guide says in both languages that silence is no proof."""
    guides = [
        (ROOT / "docs" / name).read_text(encoding="utf-8")
        for name in ("evidence.zh-CN.md", "evidence.md")
    ]

    assert all(one in guide for one, guide in zip(DENIALS, guides, strict=True))
