"""All sentences of the built-in answerer, in Chinese and in English."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "quoted": "未配置模型：以下为搜索结果摘录",
        "excerpts": "以下是从找到的内容里摘录的原句，没有经过模型。",
        "samples": (
            "离线演示：现在没有连上任何搜索引擎，下面的来源是样例，与您的问题无关。"
        ),
        "better": "设置 `OPENAI_API_KEY`（或启动本机的 Ollama）后，由模型作答。",
        "closest": "下面的句子最接近这个问题，不一定回答了它：",
        "unfit": (
            "未配置模型，只能摘录搜索结果；这次搜到的内容都没有谈到这个问题，"
            "搜到的网页列在下面。请换个说法再问，或直接打开这些网页。"
        ),
        "nothing": (
            "未配置模型，只能摘录搜索结果；这次搜索没有找到结果。请换个说法再问。"
        ),
        "failed": (
            "未配置模型，只能摘录搜索结果；这次搜索没有成功，所以没有可摘录的内容。"
            "请稍后再问，或按搜索步骤里的提示处理。"
        ),
        "no_search": (
            "未配置模型，只能摘录搜索结果，而这次没有搜索结果。"
            "请打开“联网搜索”，或选择启用了联网搜索的智能体，再问一次"
            "（没有可选的，就是部署者关掉了搜索）。"
        ),
        "no_topic": ("未配置模型，只能摘录搜索结果。请提一个可以在网上查到的问题。"),
    },
    "en": {
        "quoted": "No model is set up: excerpts from the search results",
        "excerpts": "These sentences are quoted from what was found, without a model.",
        "samples": (
            "Offline samples: no search engine is connected, and the sources below are "
            "samples that have nothing to do with your question."
        ),
        "better": (
            "Set `OPENAI_API_KEY` (or start an Ollama on this machine), "
            "and a model will answer."
        ),
        "closest": "These sentences come closest, and may not answer the question:",
        "unfit": (
            "No model is set up, so I can only quote search results, and none of these "
            "speaks of the question. The pages that were found are listed below. "
            "Ask in other words, or open these pages."
        ),
        "nothing": (
            "No model is set up, so I can only quote search results, and this search "
            "found nothing. Ask in other words."
        ),
        "failed": (
            "No model is set up, so I can only quote search results, and this search "
            "did not succeed: there is nothing to quote. "
            "Ask again later, or follow the advice at the search step."
        ),
        "no_search": (
            "No model is set up, so I can only quote search results, and there are "
            "none. Switch web search on, or choose an agent that may search, and ask "
            "again (with neither to choose, whoever runs this has search switched off)."
        ),
        "no_topic": (
            "No model is set up, so I can only quote search results. "
            "Ask something that can be looked up on the web."
        ),
    },
}
