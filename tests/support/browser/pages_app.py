"""An app that shows what a test wrote: the real page, hardened, without a model.

`show PATTERN` sends the files of the folder PAGES that match as answers, `stream
PATTERN` piece by piece, ten at a time; `step NAME` shows one as what a search found;
`wait` answers until it is stopped. Each but the last ends with `done`.
"""

import asyncio
import os
from pathlib import Path

import chainlit as cl
from chainlit.input_widget import RadioGroup, Switch
from chainlit.mode import Mode, ModeOption

from ui.server import guard

FOLDER = Path(os.environ["PAGES"])
PIECES = 8
PAUSE = 0.05

guard.install()


@cl.on_app_startup
async def start() -> None:
    await guard.self_test()


@cl.set_starters
async def starters() -> list[cl.Starter]:
    questions = ["北京明天天气怎么样？", "Python 3.14 有哪些值得升级的新特性？"]
    return [cl.Starter(label=q, message=q) for q in questions]


@cl.on_chat_start
async def settings() -> None:
    modes = {"Chat 模式": "chat", "Agent 模式": "agent"}
    about = "启用后将使用SearXNG搜索实时信息"
    mode = RadioGroup(id="mode", label="对话模式", items=modes, initial_value="chat")
    search = Switch(id="search", label="🔍 联网搜索", initial=True, description=about)
    await cl.ChatSettings([mode, search]).send()
    options = [ModeOption("quick", "快速搜索", icon="globe", default=True)]
    await cl.context.emitter.set_modes([Mode("how", "回答方式", options)])


@cl.on_stop
async def stopped() -> None:
    await cl.context.emitter.send_toast("已停止生成", "info")


@cl.on_message
async def answer(message: cl.Message) -> None:
    verb, _, pattern = " ".join(message.content.split()).partition(" ")
    if verb == "wait":
        await asyncio.sleep(60)
        return
    texts = read(pattern)
    if verb == "step":
        async with cl.Step(name="搜索中 “天气” …", type="tool", icon="search") as step:
            step.name, step.output = "“天气” 找到 5 条 · SearXNG · 0.8 s", texts[0]
    elif verb == "stream":
        for first in range(0, len(texts), 10):
            await asyncio.gather(*map(stream, texts[first : first + 10]))
    else:
        for text in texts:
            await cl.Message(text).send()
    await cl.Message("done").send()


def read(pattern: str) -> list[str]:
    return [f.read_text("utf-8", "replace") for f in sorted(FOLDER.glob(pattern))]


async def stream(text: str) -> None:
    message = cl.Message("")
    size = max(len(text) // PIECES, 1)
    for start in range(0, len(text), size):
        await message.stream_token(text[start : start + size])
        await asyncio.sleep(PAUSE)
    await message.update()
