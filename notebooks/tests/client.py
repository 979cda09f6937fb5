"""A small Jupyter client for tests: runs a cell and gathers what came back."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_client import KernelManager

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass
class Outcome:
    """Everything that one execute_request led to, in order of arrival."""

    reply: dict = field(default_factory=dict)
    messages: list[dict] = field(default_factory=list)  # between busy and idle
    late: list[dict] = field(default_factory=list)  # after idle

    @property
    def status(self) -> str:
        return self.reply["content"]["status"]

    @property
    def error(self) -> str:
        for message in self.messages:
            if message["msg_type"] == "error":
                return f"{message['content']['ename']}: {message['content']['evalue']}"
        return ""

    @property
    def traceback(self) -> str:
        for message in self.messages:
            if message["msg_type"] == "error":
                return ANSI.sub("", "\n".join(message["content"]["traceback"]))
        return ""

    def stream(self, name: str) -> str:
        return "".join(m["content"]["text"] for m in self.messages if m["msg_type"] == "stream" and m["content"]["name"] == name)

    @property
    def result(self) -> str | None:
        for message in self.messages:
            if message["msg_type"] == "execute_result":
                return message["content"]["data"]["text/plain"]
        return None

    @property
    def data(self) -> dict:
        for message in self.messages:
            if message["msg_type"] == "execute_result":
                return message["content"]["data"]
        return {}


class Session:
    """One kernel and its client."""

    def __init__(self, kernel: str = "gopherlo", env: dict[str, str] | None = None) -> None:
        import os

        self.closed = False
        self.manager = KernelManager(kernel_name=kernel)
        self.manager.start_kernel(env={**os.environ, **(env or {})})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    @property
    def pid(self) -> int:
        return self.manager.provisioner.process.pid

    def close(self) -> None:
        """Shut the kernel down, once."""
        if self.closed:
            return
        self.closed = True
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=False)

    def start(self, code: str, **options) -> str:
        options.setdefault("store_history", True)
        return self.client.execute(code, **options)

    def finish(self, msg_id: str, timeout: float = 60, linger: float = 0) -> Outcome:
        """Wait for idle and the reply; with linger, also for what comes late."""
        outcome, deadline = Outcome(), time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            if message["parent_header"].get("msg_id") != msg_id:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
            outcome.messages.append(message)
        while True:
            reply = self.client.get_shell_msg(timeout=max(0.1, deadline - time.monotonic()))
            if reply["parent_header"].get("msg_id") == msg_id:
                outcome.reply = reply
                break
        until = time.monotonic() + linger
        while time.monotonic() < until:
            try:
                message = self.client.get_iopub_msg(timeout=0.05)
            except Exception:  # queue.Empty: nothing came
                continue
            if message["parent_header"].get("msg_id") == msg_id:
                outcome.late.append(message)
        return outcome

    def run(self, code: str, timeout: float = 60, linger: float = 0, **options) -> Outcome:
        return self.finish(self.start(code, **options), timeout, linger)


def children(pid: int) -> list[int]:
    """The direct child processes of pid."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found
