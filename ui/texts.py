"""All texts of the page, in Chinese and in English."""

from collections.abc import Mapping
from typing import Final

from ui.language import supported

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-CN": {
        # settings panel
        "mode": "对话模式",
        "chat_mode": "Chat 模式",
        "agent_mode": "Agent 模式",
        "search": "联网搜索",
        "search_label": "🔍 联网搜索",
        "search_description": "启用后将使用SearXNG搜索实时信息",
        "search_locked": "Agent 模式下由 AI 自动决策搜索",
        "no_search": "此智能体未启用联网搜索",
        "agent": "智能体",
        "search_on": "联网搜索：已开启",
        "search_off": "联网搜索：已关闭",
        "search_usage": "可以输入 `/search on` 开启，`/search off` 关闭；`/doctor` 检查搜索和模型。",
        "examining": "正在检查搜索、阅读和模型……",
        "model": "模型",
        "reading": "阅读网页",
        # search step
        "searching": "搜索中 “{query}” …",
        "found": "“{query}” 找到 {count} 条 · {provider} · {seconds}",
        "found_nothing": "“{query}” 没有找到相关结果 · {provider} · {seconds}",
        "from_cache": "缓存",
        "search_failed": "“{query}” 搜索失败 · {title}（{seconds}）",
        "search_stopped": "“{query}” 搜索已停止",
        "went_on": "本次回答未使用搜索结果。",
        "only_earlier": "本次回答只使用了此前搜索的结果。",
        "engines_failed": "部分引擎没有结果：{engines}",
        "instead": "{engine} {reason}，本次改用 {used}",
        "cause": "原因",
        "next_steps": "下一步",
        "more": "排查步骤",
        "configuration": "配置说明",
        # answer
        "thinking": "思考过程",
        "references": "参考文献",
        "search_sources": "搜索来源",
        "other_sources": "其他搜索来源",
        "earlier_sources": "此前搜索的来源",
        "round": "第 {number} 轮 · “{query}”",
        "cited": "已引用",
        "open_source": "在新标签页打开",
        "image_blocked": "图片已屏蔽",
        "stopped": "*已停止生成，以上内容不完整。*",
        "stopped_empty": "*已停止生成。*",
        "stop_toast": "已停止生成",
        # messages that can't be answered
        "empty": "消息里没有文字。请写下您的问题。",
        "too_long": "消息太长（{count} 字，最多 {most} 字）。请缩短后再发送。",
        "uncaught": "出了点问题，这条消息没有处理完。请再试一次；如果仍然如此，请查看服务器日志。",
        # before the page
        "unknown_host": "服务器不认识这个主机名。请用 localhost 打开，或把该主机名加入 ALLOWED_HOSTS。",
        # welcome
        "welcome": "### 联网搜索，每个说法都有来源\n\n{state}",
        "state_checking": "正在检查搜索服务……",
        "state_ready": "搜索可用：{provider} · 模型：{model}",
        "state_search": "**搜索：{title}** {step}",
        "state_serving": "现在由 **{used}** 应答。",
        "state_model": "**模型：{title}** {step}",
        "state_rejected": "**{place}** 不可用，应为：{expected}。该项已忽略，其余设置照常生效；输入 `/doctor` 查看详情。",
        "state_more_rejected": "还有 {count} 处不可用，请查看服务器日志。",
        "starter_news": "今天有什么科技新闻？",
        "starter_weather": "北京这周天气怎么样？",
        "starter_compare": "比较一下 PostgreSQL 和 MySQL 的最新版本",
        "starter_howto": "怎样给 SearXNG 启用 JSON 格式？",
    },
    "en-US": {
        "mode": "Mode",
        "chat_mode": "Chat mode",
        "agent_mode": "Agent mode",
        "search": "Web search",
        "search_label": "🔍 Web search",
        "search_description": "When on, SearXNG is searched for up-to-date information",
        "search_locked": "In Agent mode the AI decides when to search",
        "no_search": "This agent has no web search",
        "agent": "Agent",
        "search_on": "Web search: on",
        "search_off": "Web search: off",
        "search_usage": "Type `/search on` or `/search off` to change it, and `/doctor` to check search and model.",
        "examining": "Checking search, reading and model …",
        "model": "Model",
        "reading": "Reading pages",
        "searching": "Searching “{query}” …",
        "found": "“{query}” found {count} · {provider} · {seconds}",
        "found_nothing": "“{query}” found nothing relevant · {provider} · {seconds}",
        "from_cache": "cached",
        "search_failed": "“{query}” search failed · {title} ({seconds})",
        "search_stopped": "“{query}” search stopped",
        "went_on": "This answer uses no search results.",
        "only_earlier": "This answer uses results of earlier searches only.",
        "engines_failed": "Some engines gave no results: {engines}",
        "instead": "{engine} {reason}; {used} answered instead",
        "cause": "Cause",
        "next_steps": "Next steps",
        "more": "How to fix it",
        "configuration": "Configuration",
        "thinking": "Thoughts",
        "references": "References",
        "search_sources": "Search results",
        "other_sources": "Other search results",
        "earlier_sources": "From earlier searches",
        "round": "Search {number} · “{query}”",
        "cited": "cited",
        "open_source": "opens in a new tab",
        "image_blocked": "image blocked",
        "stopped": "*Stopped. The text above is not complete.*",
        "stopped_empty": "*Stopped.*",
        "stop_toast": "Stopped",
        "empty": "There is no text in the message. Please write your question.",
        "too_long": "The message is too long ({count} characters, {most} at most). Please shorten it.",
        "uncaught": "Something went wrong, and this message was not fully answered. Please try again; if it happens again, see the server's log.",
        "unknown_host": "This server does not accept the host name in the address. Open it as localhost, or add the host name to ALLOWED_HOSTS.",
        "welcome": "### Web search with a source for every claim\n\n{state}",
        "state_checking": "Checking the search service …",
        "state_ready": "Search works: {provider} · Model: {model}",
        "state_search": "**Search: {title}** {step}",
        "state_serving": "For now **{used}** answers searches.",
        "state_model": "**Model: {title}** {step}",
        "state_rejected": "**{place}** is not usable; expected: {expected}. It is ignored, and all other settings apply; type `/doctor` for details.",
        "state_more_rejected": "More places that are not usable: {count}; see the server's log.",
        "starter_news": "What is new in technology today?",
        "starter_weather": "What is the weather in Beijing this week?",
        "starter_compare": "Compare the latest versions of PostgreSQL and MySQL",
        "starter_howto": "How do I enable JSON in SearXNG?",
    },
}

# Problems of the model, each with a next step.
PROBLEMS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-CN": {
        "wrong_key": "**模型服务拒绝了密钥** 请检查 `.env` 中的 `OPENAI_API_KEY` 是否属于 `OPENAI_BASE_URL` 所指的服务，然后重新启动。",
        "no_quota": "**模型账户没有余额或额度** 请到模型服务商处充值，或换用其他密钥。",
        "rate_limit": "**模型服务的请求过于频繁** 请等一分钟再试。",
        "unreachable": "**连不上模型服务** 请检查网络，以及 `OPENAI_BASE_URL` 的地址和端口。",
        "timeout": "**模型没有及时回应** 请再试一次；模型较慢时可调大 `OPENAI_TIMEOUT_S`。",
        "context_too_long": "**对话超过了模型的长度上限** 请新建对话，或缩短问题。",
        "unknown_model": "**模型服务没有这个模型** 请检查 `OPENAI_MODEL` 的名称和 `OPENAI_BASE_URL`（通常以 `/v1` 结尾）。",
        "no_tools": "**当前模型不支持工具调用** 请换用支持工具的模型，或使用 Chat 模式。",
        "cut_off": "**回答中途断开** 以上内容不完整，请再试一次。",
        "too_long_answer": "**回答达到长度上限** 以上内容不完整，可以请模型继续。",
        "filtered": "**模型服务拦截了回答** 请换一种问法。",
        "silent": "**模型没有给出内容** 请再试一次，或换一种问法。",
        "refused": "**模型服务拒绝了请求** 请检查 `OPENAI_MODEL`；若服务不接受 stream_options，请设置 `OPENAI_STREAM_USAGE=false`。",
        "server": "**模型服务出错** 请稍后再试。",
        "unknown": "**生成回答时出错** 请再试一次；如果仍然如此，请查看服务器日志。",
    },
    "en-US": {
        "wrong_key": "**The model's server refused the key** Check that `OPENAI_API_KEY` in `.env` belongs to the server of `OPENAI_BASE_URL`, and start again.",
        "no_quota": "**The model's account has no credit left** Top it up, or use another key.",
        "rate_limit": "**Too many requests to the model's server** Wait a minute and try again.",
        "unreachable": "**The model's server can't be reached** Check the network, and address and port in `OPENAI_BASE_URL`.",
        "timeout": "**The model did not answer in time** Try again; for a slow model raise `OPENAI_TIMEOUT_S`.",
        "context_too_long": "**The conversation is too long for the model** Start a new one, or shorten the question.",
        "unknown_model": "**The server does not know this model** Check `OPENAI_MODEL`, and that `OPENAI_BASE_URL` is right (it mostly ends in `/v1`).",
        "no_tools": "**This model can't call tools** Use a model that can, or switch to Chat mode.",
        "cut_off": "**The answer broke off** The text above is not complete; please try again.",
        "too_long_answer": "**The answer reached the length limit** The text above is not complete; you can ask the model to continue.",
        "filtered": "**The model's server blocked the answer** Please ask in another way.",
        "silent": "**The model gave no answer** Try again, or ask in another way.",
        "refused": "**The model's server refused the request** Check `OPENAI_MODEL`; if the server takes no stream_options, set `OPENAI_STREAM_USAGE=false`.",
        "server": "**The model's server failed** Please try again later.",
        "unknown": "**Something went wrong while answering** Try again; if it happens again, see the server's log.",
    },
}

# Notices about an answer, each with a next step.
NOTICES: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-CN": {
        "no_tools": "**普通搜索** 当前模型不支持工具调用，已改用普通搜索。要由 AI 自行决定何时搜索，请换用支持工具调用的模型。",
        "search_limit": "**搜索次数已用完** 本次回答已搜索 {count} 次，不再继续搜索，以下内容依据已找到的结果。想了解更多，请接着提问。",
        "address_search_off": "**没有打开您写的网址** 联网搜索已关闭。打开“联网搜索”后再发一次，网页就会被读取。",
        "address_reading_off": "**没有打开您写的网址** 阅读网页已关闭。在设置中打开“阅读网页”后再发一次（没有这个开关，就是部署者关掉了阅读）。",
    },
    "en-US": {
        "no_tools": "**Plain search** This model can't call tools, so your message was used as the search query, as in Chat mode. To let the AI decide when to search, use a model that can call tools.",
        "search_limit": "**Search limit reached** This answer has used all its searches ({count}); the rest is based on the results so far. To learn more, ask a follow-up question.",
        "address_search_off": "**The address you wrote was not opened** Web search is off. Switch it on and send the question again, and the page will be read.",
        "address_reading_off": "**The address you wrote was not opened** Reading pages is off. Switch on “Read pages” in the settings and send the question again (where it can't be switched on, whoever runs this has turned reading off).",
    },
}


# Reasons why an engine gave no results, by error code or detail code.
REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-CN": {
        "Timeout": "超时",
        "WebBlocked": "拒绝了搜索",
        "captcha_required": "要求验证码",
        "rate_limited": "已达到每分钟的搜索上限",
        "WebParseError": "返回的内容无法读取",
        "NetworkError": "无法访问",
        "proxy_unreachable": "的代理无法访问",
        "proxy_not_http": "的代理地址不是 HTTP 代理",
        "proxy_auth": "的代理不接受登录",
        "proxy_refuses": "的代理拒绝了连接",
        "proxy_fails": "的代理出错",
        "proxy_silent": "的代理没有应答",
        "AuthError": "不接受密钥或登录",
        "missing_key": "没有设置密钥",
        "quota_exhausted": "的额度已用完",
        "json_disabled": "未启用 JSON",
        "query_too_long": "不接受这么长的查询",
        "http_414": "不接受这么长的查询",
        "BadGateway": "出错",
        "other": "搜索失败",
    },
    "en-US": {
        "Timeout": "took too long",
        "WebBlocked": "refused the search",
        "captcha_required": "asked for a CAPTCHA",
        "rate_limited": "has reached its limit of searches per minute",
        "WebParseError": "sent a response that can't be read",
        "NetworkError": "can't be reached",
        "proxy_unreachable": "could not be reached: its proxy is unreachable",
        "proxy_not_http": "could not be reached: its proxy is not an HTTP proxy",
        "proxy_auth": "could not be reached: its proxy refused the login",
        "proxy_refuses": "could not be reached: its proxy refused the connection",
        "proxy_fails": "could not be reached: its proxy failed",
        "proxy_silent": "could not be reached: its proxy did not respond",
        "AuthError": "refused the key or login",
        "missing_key": "has no key",
        "quota_exhausted": "has no quota left",
        "json_disabled": "has JSON disabled",
        "query_too_long": "does not accept such a long query",
        "http_414": "does not accept such a long query",
        "BadGateway": "failed",
        "other": "failed",
    },
}


def text(name: str, language: str, **values: object) -> str:
    """The text *name* with *values*; Chinese for any language but English."""
    words = TEXTS[supported(language)][name]
    return words.format(**values) if values else words


def problem_text(problem: str, language: str) -> str:
    """The text for a problem of the model."""
    return PROBLEMS[supported(language)][problem]


def notice_text(kind: str, language: str, **values: object) -> str:
    """The text for a notice at the head of an answer."""
    return NOTICES[supported(language)][kind].format(**values)


def reason_text(code: str, detail_code: str | None, language: str) -> str:
    """The reason why an engine gave no results, in a few words after its name."""
    reasons = REASONS[supported(language)]
    return reasons.get(detail_code or "") or reasons.get(code) or reasons["other"]
