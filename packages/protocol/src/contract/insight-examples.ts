import { ConnectionTest } from '../schemas/connection.js';
import { ToolTrial, ToolTrialInput } from '../schemas/tool-trial.js';
import { of } from './example-row.js';

/** Of what tells people how their agents are doing. */
export const insightExamples = [
  of(ToolTrialInput, { arguments: { from: '2030-01-31' } }),
  of(ToolTrial, {
    request: {
      method: 'GET',
      url: 'https://calendar.example.com/slots?from=2030-01-31',
      headers: { accept: 'application/json', authorization: 'Bearer [secret]' },
      body: null,
    },
    result: { status: 'succeeded', output: '{"slot":"2030-01-31T10:00:00Z"}' },
    durationMs: 84,
  }),
  of(ConnectionTest, {
    ok: false,
    detail: 'HTTP 401: invalid_api_key: Incorrect API key provided.',
    durationMs: 212,
  }),
];
