import { expect } from 'chai';
import { Problem, problems, type ProblemCode } from '#src/errors.js';
import { RealtimeError, realtimeErrors } from '#src/realtime-errors.js';
import { openAiRefusal } from '#src/openai-errors.js';

describe('a refusal for clients of OpenAI', () => {
  it('has OpenAI’s shape for every entry of the catalogue, with its own status', () => {
    for (const [code, { status }] of Object.entries(problems)) {
      const refusal = openAiRefusal(new Problem(code as ProblemCode, 'No.'));
      expect(refusal.status, code).to.equal(status);
      const { error } = refusal.body;
      expect(error).to.have.all.keys('message', 'type', 'param', 'code');
      expect(error).to.include({ message: 'No.', param: null });
      expect(error.type === 'server_error', code).to.equal(status >= 500);
    }
  });

  it('keeps the headers, so that a client knows when to come back', () => {
    const headers = { 'Retry-After': '7' };
    const { body, ...refusal } = openAiRefusal(new Problem('rate-limited', 'Slow.', { headers }));
    expect(refusal).to.deep.equal({ status: 429, headers });
    expect(body.error).to.include({ type: 'requests', code: 'rate_limit_exceeded' });
  });

  it('names the first place that is wrong as OpenAI does', () => {
    const errors = [
      { path: '/messages/0/content/12', message: 'is odd' },
      { path: '/n', message: 'is odd, too' },
    ];
    const { error } = openAiRefusal(new Problem('body-invalid', 'Wrong.', { errors })).body;
    expect(error.param).to.equal('messages[0].content[12]');
    expect(error.message).to.equal('Wrong. messages[0].content[12]: is odd.');
    const whole = new Problem('body-invalid', 'Wrong.', {
      errors: [{ path: '', message: 'is odd' }],
    });
    expect(openAiRefusal(whole).body.error).to.include({
      param: null,
      message: 'Wrong. It is odd.',
    });
  });

  it('tells a token that opens nothing like a wrong key, and keeps the codes of realtime errors', () => {
    const statuses = Object.keys(realtimeErrors).map((code) => {
      const { status, body } = openAiRefusal(new RealtimeError(code as never, 'No.'));
      return `${status} ${String(body.error.code)}`;
    });
    expect(statuses).to.deep.equal([
      '403 RealtimeNotEnabled',
      '400 RealtimeUnsupportedConnection',
      '400 RealtimeUnsupportedModel',
      '400 RealtimeAudioFormatUnsupported',
      '401 invalid_api_key',
      '401 RealtimeSessionExpired',
      '401 RealtimeSessionAlreadyUsed',
    ]);
  });
});
