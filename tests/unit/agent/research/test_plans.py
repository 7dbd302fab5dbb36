"""Plans without a model: the parts of a question, each with the name of its subject."""

from dataclasses import replace

import pytest
from support.report.research_reports import of_kind, reported
from support.sessions import offline_resources

from agent import Session
from agent.models.catalog import Models
from agent.models.settings import ModelSettings
from agent.research.plan import Origin, Plan
from agent.research.report import PlanDecided


async def plan(question: str) -> Plan:
    """The plan that a report without a model decides on."""
    resources = replace(offline_resources(), models=Models(ModelSettings()))
    run = await reported(Session(resources), question)
    (decided,) = of_kind(run, PlanDecided)
    return decided.plan


PARTS = {
    "How high is the Lintow Tower, who designed it and what did it cost?": [
        "How high is the Lintow Tower",
        "Lintow Tower: who designed it",
        "Lintow Tower: what did it cost",
    ],
    "How high is the Lintow Tower, and who does its IT support?": [
        "How high is the Lintow Tower",
        "Lintow Tower: who does its IT support",
    ],
    "What is the capital of France, and how many people live there?": [
        "What is the capital of France",
        "France: how many people live there",
    ],
    "I plan a trip to Lintow. How high is the tower? Can I eat there?": [
        "Lintow: How high is the tower",
        "Lintow: Can I eat there",
    ],
    "The history, economy and culture of Portugal in the 20th century": [
        "history of Portugal in the 20th century",
        "economy of Portugal in the 20th century",
        "culture of Portugal in the 20th century",
    ],
    "Write a report about the Lintow Tower: height, cost and architect": [
        "height of Lintow Tower",
        "cost of Lintow Tower",
        "architect of Lintow Tower",
    ],
    "The Lintow Tower's height and cost": [
        "height of Lintow Tower",
        "cost of Lintow Tower",
    ],
    "What are the causes, symptoms and treatment of gout?": [
        "causes of gout",
        "symptoms of gout",
        "treatment of gout",
    ],
    "iPhone 17 vs Galaxy S26": ["iPhone 17", "Galaxy S26", "iPhone 17 vs Galaxy S26"],
    "林拓塔有多高？什么时候开放？门票多少钱？": [
        "林拓塔有多高",
        "林拓塔：什么时候开放",
        "林拓塔：门票多少钱",
    ],
    "林拓塔有多高，什么时候开放，门票多少钱": [
        "林拓塔有多高",
        "林拓塔：什么时候开放",
        "林拓塔：门票多少钱",
    ],
    "我想买一块家用电池。沃坦纳 H5 多少钱？它质保几年？": [
        "沃坦纳 H5 多少钱",
        "沃坦纳 H5：它质保几年",
    ],
    "米拉瓦市供水：日供水量、漏损率、水价": [
        "米拉瓦市供水的日供水量",
        "米拉瓦市供水的漏损率",
        "米拉瓦市供水的水价",
    ],
    "请介绍一下量子计算的原理、应用和主要公司": [
        "量子计算的原理",
        "量子计算的应用",
        "量子计算的主要公司",
    ],
    "分析2025年黄金价格上涨的原因及其影响": [
        "2025年黄金价格上涨的原因",
        "2025年黄金价格上涨的影响",
    ],
    "上海和北京的人口与面积": ["上海和北京的人口", "上海和北京的面积"],
    "电动汽车和燃油车的区别": ["电动汽车", "燃油车", "电动汽车和燃油车的区别"],
}


@pytest.mark.parametrize("question", PARTS)
async def test_the_parts_of_a_question(question: str) -> None:
    made = await plan(question)

    assert [line.text for line in made.lines] == PARTS[question]
    assert made.origin is Origin.PARTS
    assert all(line.queries == (line.text,) for line in made.lines)


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about the water supply of Mirava",
        "Is nuclear power safe?",
        "How do heat pumps work, what do they cost, and are they loud?",
        "Who invented the telephone and when?",
        "为什么天空是蓝色的",
        "林拓塔",
    ],
)
async def test_a_question_without_parts_is_searched_in_several_wordings(
    question: str,
) -> None:
    """A part that names no subject would be searched for in vain."""
    made = await plan(question)

    (line,) = made.lines
    assert made.origin is Origin.WORDINGS
    assert line.queries[0] == question
    assert len(line.queries) == len({*line.queries}) > 1


async def test_no_more_than_eight_lines() -> None:
    made = await plan(f"Lintow Tower: {', '.join(f'thing{n}' for n in 'abcdefghijkl')}")

    assert len(made.lines) == 8
