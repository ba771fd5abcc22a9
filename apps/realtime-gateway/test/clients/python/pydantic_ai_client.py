"""`pydantic-ai`: an agent with a realtime session."""

from pydantic_ai import Agent
from pydantic_ai.messages import FunctionToolCallEvent, ModelResponse
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.realtime import (
    RealtimeInputTranscriptionErrorEvent,
    RealtimeSession,
    RealtimeSessionErrorEvent,
    RealtimeTurnCompleteEvent,
)
from pydantic_ai.realtime.openai import OpenAIRealtimeModel

from driver import API_KEY, BASE_URL, MODEL, Scenario, colour, drive, microphone


async def converse(scenario: Scenario) -> None:
    agent = Agent(instructions="You are a helpful voice assistant.")
    if scenario.account.scenario == "clientTool":
        agent.tool_plain(colour)
    model = OpenAIRealtimeModel(MODEL, provider=OpenAIProvider(base_url=BASE_URL, api_key=API_KEY))
    async with agent.realtime(model).session() as session:
        spoken = scenario.prompt is None
        talk = session.send_audio(microphone()) if spoken else session.send(scenario.prompt)
        await scenario.over(
            listen(session, scenario), read(session, scenario), play(session, scenario), talk
        )


async def listen(session: RealtimeSession, scenario: Scenario) -> None:
    async for event in session:
        if isinstance(event, (RealtimeSessionErrorEvent, RealtimeInputTranscriptionErrorEvent)):
            scenario.error(event)
        elif isinstance(event, RealtimeTurnCompleteEvent) and was_cut(session):
            scenario.interrupted()
        elif isinstance(event, FunctionToolCallEvent):
            scenario.asked(event.part.tool_name, event.part.args_as_dict())


def was_cut(session: RealtimeSession) -> bool:
    answers = [message for message in session.new_messages() if isinstance(message, ModelResponse)]
    return any(answer.state == "interrupted" for answer in answers)


async def read(session: RealtimeSession, scenario: Scenario) -> None:
    async for part in session.stream_transcripts():
        tell = scenario.heard if part.speaker == "user" else scenario.answer
        tell(part.transcript or "")


async def play(session: RealtimeSession, scenario: Scenario) -> None:
    async for chunk in session.stream_audio():
        first = scenario.account.audioBytes == 0
        scenario.audio(chunk)
        if first and scenario.interrupts:
            # Half of the chunk has been played: where all of it has, there is nothing to cut.
            await session.interrupt(played_bytes=len(chunk) // 2)


drive(converse)
