"""Questions that a reader found changed although they stand on their own."""

import pytest

from agent.follow_up.rule import Rule

CHINESE = [
    "几内亚在哪",
    "会计是做什么的",
    "对联怎么写",
    "会计证怎么考",
    "会议纪要怎么写",
    "能量守恒是什么",
    "能力怎么提升",
    "要素市场是什么",
    "对虾怎么做",
    "对牛弹琴是什么意思",
    "由来已久 意思",
    "占星是什么",
    "几何怎么学",
    "离婚需要什么材料",
    "公司怎么注册？",
    "什么是时间？",
    "什么是经济？",
    "什么是文化？",
    "什么是语言？",
    "语言的起源是什么？",
    "工资怎么算？",
    "体重怎么算？",
    "机票怎么退？",
    "怎么买保险？",
    "房价会跌吗？",
    "汇率是多少？",
    "工作怎么找",
    "对象怎么找",
    "怎么赚钱？",
    "怎么学习？",
    "发生了什么",
    "今天发生了什么",
    "现在几点？",
    "今天几号？",
    "你能做什么？",
    "真的吗？",
    "是吗？",
    "这里是哪里",
    "晚上吃什么",
    "哪里好玩",
    "你呢？",
    "那你呢",
    "人呢？",
    "他信是谁？",
    "他加禄语怎么学？",
    "他山之石",
    "他是龙",
    "她理财",
    "“他”字怎么写",
    "“它”和“他”的区别",
    "这个杀手不太冷",
    "这个男人来自地球讲了什么",
    "那个英文怎么说",
    "这个冬天冷吗",
    "当地时间几点",
]
ENGLISH = [
    "What time is it?",
    "What's the date today?",
    "what date is it",
    "What day is it?",
    "What is the time?",
    "What's up?",
    "What's new this year?",
    "What happened this week?",
    "What is happening?",
    "It is raining",
    "thanks for that",
    "What is culture?",
    "What is time?",
    "What is death?",
    "What is history?",
    "What is language?",
    "What is a function?",
    "What is an author?",
    "How to lose weight fast?",
    "What is the best way to lose weight?",
    "how to write a function",
    "Why is it called Black Friday?",
    "Why do they call it football?",
    "How far is it from Paris to Rome?",
    "How late is it in New York?",
    "When my dog eats chocolate is it dangerous?",
    "what does it department do",
    "who wrote let it go",
    "who sang let it be",
    "they/them pronouns meaning",
    "And now for something completely different",
    "Or else",
    "How about a game?",
    "What about time travel?",
]
FILLERS = [
    "你好",
    "再说详细一点",
    "请用英文回答",
    "讲个笑话",
    "总结一下",
    "换个说法",
    "我不明白",
    "继续说",
    "嗯",
    "ok",
    "好的，谢谢",
    "哈哈",
    "print('x')",
    "3+5等于几",
    "thanks a lot",
    "tell me a joke",
    "I don't understand",
    "Can you write that in Chinese?",
    "Please use bullet points",
    "hello",
    "hmm",
    "sorry",
    "cool",
    "Thank you so much!",
    "summarize it",
    "Say it in simpler words",
    "go on",
    "x = 3 * 4",
]
LEANING = [
    ("会传染吗？", "肺癌会传染吗？"),
    ("能治好吗？", "肺癌能治好吗？"),
    ("对孕妇有什么影响？", "肺癌对孕妇有什么影响？"),
    ("症状是什么？", "肺癌症状是什么？"),
    ("价格是多少？", "肺癌价格是多少？"),
    ("怎么预防？", "肺癌怎么预防？"),
    ("这个严重吗？", "肺癌严重吗？"),
    ("后来发生了什么？", "肺癌后来发生了什么？"),
    ("What happened?", "What happened lung cancer?"),
    ("How is it called in Spanish?", "How is lung cancer called in Spanish?"),
    ("What are the symptoms?", "What are the symptoms of lung cancer?"),
    ("How far does it spread?", "How far does lung cancer spread?"),
    ("What about the risks?", "What about the risks of lung cancer?"),
    ("And for adults?", "And for adults lung cancer?"),
]
BEFORE = ["肺癌是什么？", "What is lung cancer?"]


def asked(*questions: str) -> str:
    """Return the query of the last question."""
    rule = Rule()
    query = ""
    for question in questions:
        completion = rule.complete(question)
        rule.follow(completion)
        query = completion.query
    return query


@pytest.mark.spec("R1")
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("question", CHINESE)
def test_a_chinese_question_that_stands_alone(before: str, question: str) -> None:
    """Nothing is added to it, whatever was asked before."""
    assert asked(before, question) == question


@pytest.mark.spec("R1")
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("question", ENGLISH)
def test_an_english_question_that_stands_alone(before: str, question: str) -> None:
    """Nothing is added to it, whatever was asked before."""
    assert asked(before, question) == question


@pytest.mark.spec("R1", "R3")
@pytest.mark.parametrize("filler", FILLERS)
def test_a_turn_without_a_subject(filler: str) -> None:
    """A greeting, thanks, a wish for the answer, code and sums change no subject."""
    assert asked(BEFORE[0], filler, "它的症状是什么？") == "肺癌的症状是什么？"
    assert asked(BEFORE[1], filler, "What causes it?") == "What causes lung cancer?"


@pytest.mark.spec("R1")
@pytest.mark.parametrize(("question", "query"), LEANING)
def test_a_question_that_still_leans(question: str, query: str) -> None:
    """The same kinds of words are completed where they ask of something."""
    before = BEFORE[question.isascii()]
    assert asked(before, question) == query


@pytest.mark.spec("R1", "R3")
@pytest.mark.parametrize(
    ("questions", "query"),
    [
        (
            "Who is the president of France? | How old is he?",
            "How old is president of France?",
        ),
        (
            "Who wrote Harry Potter? | When was she born?",
            "When was who wrote Harry Potter born?",
        ),
        ("谁写了红楼梦？ | 他是哪里人？", "谁写了红楼梦是哪里人？"),
        ("谁写了红楼梦？ | 它有多少字？", "红楼梦有多少字？"),
        ("刘德华演过哪些电影？ | 他老婆是谁？", "刘德华老婆是谁？"),
        ("三体讲了什么？ | 这本书多少页？", "三体多少页？"),
        ("推荐几款手机 | 哪款最便宜？", "手机哪款最便宜？"),
        ("iPhone多少钱？ | iPad呢？", "iPad多少钱"),
        ("苹果公司的总部在哪里？ | 它的股价呢？ | 市值多少？", "苹果市值多少？"),
        ("刘德华是谁？ | 他多高？ | 他女儿呢？", "刘德华女儿呢？"),
        ("孕妇能打新冠疫苗吗？ | 孩子呢？", "孩子能打新冠疫苗吗"),
        ("雅思怎么准备？ | 每天学多久？ | 口语呢？", "雅思口语呢？"),
        ("水的沸点是多少？ | 酒精呢？", "酒精的沸点是多少"),
        ("React 和 Vue 哪个好学？ | 前者由谁维护？ | 后者呢？", "Vue 呢？"),
        (
            "Compare Python and Java. | Which one is faster?",
            "Which one is faster Python and Java?",
        ),
    ],
)
def test_the_right_words(questions: str, query: str) -> None:
    """The person, the thing or the noun that is meant stands in the query."""
    assert asked(*questions.split(" | ")) == query


def test_a_long_hostile_question() -> None:
    """A question of many names ends in a query."""
    assert len(asked("A B " * 70, "What causes it?")) < 100
