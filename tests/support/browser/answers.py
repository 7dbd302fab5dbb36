"""Markdown as the server writes it, for pages that show it without a model."""


def citation(number: int) -> str:
    """A marker that is linked."""
    title = f"[{number}] 第 {number} 个来源 — site{number}.example"
    return f'[[{number}]](https://site{number}.example/page "{title}")'


def source(number: int, *, snippet: bool = True) -> str:
    """One entry of a list."""
    address = f"https://site{number}.example/page"
    line = f'- **[{number}]** [第 {number} 个来源]({address} "↗ 在新标签页打开")'
    quoted = f"\n  > 第 {number} 个摘要" if snippet else ""
    return f"{line} `site{number}.example`{quoted}"


def sources(count: int) -> str:
    """References, below a line."""
    items = "\n".join(source(n + 1) for n in range(count))
    return f"\n\n---\n\n#### 参考文献\n\n{items}\n"


def rounds(count: int) -> str:
    """Searches that found five pages each; every second one finds page 2 again."""
    parts = ["\n\n#### 搜索来源"]
    for number in range(count):
        again = number % 2
        found = [source(number * 5 + n) for n in range(1 + again, 6)]
        parts += [f"##### 第 {number + 1} 次搜索 · “词 {number + 1}”", "\n".join(found)]
        parts += ["再次找到 **[2]**"] * again
    return "\n\n".join(parts)
