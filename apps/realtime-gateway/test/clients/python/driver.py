"""What the drivers share: the scenarios, the account of one, and the loop that reads their names from stdin.

A driver prints one line of JSON per scenario, and nothing else, to stdout; what a library prints goes to stderr.
"""

import asyncio
import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import asdict, dataclass, field

BASE_URL = os.environ["PARLEY_BASE_URL"]
API_KEY = os.environ["PARLEY_API_KEY"]
MODEL = os.environ["PARLEY_MODEL"]

SAMPLE_RATE = 24_000
BYTES_PER_SECOND = SAMPLE_RATE * 2
CHUNK_SECONDS = 0.1
DEADLINE_SECONDS = 30
# Long enough for a second answer, which must not come, to begin.
QUIET_SECONDS = 0.7

LONG_SPEECH = " ".join(["The quick brown fox jumps over the lazy dog and runs on."] * 5)

# What the user types; in a scenario without a text, the user speaks.
PROMPTS = {
    "text": "!say Hello there",
    "speech": None,
    "clientTool": '!call colour {"name":"sky"}',
    "backendTool": '!call look_up {"id":"7"}',
    "approval": '!call pay {"amount":5}',
    "interruption": f"!say {LONG_SPEECH}",
}


@dataclass
class Account:
    """What a client was told in one scenario."""

    scenario: str
    answers: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    toolCalls: list[dict[str, object]] = field(default_factory=list)
    audioBytes: int = 0
    errors: list[str] = field(default_factory=list)
    interrupted: bool = False


def colour(name: str) -> str:
    """Tells the colour of a thing. The only tool that a client has."""
    return {"sky": "blue"}.get(name, "grey")


class Scenario:
    def __init__(self, name: str) -> None:
        self.account = Account(name)
        self.prompt = PROMPTS[name]
        self.interrupts = name == "interruption"
        self._changed = asyncio.Event()

    def answer(self, text: str) -> None:
        self.account.answers.append(text)
        self._changed.set()

    def heard(self, text: str) -> None:
        self.account.heard.append(text)
        self._changed.set()

    def audio(self, data: bytes) -> None:
        self.account.audioBytes += len(data)
        self._changed.set()

    def error(self, what: object) -> None:
        self.account.errors.append(str(what))
        self._changed.set()

    def interrupted(self) -> None:
        self.account.interrupted = True
        self._changed.set()

    def asked(self, name: str, arguments: object) -> None:
        self.account.toolCalls.append({"name": name, "arguments": arguments})
        self._changed.set()

    async def until(self, holds: Callable[[Account], object]) -> None:
        while not holds(self.account):
            self._changed.clear()
            await self._changed.wait()

    async def first_audio(self) -> None:
        await self.until(lambda account: account.audioBytes > 0)

    async def over(self, *beside: Coroutine[object, object, None]) -> None:
        """Waits for the answer, and until nothing comes any more, while `beside` goes on."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in beside]
            await self._settled()
            for task in tasks:
                task.cancel()

    async def _settled(self) -> None:
        await self.until(
            lambda account: account.answers and (account.interrupted or not self.interrupts)
        )
        while True:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), QUIET_SECONDS)
            except TimeoutError:
                return


async def microphone() -> AsyncIterator[bytes]:
    """The recorded speech as a microphone gives it: as it is spoken, and then silence without end."""
    with open(os.environ["PARLEY_SPEECH"], "rb") as file:
        speech = file.read()
    size = int(BYTES_PER_SECOND * CHUNK_SECONDS)
    at = 0
    while True:
        yield speech[at : at + size].ljust(size, b"\0")
        at += size
        await asyncio.sleep(CHUNK_SECONDS)


class _Complaints(logging.Handler):
    """Takes what the libraries log as errors into the account of the scenario that runs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.scenario: Scenario | None = None

    def emit(self, record: logging.LogRecord) -> None:
        cause = record.exc_info and record.exc_info[1]
        what = f"{record.name}: {record.getMessage()}"
        if self.scenario:
            self.scenario.error(f"{what} ({cause!r})" if cause else what)


complaints = _Complaints()


def drive(converse: Callable[[Scenario], Awaitable[None]]) -> None:
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    logging.getLogger().addHandler(complaints)

    async def run(name: str) -> Account:
        scenario = complaints.scenario = Scenario(name)
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await converse(scenario)
        except TimeoutError:
            scenario.error("timed out")
        except Exception as error:
            scenario.error(repr(error))
        return scenario.account

    for line in sys.stdin:
        account = asyncio.run(run(line.strip()))
        print(json.dumps(asdict(account)), file=results, flush=True)
