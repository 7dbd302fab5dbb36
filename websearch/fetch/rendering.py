"""Render a page that is empty without scripts, behind the guard of web.fetch."""

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from websearch.errors import SearchError, WebParseError, WebProviderError
from websearch.fetch.download import Download
from websearch.fetch.guard import Guard
from websearch.fetch.guarded_proxy import GuardedProxy

if TYPE_CHECKING:
    from websearch.browser.browser import Browser

_MOST_REQUESTS: Final = 200


@dataclass(frozen=True, slots=True)
class Renderer:
    """
    Pages as the *browser* shows them.

    The browser has no other way to the network than a proxy of ours, for this page
    alone, and a context without cookies.
    """

    browser: "Browser"
    guard: Guard
    seconds: float

    async def render(self, page: Download) -> Download:
        """The same page with all that its scripts wrote; raises SearchError."""
        from websearch.browser.visit import Visit, until_quiet  # noqa: PLC0415

        start = self.guard.policy.target(page.final_url)
        proxy = GuardedProxy(self.guard, start)
        async with proxy.serve() as address:
            visit = Visit(
                url=start.url,
                wait=until_quiet(self.seconds / 2),
                seconds=self.seconds,
                proxy=address,
                most_requests=_MOST_REQUESTS,
            )
            try:
                rendered = await self.browser.visit(visit)
            except SearchError as error:
                raise proxy.failure or error from None
        if proxy.failure:
            raise proxy.failure
        if rendered.status >= HTTPStatus.BAD_REQUEST:
            raise WebProviderError(
                f"The site answered {rendered.status}.",
                detail_code=f"http_{rendered.status}",
            )
        if not rendered.url.startswith(("http://", "https://")):
            raise WebParseError("The page can't be shown.", detail_code="empty_page")
        data = rendered.html.encode("utf-8", "replace")
        return replace(
            page,
            final_url=self.guard.policy.target(rendered.url).url,
            data=data,
            charset="utf-8",
            is_cut=rendered.is_cut,
        )
