"""Questions that stand alone, and turns that name no subject, change nothing."""

import re

import pytest

from agent.follow_up import rule

# Names with a pronoun inside, words that are no subject, and what means no thing.
ALONE = """
他汀类药物有哪些副作用？ | 他克莫司怎么吃？ | 它石智航是什么公司？ | 他信是谁？
吉他怎么调音？
他加禄语怎么学？ | 他山之石 | 他是龙 | 她理财 | 她经济是什么？ | “他”字怎么写
“它”和“他”的区别
《她》是谁导演的？ | 其他国家的人怎么申请中国签证？ | 犹他州在哪？ | 马耳他有多大？
这个杀手不太冷 | 这个男人来自地球讲了什么 | 那个英文怎么说 | 这个冬天冷吗
那不勒斯属于哪个国家？
其实每天走一万步有必要吗？ | 特斯拉是什么公司，它的市值是多少？
猫为什么总舔自己的毛？
怎么治疗？ | 症状是什么？ | 会传染吗？ | 治疗呢？ | 你呢？ | 那你呢 | 人呢？
发生了什么
这里是哪里 | 哪里好玩 | 今天天气怎么样？ | 能帮我写一封请假邮件吗？
What is IT support? | What does IT stand for? | Who wrote It Ends with Us?
It Ends with Us | They Might Be Giants | Who are They Might Be Giants?
What happened in 1969? | What time is it? | What date is it | It is raining
Why is it called Black Friday? | Why do they call it football? | Is it snowing?
How far is it from Paris to Rome? | How late is it in New York? | Is it dark in Oslo?
When my dog eats chocolate is it dangerous? | who wrote let it go | who sang let it be
Is it safe to eat raw eggs? | Is it true that cats have nine lives?
How long does it take to fly to Mars? | What time is it in Tokyo?
How do they make paper? | What is CBT and how does it work?
Does Apple make its own chips? | How do penguins keep their eggs warm?
What are the symptoms? | What about the second? | How about a game? | And you?
And now for something completely different | Are there any lakes on Mars?
"""
FILLERS = """
你好 | 再说详细一点 | 请用英文回答 | 讲个笑话 | 总结一下 | 换个说法 | 继续说 | 嗯 | ok
好的，谢谢 | 哈哈 | thanks a lot | I don't understand | Please use bullet points
hello
hmm | sorry | cool | Thank you so much! | summarize it | Say it in simpler words
go on
"""
# Earlier questions that name no subject that is sure, and one that leans on them.
UNSURE = """
我又把上次我重新装上去 | 它怎么用？
你知道我在用什么手机吗 | 它好用吗？
彭于晏演过哪些电影？ | 他多高？
谁写了《红楼梦》？ | 他是哪里人？
最近有什么新闻？ | 它是真的吗？
Is the test reliable? | Can it be cured?
What is reliable? | Can it be cured?
Who founded Apple? | How old is he?
Who wrote Harry Potter? | When was she born?
Is Paris bigger than Berlin? | What about London?
How do I save money? | Is it worth it?
"""
BEFORE = ["肺癌是什么？", "What is lung cancer?", "煮鸡蛋是什么？"]


def phrases(table: str) -> list[str]:
    """Return the phrases of a table, which signs and line ends separate."""
    return re.split(r" \| |\n", table.strip())


@pytest.mark.spec("R1", "R2", "C1")
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("question", phrases(ALONE))
def test_a_question_that_stands_alone(before: str, question: str) -> None:
    """Nothing is added to it, no name is touched, whatever was asked before."""
    assert rule.complete(question, [before]).query == question


@pytest.mark.spec("R1", "R3")
@pytest.mark.parametrize("filler", phrases(FILLERS))
def test_a_turn_without_a_subject(filler: str) -> None:
    """A greeting, thanks and a wish for the answer change no subject."""
    chinese = rule.complete("它的症状是什么？", [BEFORE[0], filler])
    english = rule.complete("What causes it?", [BEFORE[1], filler])

    assert chinese.query == "肺癌的症状是什么？"
    assert english.query == "What causes lung cancer?"


@pytest.mark.spec("R1", "R2")
@pytest.mark.parametrize("talk", UNSURE.strip().splitlines())
def test_a_subject_that_is_not_sure(talk: str) -> None:
    """Where no noun is sure the question stays as typed."""
    earlier, question = talk.split(" | ")

    assert rule.complete(question, [earlier]).query == question


def test_the_whole_name() -> None:
    """A name is taken whole or not at all."""
    assert "彭于晏" in rule.complete("他多高？", ["彭于晏是谁？"]).query
