"""Questions that lean on a conversation are completed; the others stay as typed."""

import pytest
from support.follow_ups import Talk, found, searched

from agent.events import SearchStarted


@pytest.mark.spec("R1", "R2")
@pytest.mark.parametrize(
    ("questions", "query"),
    [
        (["肺癌是什么？", "它的症状是什么？"], "肺癌的症状是什么？"),
        (["埃菲尔铁塔是谁设计的？", "那它多高？"], "那埃菲尔铁塔多高？"),
        (["什么是通货膨胀？", "怎么应对？"], "通货膨胀怎么应对？"),
        (["泰国首都是哪里？", "那里有什么特产？"], "泰国有什么特产？"),
        (["华为的创始人是谁？", "他多大年纪了？"], "华为的创始人多大年纪了？"),
        (["React 和 Vue 哪个好学？", "后者由谁维护？"], "Vue 由谁维护？"),
        (["法国的首都是哪里？", "德国呢？"], "德国的首都是哪里"),
        (["上海明天天气怎么样？", "后天呢？"], "上海后天天气怎么样"),
        (["猫能吃巧克力吗？", "香蕉呢？"], "猫能吃香蕉吗"),
        (["光合作用是什么？", "这个过程需要什么条件？"], "光合作用过程需要什么条件？"),
        (["泰山有多高？", "华山呢？", "哪个更险？"], "泰山和华山哪个更险？"),
        (["什么是合同法？", "什么时候生效的？"], "合同法什么时候生效的？"),
        (
            ["How high is Everest?", "What about Lhotse?", "Which is older?"],
            "Which is older Everest and Lhotse?",
        ),
        (["What is lung cancer?", "What causes it?"], "What causes lung cancer?"),
        (
            ["Tell me about lung cancer.", "What are its symptoms?"],
            "What are lung cancer's symptoms?",
        ),
        (
            ["Who was Marie Curie?", "Where was she born?"],
            "Where was Marie Curie born?",
        ),
        (
            ["What is a 529 plan?", "What are the main advantages?"],
            "What are the main advantages of 529 plan?",
        ),
        (
            ["What are mammals?", "What is the largest one on land?"],
            "What is the largest mammals on land?",
        ),
        (
            ["Who won the Tour de France in 2020?", "And in 2023?"],
            "And in 2023 won Tour de France?",
        ),
        (
            ["What is the weather in Paris?", "What about London?"],
            "What about London weather?",
        ),
        (["Tell me about Lisbon.", "How do I get there?"], "How do I get Lisbon?"),
        (
            ["What happened in the Milgram experiment?", "Was the experiment ethical?"],
            "Was the Milgram experiment ethical?",
        ),
    ],
    ids=lambda one: one[-1] if isinstance(one, list) else "",
)
async def test_a_follow_up(questions: list[str], query: str) -> None:
    """The query names its subject in the conversation's own words."""
    assert await searched(*questions) == query


@pytest.mark.spec("R1", "C1")
@pytest.mark.parametrize(
    "question",
    [
        "胃癌有哪些症状？",
        "那不勒斯属于哪个国家？",
        "吉他怎么调音？",
        "其他国家的人怎么申请中国签证？",
        "其实每天走一万步有必要吗？",
        "这个世界上最高的建筑是哪座？",
        "特斯拉是什么公司，它的市值是多少？",
        "猫为什么总舔自己的毛？",
        "日本签证需要哪些材料？",
        "能帮我写一封请假邮件吗？",
        "高中数学怎么学？",
        "小说和散文有什么区别？",
        "今天天气怎么样？",
        "谢谢！",
        "你好",
        "What is taurine?",
        "Is it safe to eat raw eggs?",
        "Is it raining in Beijing?",
        "How long does it take to fly to Mars?",
        "What time is it in Tokyo?",
        "How do they make paper?",
        "What is CBT and how does it work?",
        "Does Apple make its own chips?",
        "Are there any lakes on Mars?",
        "Which planet is the largest one of all?",
        "What is the weather today?",
        "What is the meaning of life?",
        "How old is the universe?",
        "How are you?",
        "Thanks!",
        "What should I cook this weekend?",
        "Can you recommend a good book about whales?",
        "Why is the sky blue?",
        "What does IT stand for?",
        "Which mammals that live in water breathe air?",
    ],
)
async def test_a_question_that_stands_alone(question: str) -> None:
    """Nothing is added to a change of subject, whatever was asked before."""
    before = "肺癌是什么？" if question.isascii() else "What is lung cancer?"

    assert await searched(before, question) == question
    assert await searched("肺癌是什么？", "Tell me about Boise.", question) == question


@pytest.mark.spec("R1")
async def test_the_first_question() -> None:
    """The first question has nothing to lean on."""
    assert await searched("它的症状是什么？") == "它的症状是什么？"
    assert await searched("What causes it?") == "What causes it?"


async def test_a_change_of_subject() -> None:
    """After a change of subject a question refers to the new one."""
    query = await searched("肺癌是什么？", "它会传染吗？", "长城有多长？", "谁修建的？")

    assert query == "长城谁修建的？"


@pytest.mark.spec("R2", "R3")
async def test_titles_of_cited_sources() -> None:
    """The title of a cited source names the subject if no question does."""
    titles = ["氢弹 - 维基百科", "原子弹"]

    assert await searched("讲讲", "它是什么？", titles=titles) == "它是什么？"

    talk = Talk(found("氢弹 - 维基百科", text="有什么特点：氢弹的特点是威力巨大。"))
    assert await talk.ask("有什么特点？", "它的原理是什么？") == "氢弹的原理是什么？"


@pytest.mark.spec("R3")
async def test_no_words_of_a_page() -> None:
    """The text of a page adds nothing to a query."""
    talk = Talk(found("Title", text="肺癌是一种疾病，它叫做秘密词。"))

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
    """The user can have the words searched as they were typed."""
    talk = Talk()
    await talk.ask("肺癌是什么？", "它的症状是什么？")

    assert await talk.ask("它的症状是什么？", as_typed=True) == "它的症状是什么？"
    assert talk.session.completion is None
    assert await talk.ask("怎么治疗？") == "肺癌怎么治疗？"


@pytest.mark.spec("R4")
async def test_the_conversation_behind_a_search_as_typed() -> None:
    """The same question again, as typed, leaves what the conversation is about."""
    talk = Talk()
    await talk.ask("法国的首都是哪里？", "那德国呢？")
    await talk.ask("那德国呢？", as_typed=True)

    assert await talk.ask("它的面积是多少？") == "德国的面积是多少？"


@pytest.mark.spec("R4")
async def test_switched_off() -> None:
    """Switched off, by setting or in the panel, every question stays as typed."""
    off = Talk(FOLLOW_UPS="off")
    assert await off.ask("肺癌是什么？", "它的症状是什么？") == "它的症状是什么？"

    talk = Talk()
    talk.session.choose(talk.session.mode, search=True, follow_ups="off")
    assert await talk.ask("肺癌是什么？", "它的症状是什么？") == "它的症状是什么？"


async def test_switched_on_again() -> None:
    """Questions asked meanwhile are known once completing is on again."""
    talk = Talk(FOLLOW_UPS="off")
    await talk.ask("肺癌是什么？")
    talk.session.choose(talk.session.mode, search=True, follow_ups="rule")

    assert await talk.ask("它的症状是什么？") == "肺癌的症状是什么？"
