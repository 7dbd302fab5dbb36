"""Every word the user reads on the page, in Chinese and in English."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-CN": {
        "not_yet": (
            "对话功能正在建设中，这个页面目前只报告搜索的状态。\n\n"
            "搜索已经可以在命令行使用：\n\n"
            '```\n.venv/bin/python -m websearch search "北京 天气"\n```'
        ),
        "search_state": "**搜索：{title}**\n\n{cause}",
        "checking": "正在检查搜索服务……",
    },
    "en-US": {
        "not_yet": (
            "Chat is being built; for now this page only tells the state of search."
            "\n\nSearch works already on the command line:\n\n"
            '```\n.venv/bin/python -m websearch search "weather in Beijing"\n```'
        ),
        "search_state": "**Search: {title}**\n\n{cause}",
        "checking": "Checking the search service …",
    },
}


def text(name: str, language: str) -> str:
    """The words for *name*; any language but English reads Chinese."""
    return TEXTS["en-US" if language.startswith("en") else "zh-CN"][name]
