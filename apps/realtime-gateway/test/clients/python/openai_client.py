"""The `openai` package: a raw connection, whose events an application reads itself."""

import base64
import json

from openai import AsyncOpenAI

from driver import API_KEY, BASE_URL, BYTES_PER_SECOND, MODEL, Scenario, colour, drive, microphone

COLOUR = {
    "type": "function",
    "name": "colour",
    "description": "Tells the colour of a thing.",
    "parameters": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    },
}


async def converse(scenario: Scenario) -> None:
    client = AsyncOpenAI(base_url=BASE_URL, api_key=API_KEY)
    async with client, client.realtime.connect(model=MODEL) as connection:
        if scenario.account.scenario == "clientTool":
            await connection.session.update(session={"type": "realtime", "tools": [COLOUR]})
        spoken = scenario.prompt is None
        talk = speak(connection) if spoken else write(connection, scenario.prompt)
        await scenario.over(listen(connection, scenario), talk)


async def write(connection, text: str) -> None:
    await connection.conversation.item.create(
        item={
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }
    )
    await connection.response.create()


async def speak(connection) -> None:
    async for chunk in microphone():
        await connection.input_audio_buffer.append(audio=base64.b64encode(chunk).decode())


async def listen(connection, scenario: Scenario) -> None:
    async for event in connection:
        if event.type == "error":
            scenario.error(event.error.to_json(indent=None))
        elif event.type == "response.output_audio.delta":
            first = scenario.account.audioBytes == 0
            scenario.audio(base64.b64decode(event.delta))
            if first and scenario.interrupts:
                await connection.response.cancel()
                heard_ms = scenario.account.audioBytes * 1000 // BYTES_PER_SECOND
                await connection.conversation.item.truncate(
                    item_id=event.item_id, content_index=event.content_index, audio_end_ms=heard_ms
                )
        elif event.type == "conversation.item.input_audio_transcription.completed":
            scenario.heard(event.transcript)
        elif event.type == "response.output_audio_transcript.done":
            scenario.answer(event.transcript)
        elif event.type == "response.done":
            await answer_calls(connection, scenario, event.response)


async def answer_calls(connection, scenario: Scenario, response) -> None:
    if response.status == "cancelled":
        scenario.interrupted()
    elif response.status != "completed":
        scenario.error(response.to_json(indent=None))
    calls = [item for item in response.output if item.type == "function_call"]
    for call in calls:
        arguments = json.loads(call.arguments)
        scenario.asked(call.name, arguments)
        output = colour(**arguments) if call.name == "colour" else "There is no such tool."
        await connection.conversation.item.create(
            item={"type": "function_call_output", "call_id": call.call_id, "output": output}
        )
    if calls:
        await connection.response.create()


drive(converse)
