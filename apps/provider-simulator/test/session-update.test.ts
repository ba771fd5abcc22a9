import { expect } from 'chai';
import { Rehearsal, weatherTool } from './rehearsal.js';

const sessionOf = (stage: Rehearsal) => stage.last('session.updated').session;

describe('session.update', () => {
  it('changes the fields that are present and no others', () => {
    const stage = new Rehearsal().update({ instructions: 'Be brief.', tools: [weatherTool] });
    const before = sessionOf(stage);
    stage.update({ output_modalities: ['text'] });
    expect(sessionOf(stage)).to.deep.equal({ ...before, output_modalities: ['text'] });
  });

  it('clears with "", [] and null', () => {
    const stage = new Rehearsal().update({
      instructions: 'Be brief.',
      tools: [weatherTool],
      audio: { input: { transcription: { model: 'whisper-1' } } },
    });
    stage.update({
      instructions: '',
      tools: [],
      audio: { input: { transcription: null, turn_detection: null } },
    });
    expect(sessionOf(stage)).to.deep.include({ instructions: '', tools: [] });
    expect(sessionOf(stage).audio.input).to.include({ transcription: null, turn_detection: null });
  });

  it('fills in the defaults of a turn detector and of a transcription', () => {
    const stage = new Rehearsal().update({
      audio: { input: { turn_detection: { type: 'semantic_vad' }, transcription: { model: 'a' } } },
    });
    expect(sessionOf(stage).audio.input).to.deep.include({
      turn_detection: {
        type: 'semantic_vad',
        eagerness: 'auto',
        create_response: true,
        interrupt_response: true,
      },
      transcription: { model: 'a', language: null, prompt: null },
    });
  });

  it('accepts the model the session has, and leaves a setting of other models out of the echo', () => {
    const stage = new Rehearsal().update({ model: 'gpt-realtime', reasoning: { effort: 'low' } });
    expect(sessionOf(stage).model).to.equal('gpt-realtime');
    expect(sessionOf(stage)).to.not.have.property('reasoning');
  });

  it('keeps its model where another one is asked for, which is noted', () => {
    const stage = new Rehearsal().update({ model: 'gpt-realtime-2.1', instructions: 'Be brief.' });
    expect(sessionOf(stage)).to.include({ model: 'gpt-realtime', instructions: 'Be brief.' });
    expect(stage.effects).to.deep.equal([{ type: 'note', note: 'model kept' }]);
  });

  it('takes null for absent where it says nothing', () => {
    const stage = new Rehearsal().update({ instructions: 'Be brief.', tools: [weatherTool] });
    const before = sessionOf(stage);
    stage.update({
      model: null,
      instructions: null,
      output_modalities: null,
      tools: null,
      tool_choice: null,
      max_output_tokens: null,
      parallel_tool_calls: null,
      audio: {
        input: { format: null, turn_detection: { type: 'server_vad', threshold: null } },
        output: { voice: null, speed: null, format: null },
      },
    });
    expect(sessionOf(stage)).to.deep.equal(before);
    stage.update({ audio: null }).update({ audio: { input: null, output: null } });
    expect(sessionOf(stage)).to.deep.equal(before);
    const tool = { ...weatherTool, description: null };
    expect(sessionOf(stage.update({ tools: [tool] })).tools[0]).to.not.have.property('description');
  });

  it('tells the id of a voice of one’s own', () => {
    const stage = new Rehearsal().update({ audio: { output: { voice: { id: 'voice_1' } } } });
    expect(sessionOf(stage).audio.output.voice).to.equal('voice_1');
  });

  it('is not answered by a session that ignores it', () => {
    expect(new Rehearsal({ sessionUpdate: 'ignore' }).update({}).types).to.deep.equal([
      'session.created',
    ]);
  });
});

describe('the end of a session', () => {
  it('comes at its announced time, as an error and close 1001', () => {
    const stage = new Rehearsal({ sessionSeconds: 90 });
    expect(stage.last('session.created').session.expires_at).to.equal(1090);
    stage.advance(89_000);
    expect(stage.types).to.deep.equal(['session.created']);
    stage.advance(1000);
    expect(stage.last('error').error.code).to.equal('session_expired');
    expect(stage.effects).to.deep.equal([
      { type: 'close', code: 1001, reason: 'Your session hit the maximum duration of 60 minutes.' },
    ]);
  });
});
