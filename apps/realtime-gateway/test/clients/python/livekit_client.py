"""`livekit-plugins-openai`: an agent session whose microphone and loudspeaker are not in a room, but here."""

import json
import time
from collections.abc import AsyncIterator

from livekit import rtc
from livekit.agents import Agent, AgentSession, function_tool, utils
from livekit.agents.voice import io
from livekit.plugins import openai

from driver import API_KEY, BASE_URL, MODEL, SAMPLE_RATE, Scenario, colour, drive, microphone


@function_tool(name="colour")
async def tool(name: str) -> str:
    """Tells the colour of a thing."""
    return colour(name)


async def converse(scenario: Scenario) -> None:
    async with (
        utils.http_context.open(),
        openai.realtime.RealtimeModel(base_url=BASE_URL, api_key=API_KEY, model=MODEL) as model,
        AgentSession(llm=model) as session,
    ):
        listen(session, scenario)
        session.output.audio = Loudspeaker(scenario)
        if scenario.prompt is None:
            session.input.audio = Microphone()
        tools = [tool] if scenario.account.scenario == "clientTool" else []
        await session.start(Agent(instructions="You are a helpful voice assistant.", tools=tools))
        if scenario.prompt is not None:
            session.generate_reply(user_input=scenario.prompt)
        if scenario.interrupts:
            await scenario.first_audio()
            await session.interrupt()
        await scenario.over()


def listen(session: AgentSession, scenario: Scenario) -> None:
    @session.on("conversation_item_added")
    def on_item(event) -> None:
        item = event.item
        if item.type == "message" and item.role == "assistant":
            scenario.answer(item.text_content or "")
            if item.interrupted:
                scenario.interrupted()

    @session.on("user_input_transcribed")
    def on_transcript(event) -> None:
        if event.is_final:
            scenario.heard(event.transcript)

    @session.on("function_tools_executed")
    def on_tools(event) -> None:
        for call in event.function_calls:
            scenario.asked(call.name, json.loads(call.arguments))

    @session.on("error")
    def on_error(event) -> None:
        scenario.error(event.error)


class Microphone(io.AudioInput):
    def __init__(self) -> None:
        super().__init__(label="microphone")
        self._chunks: AsyncIterator[bytes] = microphone()

    async def __anext__(self) -> rtc.AudioFrame:
        data = await anext(self._chunks)
        return rtc.AudioFrame(data, SAMPLE_RATE, 1, len(data) // 2)


class Loudspeaker(io.AudioOutput):
    """Has played a segment as soon as it is whole; one that is cut, for as long as it lasted."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(
            label="loudspeaker",
            capabilities=io.AudioOutputCapabilities(pause=False),
            sample_rate=SAMPLE_RATE,
        )
        self._scenario = scenario
        self._seconds = 0.0
        self._started_at = 0.0

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if self._seconds == 0:
            self._started_at = time.time()
            self.on_playback_started(created_at=self._started_at)
        self._seconds += frame.duration
        self._scenario.audio(frame.data.tobytes())

    def flush(self) -> None:
        super().flush()
        self._finish(self._seconds, interrupted=False)

    def clear_buffer(self) -> None:
        self._finish(min(self._seconds, time.time() - self._started_at), interrupted=True)

    def _finish(self, position: float, *, interrupted: bool) -> None:
        if self._seconds == 0:
            return
        self._seconds = 0.0
        self.on_playback_finished(playback_position=position, interrupted=interrupted)


drive(converse)
