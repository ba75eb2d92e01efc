"""The entry point of the client."""

from __future__ import annotations

import ssl
from typing import Optional

from .bulkfill import Bulkfill
from .ingest import Ingest
from .subscribers import Subscribers
from .transport import Transport


class Rowpress:
    """A client of one Rowpress server with one API key. It can be shared by threads.

    ``retries`` is how often a request is repeated after its first attempt, and ``timeout`` is the time limit of
    one attempt in seconds: for connecting, for each write, and for the response. If the server asks to wait longer than
    ``max_retry_after_seconds``, the error is raised instead. Pass ``ssl_context`` to trust
    your own authority or to present a client certificate; ``api_key`` can then be None.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        retries: int = 8,
        timeout: float = 60.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        max_retry_after_seconds: float = 120.0,
    ) -> None:
        self._transport = Transport(base_url, api_key, retries, timeout, ssl_context, max_retry_after_seconds)
        self.bulkfill = Bulkfill(self._transport)
        self.subscribers = Subscribers(self._transport)
        self.ingest = Ingest(self._transport)

    def close(self) -> None:
        """Closes idle connections."""
        self._transport.pool.close()

    def __enter__(self) -> "Rowpress":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
