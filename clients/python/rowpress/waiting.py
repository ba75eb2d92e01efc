"""Waits for a job: with server-sent events where the server has them, otherwise by polling."""

from __future__ import annotations

import http.client
import json
import random
import time
from typing import Any, Callable, Dict, Generator, Iterator, Optional, Tuple

from .errors import RowpressError
from .transport import Progress, Transport

Job = Dict[str, Any]

#: The server sends a comment every 15 seconds. A stream that is silent for longer is broken.
_SILENCE_SECONDS = 20.0
_EVENT_FAILURES = 3
_MAX_EVENT_BYTES = 1 << 20
_SETTLED = object()


def wait_for_job(
    transport: Transport,
    surface: str,
    fetch: Callable[[], Job],
    is_settled: Callable[[Job], bool],
    events_link: Optional[str],
    timeout_seconds: Optional[float],
    on_progress: Optional[Progress],
    job: Optional[Job] = None,
) -> Job:
    """Returns the settled job. A failed job is returned, not raised; a timeout is raised and does not cancel the job."""
    deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
    failures = 0 if events_link is not None else _EVENT_FAILURES
    polls = 0
    current = fetch() if job is None else job
    while not is_settled(current):
        _report(on_progress, current)
        if deadline is not None and time.monotonic() >= deadline:
            message = f"The job has not settled within {timeout_seconds} seconds."
            raise RowpressError("WAIT_TIMEOUT", message, retry="same-key")
        if events_link is not None and failures < _EVENT_FAILURES:
            failures += 0 if _follow(transport, surface, events_link, deadline, on_progress) else 1
        else:
            pause = min(5.0, 0.3 * 1.5**polls) * random.uniform(0.75, 1)
            transport.sleep(pause if deadline is None else max(0.0, min(pause, deadline - time.monotonic())))
            polls += 1
        current = fetch()
    return current


def _follow(
    transport: Transport, surface: str, link: str, deadline: Optional[float], on_progress: Optional[Progress]
) -> bool:
    """Reports events until the job settles. Returns False if the stream broke or ended before."""
    states = _states(transport, surface, link, deadline)
    try:
        while True:
            try:
                state = next(states, None)
            except (RowpressError, OSError, http.client.HTTPException, ValueError):
                return False
            if state is None or state is _SETTLED:
                return state is _SETTLED
            _report(on_progress, state)  # Outside of the try: errors of the callback reach the caller.
    finally:
        states.close()


def _states(
    transport: Transport, surface: str, link: str, deadline: Optional[float]
) -> Generator[Any, None, None]:
    """Yields the data of `progress` events, then `_SETTLED`. Ends at the deadline and with the stream."""
    silence = min(_SILENCE_SECONDS, transport.timeout)
    exchange = transport.open(surface, link, {"Accept": "text/event-stream"}, silence)
    try:
        if "text/event-stream" not in exchange.headers.get("content-type", ""):
            raise ValueError("The response is not an event stream.")

        def lines() -> Iterator[bytes]:
            held = b""
            while True:
                left = silence if deadline is None else min(silence, deadline - time.monotonic())
                data = exchange.read(8192, left) if left > 0 else b""
                if not data:
                    return
                *done, held = (held + data).split(b"\n")
                if len(held) > _MAX_EVENT_BYTES:
                    raise ValueError("An event is too large.")
                yield from done

        for name, data in _events(lines()):
            if name != "progress":
                yield _SETTLED
                return
            yield data
    finally:
        exchange.close()


def _events(lines: Iterator[bytes]) -> Iterator[Tuple[str, Any]]:
    """Parses server-sent events (HTML standard, section 9.2) whose data is JSON."""
    name, data = "message", b""
    for line in lines:
        line = line.rstrip(b"\r")
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if field == b"event":
            name = value.decode("utf-8")
        elif field == b"data":
            data += value
        elif not line:
            if data:
                yield name, json.loads(data)
            name, data = "message", b""


def _report(on_progress: Optional[Progress], state: Any) -> None:
    """Reports rows or items in one form for all surfaces. Counts that the state lacks are None."""
    if on_progress is None or not isinstance(state, dict):
        return
    done, total, failed = state.get("rows_done"), state.get("rows_total"), state.get("rows_failed")
    progress = state.get("progress")
    if isinstance(progress, dict):  # ingest
        done, total = progress.get("processed"), progress.get("total")
        failed = state.get("summary", {}).get("rejected")
    elif "row_count" in state:  # imports
        total, failed = state["row_count"], state.get("failed_count")
        done = round(total * progress) if isinstance(progress, (int, float)) else None
    on_progress({"phase": "job", "status": state.get("status"), "done": done, "total": total, "failed": failed})
