"""The page draws each formula of an answer, and shows each price as it is written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import PageLinker, Source, page_form

SOURCES = {n: Source(n, f"T{n}", f"https://s{n}.example/") for n in (1, 2)}
LINK = re.compile(r"\[(\[[0-9]+\])\]\([^)]*\)")
# Prices and other words: the page shows them letter for letter.
PRICES = r"""
US$5
A$7, HK$7.8/US$1 和 NT$30
$5
$4,200–$14,000
$4,200-$14,000 a year
$5 and $6
价格是$5到$10，约合￥70
0.18 $/kWh; at 0.20 $/kWh
100$ oder 200$
(100$/a, 50$/b)
$10k-$20k, $5M–$1B
$1M$
$100$
$4,200$
$5/mo/$60/yr
$5, $6, or $7.
It is $5, or $6, (about $7) $8.50/month
($5)-($6)
USD($)和CNY(¥)
¥5、€6、£7 和 $8
$1=¥7.2，$2=¥14.4
$5 + tax and $6
$5=£4$
$20 a month, x$
$HOME/$USER
$PATH:$HOME and ${HOME}/${USER}
$MY_VAR/$OTHER_VAR
${a}-${b}
$x and $y; $i=0; $i++
$x=$y+$z
$a->$b
$A$1:$B$2
$AAPL$, $TSLA/$GM, $F,$GM
Noma ($$$$), Geranium ($$ – $$$), $$ - $$
either $$ or $$
人均 $$，评分 4.5；另一家 $$，一般
$, $$ and $$$
以$结尾的
costs $5 and $
"""
# Formulas, and what the page gets for them.
FORMULAS = r"""
$x$ ==> $x$
其中$x$是未知数 ==> 其中$x$是未知数
$E = mc^2$[1] ==> $E = mc^2$[[1]]
costs $5 and $x$ is ==> costs \$5 and $x$ is
$x$ costs $5 ==> $x$ costs \$5
$n$th, $p$-value ==> $n$th, $p$-value
$x_1$ 和 $y_{总}$ ==> $x_1$ 和 $y_{总}$
$\alpha$, $\frac{a}{b}$ ==> $\alpha$, $\frac{a}{b}$
$0 < x < 1$ ==> $0 < x < 1$
$a=1$，$a \ne 0$ ==> $a=1$，$a \ne 0$
$n+1$, $2n$, $f(x)$, $O(n)$ ==> $n+1$, $2n$, $f(x)$, $O(n)$
$O(n \log n)$ ==> $O(n \log n)$
$2^{10}$ 与 $H^+$ ==> $2^{10}$ 与 $H^+$
$[0,n)$, $|x|$ ==> $[0,n)$, $|x|$
$AB$, $\triangle ABC$ ==> $AB$, $\triangle ABC$
\(x\) ==> $x$
\(a:b\) 与 \(a<b>c\) ==> $$a:b$$ 与 $a<b>c$
\(x\)\(y\) ==> $x$ $y$
a\(x\)2 ==> a$$x$$2
\(5\) 个 ==> $$5$$ 个
\(x + \$\) ==> $$ x + \$ $$
$5[1] 和 $6[2] ==> \$5[[1]] 和 \$6[[2]]
0.18 $/kWh[1]; 0.20 $/kWh ==> 0.18 \$/kWh[[1]]; 0.20 \$/kWh
$arr[$i] ==> \$arr\[\$i\]
\( x_1 \), \(\text{价 $x$}\) ==> $x_1$, $$\text{价 $x$}$$
$$E=mc^2$$ 即 $$x$$ ==> $$E=mc^2$$ 即 $$x$$
$$E=mc^2$$ ==> $$⏎E=mc^2⏎$$
\[E=mc^2\] ==> $$⏎E=mc^2⏎$$
\[⏎x⏎= 1⏎\] ==> $$⏎x⏎= 1⏎$$
如下⏎\[ \frac{1}{2} \]⏎其中 ==> 如下⏎$$⏎\frac{1}{2}⏎$$⏎其中
- 甲⏎  \[ x=1 \]⏎- $$y^2$$ ==> - 甲⏎  $$⏎  x=1⏎  $$⏎- $$⏎  y^2⏎  $$
\[⏎x = a⏎- b⏎# c⏎\]⏎# 题 ==> $$⏎x = a⏎- b⏎# c⏎$$⏎# 题
1. 甲⏎   \[⏎   a⏎   + b⏎   \]⏎2. 乙 ==> 1. 甲⏎   $$⏎   a⏎   + b⏎   $$⏎2. 乙
1. 甲⏎\[⏎a⏎+ b⏎\]⏎2. 乙 ==> 1. 甲⏎$$⏎a⏎+ b⏎$$⏎2. 乙
\[⏎x = a⏎⏎- b⏎\] ==> \[⏎x = a⏎⏎- b⏎\]
\[⏎x = a⏎```⏎\] $5⏎``` ==> \[⏎x = a⏎```⏎\] $5⏎```
> 引⏎> $$ x $$ ==> > 引⏎> $$⏎> x⏎> $$
|甲|⏎|-|⏎|$x$ $5 \(y\)|⏎|$|a$| ==> |甲|⏎|-|⏎|$x$ \$5 $y$|⏎|\$|a\$|
# 题 $$x^2$$ ==> # 题 $$x^2$$
\[x = [1]\] [2] ==> $$x = [1]$$ [[2]]
`$x$ \(y\)` $5 ==> `$x$ \(y\)` \$5
```⏎$5 \[x=1\] $x$⏎``` ==> ```⏎$5 \[x=1\] $x$⏎```
\[1\] \[图\] a \[x=1\] \(note\) ==> \[1\] \[图\] a \[x=1\] \(note\)
\(\frac{1}{\) ==> \(\frac{1}{\)
$x ==> \$x
\\(x\\) ==> \\(x\\)
\(\def\a{\a\a}\a\) ==> \(\def\a{\a\a}\a\)
$\newcommand{\a}{b}\a$ ==> \$\newcommand{\a}{b}\a\$
"""
SIGNS = (
    r"$ $$ \( \) \[ \] x 5 _ ^ = { } \frac{a}{b} $x$ [1] [ ]( ` word 中文 ， | <b> \$"
)
PARTS = SIGNS.split()
PARTS += [" ", "\n", "\n\n", "\n> ", "\n- ", "\n|-|\n", "    "]
ESCAPED_OR_CODE = re.compile(r"`[^`]*`|\\.|\]\([^)]*\)")
FORMULA = re.compile(r"(\$\$?)(?!\$)[^$]+\1(?!\$)")
CASES = [
    *((line, line.replace("$", r"\$")) for line in PRICES.strip().splitlines()),
    *(line.split(" ==> ") for line in FORMULAS.strip().splitlines()),
]


@pytest.mark.spec("X5", "D6", "D7")
@pytest.mark.parametrize(("written", "shown"), CASES)
def test_formulas_and_prices(written: str, shown: str) -> None:
    """Formulas keep their signs, prices lose them, wherever the stream is cut."""
    text = written.replace("⏎", "\n")
    whole = page_form(text, SOURCES)

    assert LINK.sub(r"[\1]", whole) == shown.replace("⏎", "\n")
    for cut in range(1, len(text)):
        linker = PageLinker(SOURCES)
        begun = linker.feed(text[:cut])
        assert begun + linker.feed(text[cut:]) + linker.close() == whole


@pytest.mark.spec("X5")
@given(st.lists(st.sampled_from(PARTS), max_size=16).map("".join), st.integers(1, 9))
def test_no_sign_is_left(text: str, size: int) -> None:
    """The page gets whole formulas and escaped signs of any text, however it is cut."""
    linker = PageLinker(SOURCES)
    pieces = [linker.feed(text[at : at + size]) for at in range(0, len(text), size)]
    shown = "".join(pieces) + linker.close()

    assert shown == page_form(text, SOURCES)
    assert "$" not in FORMULA.sub("", ESCAPED_OR_CODE.sub("", shown))


@pytest.mark.spec("X5")
@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("It is $5 per month for all of them", 6),
        ("价格是$5，约合人民币三十五元", 2),
        ("It is $5) and then some other words", 12),
        ("\\(x + " * 3 + "y" * 40, 50),
        ("$$ distance from here to there and back " * 2, 24),
        ("\\[ " + "x + " * 600, 1_600),
    ],
)
def test_an_open_formula_is_held_back(text: str, most: int) -> None:
    """A possible formula waits for its end, until its words show that it is none."""
    linker, shown = PageLinker(SOURCES), 0
    for at, letter in enumerate(text, start=1):
        shown += len(linker.feed(letter).replace(r"\$", "$"))
        assert at - shown <= most


def test_a_formula_appears_whole() -> None:
    """No half of a formula is ever shown."""
    linker = PageLinker(SOURCES)
    pieces = [linker.feed(letter) for letter in r"设 \(x_1 = \frac{a}{b}\)，为"]

    assert [piece for piece in pieces if "$" in piece] == [r"$x_1 = \frac{a}{b}$，"]


@pytest.mark.spec("X5", "N1")
def test_formulas_cost_little() -> None:
    """Deep, long and very many formulas, and those that define others, stay text."""
    deep = "\\(" + "{" * 5_000 + "x" + "}" * 5_000 + "\\)"
    many = page_form("\\(x + y_1\\) " * 5_000, SOURCES)

    assert "$" not in page_form(deep, SOURCES) + page_form(rf"\(x{' + x' * 900}\)", {})
    assert many.count("$x") < 2_000
    assert many.endswith("`\\(x + y_1\\)` ")
