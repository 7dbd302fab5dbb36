"""Questions that stand alone, and turns that name no subject, change nothing."""

import re

import pytest

from agent.follow_up.rule import Rule

ALONE = """
几内亚在哪 | 会计是做什么的 | 对联怎么写 | 会计证怎么考 | 会议纪要怎么写
能量守恒是什么 | 能力怎么提升 | 要素市场是什么 | 对虾怎么做 | 对牛弹琴是什么意思
由来已久 意思 | 占星是什么 | 几何怎么学 | 离婚需要什么材料 | 公司怎么注册？
什么是时间？ | 什么是经济？ | 什么是文化？ | 什么是语言？ | 语言的起源是什么？
工资怎么算？ | 体重怎么算？ | 机票怎么退？ | 怎么买保险？ | 房价会跌吗？
汇率是多少？ | 工作怎么找 | 对象怎么找 | 怎么赚钱？ | 怎么学习？ | 发生了什么
今天发生了什么 | 现在几点？ | 今天几号？ | 你能做什么？ | 真的吗？ | 是吗？
这里是哪里 | 晚上吃什么 | 哪里好玩 | 你呢？ | 那你呢 | 人呢？ | 他信是谁？
他加禄语怎么学？ | 他山之石 | 他是龙 | 她理财 | “他”字怎么写 | “它”和“他”的区别
这个杀手不太冷 | 这个男人来自地球讲了什么 | 那个英文怎么说 | 这个冬天冷吗
当地时间几点 | 胃癌有哪些症状？ | 那不勒斯属于哪个国家？ | 吉他怎么调音？
其他国家的人怎么申请中国签证？ | 其实每天走一万步有必要吗？
这个世界上最高的建筑是哪座？ | 特斯拉是什么公司，它的市值是多少？
猫为什么总舔自己的毛？ | 日本签证需要哪些材料？ | 能帮我写一封请假邮件吗？
高中数学怎么学？ | 小说和散文有什么区别？ | 今天天气怎么样？
What time is it? | What's the date today? | what date is it | What day is it?
What is the time? | What's up? | What's new this year? | What happened this week?
What is happening? | It is raining | thanks for that | What is culture?
What is time? | What is death? | What is history? | What is language?
What is a function? | What is an author? | How to lose weight fast?
What is the best way to lose weight? | how to write a function
Why is it called Black Friday? | Why do they call it football?
How far is it from Paris to Rome? | How late is it in New York?
When my dog eats chocolate is it dangerous? | who wrote let it go | who sang let it be
And now for something completely different | Or else | How about a game?
What is taurine? | Is it safe to eat raw eggs? | Is it raining in Beijing?
How long does it take to fly to Mars? | What time is it in Tokyo?
How do they make paper? | What is CBT and how does it work?
Does Apple make its own chips? | Are there any lakes on Mars?
Which planet is the largest one of all? | What is the weather today?
What is the meaning of life? | How old is the universe? | How are you?
What should I cook this weekend? | Can you recommend a good book about whales?
Why is the sky blue? | What does IT stand for?
Which mammals that live in water breathe air?
"""
FILLERS = """
你好 | 再说详细一点 | 请用英文回答 | 讲个笑话 | 总结一下 | 换个说法 | 我不明白
继续说 | 嗯 | ok | 好的，谢谢 | 哈哈 | print('x') | 3+5等于几 | thanks a lot
tell me a joke | I don't understand | Can you write that in Chinese?
Please use bullet points | hello | hmm | sorry | cool | Thank you so much!
summarize it | Say it in simpler words | go on | x = 3 * 4
"""
BEFORE = ["肺癌是什么？", "What is lung cancer?"]


def phrases(table: str) -> list[str]:
    """Return the phrases of a table, which signs and line ends separate."""
    return re.split(r" \| |\n", table.strip())


def asked(*questions: str) -> str:
    """Return the query of the last question."""
    rule = Rule()
    query = ""
    for question in questions:
        completion = rule.complete(question)
        rule.follow(completion)
        query = completion.query
    return query


@pytest.mark.spec("R1", "C1")
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("question", phrases(ALONE))
def test_a_question_that_stands_alone(before: str, question: str) -> None:
    """Nothing is added to it, whatever was asked before."""
    assert asked(before, question) == question


@pytest.mark.spec("R1", "R3")
@pytest.mark.parametrize("filler", phrases(FILLERS))
def test_a_turn_without_a_subject(filler: str) -> None:
    """A greeting, thanks, a wish for the answer, code and sums change no subject."""
    assert asked(BEFORE[0], filler, "它的症状是什么？") == "肺癌的症状是什么？"
    assert asked(BEFORE[1], filler, "What causes it?") == "What causes lung cancer?"
