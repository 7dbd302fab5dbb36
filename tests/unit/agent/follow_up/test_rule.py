"""Questions that lean on a conversation are completed; the others stay as typed."""

import pytest
from support.follow_ups import Talk, found, searched

from agent.events import SearchStarted

# Questions of one conversation, and the query of the last one.
CONVERSATIONS = """
肺癌是什么？ | 它的症状是什么？ → 肺癌的症状是什么？
埃菲尔铁塔是谁设计的？ | 那它多高？ → 那埃菲尔铁塔多高？
什么是通货膨胀？ | 怎么应对？ → 通货膨胀怎么应对？
泰国首都是哪里？ | 那里有什么特产？ → 泰国有什么特产？
华为的创始人是谁？ | 他多大年纪了？ → 华为的创始人多大年纪了？
React 和 Vue 哪个好学？ | 后者由谁维护？ → Vue 由谁维护？
React 和 Vue 哪个好学？ | 前一个由谁维护？ → React 由谁维护？
法国的首都是哪里？ | 德国呢？ → 德国的首都是哪里
上海明天天气怎么样？ | 后天呢？ → 上海后天天气怎么样
猫能吃巧克力吗？ | 香蕉呢？ → 猫能吃香蕉吗
光合作用是什么？ | 这个过程需要什么条件？ → 光合作用过程需要什么条件？
泰山有多高？ | 华山呢？ | 哪个更险？ → 泰山和华山哪个更险？
什么是合同法？ | 什么时候生效的？ → 合同法什么时候生效的？
How high is Etna? | And Fuji? | Which is older? → Which is older Etna and Fuji?
What is lung cancer? | What causes it? → What causes lung cancer?
Tell me about flu. | What are its symptoms? → What are flu's symptoms?
Who was Marie Curie? | Where was she born? → Where was Marie Curie born?
What is a 529 plan? | The main advantages? → The main advantages of 529 plan?
Who won the Tour de France in 2020? | And in 2023? → And in 2023 Tour de France?
What is the weather in Paris? | What about London? → What about London weather?
Tell me about Lisbon. | How do I get there? → How do I get Lisbon?
Who founded Pompeii? | Was the city old? → Was the city old Pompeii?
Who is the president of France? | How old is he? → How old is president of France?
Who wrote Harry Potter? | When was she born? → When was who wrote Harry Potter born?
谁写了红楼梦？ | 他是哪里人？ → 谁写了红楼梦是哪里人？
谁写了红楼梦？ | 它有多少字？ → 红楼梦有多少字？
刘德华演过哪些电影？ | 他老婆是谁？ → 刘德华老婆是谁？
三体讲了什么？ | 这本书多少页？ → 三体多少页？
推荐几款手机 | 哪款最便宜？ → 手机哪款最便宜？
iPhone多少钱？ | iPad呢？ → iPad多少钱
苹果公司的总部在哪里？ | 它的股价呢？ | 市值多少？ → 苹果市值多少？
刘德华是谁？ | 他多高？ | 他女儿呢？ → 刘德华女儿呢？
雅思怎么准备？ | 每天学多久？ | 口语呢？ → 雅思口语呢？
水的沸点是多少？ | 酒精呢？ → 酒精的沸点是多少
React 和 Vue 哪个好学？ | 前者由谁维护？ | 后者呢？ → Vue 呢？
Compare Rust and Go. | Which one is faster? → Which one is faster Rust and Go?
肺癌是什么？ | 会传染吗？ → 肺癌会传染吗？
孕妇能打新冠疫苗吗？ | 孩子呢？ → 孩子能打新冠疫苗吗
肺癌是什么？ | 能治好吗？ → 肺癌能治好吗？
肺癌是什么？ | 对孕妇有什么影响？ → 肺癌对孕妇有什么影响？
肺癌是什么？ | 症状是什么？ → 肺癌症状是什么？
肺癌是什么？ | 价格是多少？ → 肺癌价格是多少？
肺癌是什么？ | 怎么预防？ → 肺癌怎么预防？
肺癌是什么？ | 这个严重吗？ → 肺癌严重吗？
肺癌是什么？ | 后来发生了什么？ → 肺癌后来发生了什么？
What is lung cancer? | What happened? → What happened lung cancer?
What is flu? | How is it called in Spanish? → How is flu called in Spanish?
What is flu? | What are the symptoms? → What are the symptoms of flu?
What is lung cancer? | How far does it spread? → How far does lung cancer spread?
What is lung cancer? | What about the risks? → What about the risks of lung cancer?
What is lung cancer? | And for adults? → And for adults lung cancer?
它的症状是什么？ → 它的症状是什么？
What causes it? → What causes it?
肺癌是什么？ | 它会传染吗？ | 长城有多长？ | 谁修建的？ → 长城谁修建的？
肺癌是什么？ | What are its symptoms? → What are 肺癌's symptoms?
Tell me about Docker. | 它有什么优点？ → Docker 有什么优点？
"""


@pytest.mark.spec("R1", "R2", "R3")
@pytest.mark.parametrize("conversation", CONVERSATIONS.strip().splitlines())
async def test_a_follow_up(conversation: str) -> None:
    """The query names its subject in the conversation's own words."""
    questions, _, query = conversation.partition(" → ")

    assert await searched(*questions.split(" | ")) == query


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
