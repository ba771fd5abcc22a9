"""`pipecat-ai`: a pipeline around its realtime service, without a transport."""

import asyncio
from collections.abc import Awaitable

from loguru import logger
from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.frames.frames import (
    ErrorFrame,
    Frame,
    FunctionCallsStartedFrame,
    InputAudioRawFrame,
    InterruptionFrame,
    LLMRunFrame,
    TTSAudioRawFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
from pipecat.workers.runner import WorkerRunner

from driver import (
    API_KEY,
    BASE_URL,
    MODEL,
    SAMPLE_RATE,
    Scenario,
    colour,
    complaints,
    drive,
    microphone,
)

COLOUR = FunctionSchema(
    name="colour",
    description="Tells the colour of a thing.",
    properties={"name": {"type": "string"}},
    required=["name"],
)


async def converse(scenario: Scenario) -> None:
    llm = OpenAIRealtimeLLMService(
        base_url=f"{BASE_URL.replace('http', 'ws', 1)}/realtime",
        api_key=API_KEY,
        settings=OpenAIRealtimeLLMService.Settings(model=MODEL),
    )
    context = LLMContext()
    if scenario.prompt is not None:
        context.add_message({"role": "user", "content": scenario.prompt})
    if scenario.account.scenario == "clientTool":
        context.set_tools(ToolsSchema(standard_tools=[COLOUR]))
        llm.register_function("colour", tool)
    user, assistant = LLMContextAggregatorPair(context)
    # A pipeline runs the model when it starts. Where nothing was typed, that is a greeting and no answer yet.
    greeted = asyncio.Event()

    @assistant.event_handler("on_assistant_turn_stopped")
    async def on_answer(_aggregator, message) -> None:
        if scenario.prompt is None and not greeted.is_set():
            greeted.set()
        elif message.content:
            scenario.answer(message.content)

    @user.event_handler("on_user_turn_message_added")
    async def on_user(_aggregator, message) -> None:
        scenario.heard(message.content)

    worker = PipelineWorker(Pipeline([user, llm, Watcher(scenario), assistant]))
    worker.event_handler("on_pipeline_error")(lambda _worker, frame: fail(scenario, frame))
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    await worker.queue_frame(LLMRunFrame())
    try:
        if scenario.interrupts:
            await scenario.over(speak(worker, after=scenario.first_audio()))
        elif scenario.prompt is None:
            await scenario.over(speak(worker, after=greeted.wait()))
        else:
            await scenario.over()
    finally:
        await worker.cancel()
        await running


async def fail(scenario: Scenario, frame: ErrorFrame) -> None:
    scenario.error(frame.error)


async def speak(worker: PipelineWorker, *, after: Awaitable[object]) -> None:
    await after
    async for chunk in microphone():
        await worker.queue_frame(InputAudioRawFrame(chunk, SAMPLE_RATE, 1))


async def tool(params: FunctionCallParams) -> None:
    await params.result_callback(colour(**params.arguments))


class Watcher(FrameProcessor):
    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self._scenario = scenario

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, TTSAudioRawFrame):
            self._scenario.audio(frame.audio)
        elif isinstance(frame, FunctionCallsStartedFrame):
            for call in frame.function_calls:
                self._scenario.asked(call.function_name, call.arguments)
        elif isinstance(frame, InterruptionFrame) and self._scenario.interrupts:
            self._scenario.interrupted()
        await self.push_frame(frame, direction)


logger.add(
    lambda message: complaints.scenario and complaints.scenario.error(message.rstrip()),
    level="ERROR",
    format="{name}: {message}",
)

drive(converse)
