"""Questions that lean on a conversation are completed; the others stay as typed."""

import re

import pytest
from support.follow_ups import Talk, found, searched

from agent.events import SearchStarted

# Questions of one conversation → words that the last query holds // and does not.
TALKS = """
肺癌是什么？ | 它的症状是什么？ → 肺癌 症状 // 它
肺癌的症状是什么？ | 它会遗传吗？ → 肺癌 遗传 // 它 症状
埃菲尔铁塔是谁设计的？ | 那它多高？ → 埃菲尔铁塔 多高 // 它
什么是黑洞？ | 有人拍到过它吗？ → 拍到过 黑洞 // 它
大熊猫有哪些天敌？ | 它们一天吃多少？ → 大熊猫 一天吃多少 // 它们
《三体》获得过什么奖？ | 它讲了什么？ → 三体 讲了什么 // 它
东京有哪些景点？ | 第一次去那儿住哪里？ → 东京 住哪里 // 那儿
华为的创始人是谁？ | 他多大年纪了？ → 华为 创始人 多大 // 他
曹雪芹是哪里人？ | 他还写过别的书吗？ → 曹雪芹 写过 // 他
你知道刘翔吗 | 他的教练是谁 → 刘翔 教练 // 他
法国的首都是哪里？ | 德国呢？ → 德国 首都 // 法国 呢
上海明天天气怎么样？ | 那后天呢？ → 上海 后天 天气 // 明天
《红楼梦》的作者是谁？ | 《西游记》呢？ → 西游记 作者 // 红楼梦
巴西的总统是谁？ | 那2018年呢？ → 巴西 总统 2018年 // 呢
iPhone 多少钱？ | iPad 呢？ → iPad 多少钱 // iPhone
泰山有多高？ | 华山呢？ | 它在哪里？ → 华山 在哪里 // 泰山
What is lung cancer? | What causes it? → causes lung cancer // it
What is lung cancer? | What are its symptoms? → lung cancer symptoms // its
What is bitcoin? | Who invented it? → invented bitcoin // it
Tell me about Blue whales. | Where do they live? → Blue whales live // they
Who was Marie Curie? | Where was she born? → Marie Curie born // she
Who is the president of France? | How old is he? → president of France old // he
Is Red Bull bad for you? | Can it kill you? → Red Bull kill // it
Who wrote Pride and Prejudice? | When was it published? → Pride and Prejudice // it
Tell me about the BBC experiment. | Why was it ended? → BBC experiment ended // it
Who won the Tour de France in 2020? | And in 2023? → Tour de France 2023 // 2020
Who is the president of Brazil? | And in 2023? → president Brazil 2023 // And
What is the weather in Paris? | What about London? → weather London // Paris about
What is Python? | How does it work? | Is it free? → Python free // it
Tell me about Docker. | 它有什么优点？ → Docker 优点 // 它
肺癌是什么？ | What are its symptoms? → 肺癌 symptoms // its
"""


@pytest.mark.spec("R1", "R2", "R3")
@pytest.mark.parametrize("talk", TALKS.strip().splitlines())
async def test_a_follow_up(talk: str) -> None:
    """The query names what is meant in the conversation's own words."""
    questions, _, words = talk.partition(" → ")
    wanted, _, unwanted = words.partition(" // ")

    query = await searched(*questions.split(" | "))

    found_words = re.findall("[A-Za-z]+|[^A-Za-z]+", query)
    assert [one for one in wanted.split() if one not in query] == []
    assert [
        one
        for one in unwanted.split()
        if any(one == word if one.isascii() else one in word for word in found_words)
    ] == []


@pytest.mark.spec("R2", "R3")
async def test_no_words_of_a_page() -> None:
    """Neither title nor text of a page adds anything to a query."""
    talk = Talk(found("氢弹 - 维基百科", text="有什么特点：氢弹是秘密词。"))

    assert await talk.ask("有什么特点？", "它叫什么？") == "它叫什么？"
    assert await talk.ask("肺癌是什么？", "它叫什么？") == "肺癌叫什么？"


async def test_what_was_added_is_told() -> None:
    """The start of the search tells which words were added."""
    talk = Talk()
    await talk.ask("肺癌是什么？")

    events = [event async for event in talk.session.ask("它的症状是什么？")]

    started = next(one for one in events if isinstance(one, SearchStarted))
    assert started.completion is not None
    assert started.completion.marked("<", ">") == "<肺癌>的症状是什么？"
    assert started.completion.asked == "它的症状是什么？"


@pytest.mark.spec("R4")
async def test_searched_as_typed() -> None:
    """The user can have the words searched as typed, and go on as before."""
    talk = Talk()
    await talk.ask("法国的首都是哪里？", "那德国呢？")

    assert await talk.ask("那德国呢？", as_typed=True) == "那德国呢？"
    assert talk.session.completion is None
    assert "德国" in await talk.ask("它的面积是多少？")


@pytest.mark.spec("R4")
async def test_switched_off() -> None:
    """Switched off, by setting or in the panel, every question stays as typed."""
    off = Talk(FOLLOW_UPS="off")
    assert await off.ask("肺癌是什么？", "它的症状是什么？") == "它的症状是什么？"

    talk = Talk()
    talk.session.choose(talk.session.state.mode, search=True, follow_ups="off")
    assert await talk.ask("肺癌是什么？", "它的症状是什么？") == "它的症状是什么？"

    talk.session.choose(talk.session.state.mode, search=True, follow_ups="rule")
    assert await talk.ask("它怎么治疗？") == "肺癌怎么治疗？"
