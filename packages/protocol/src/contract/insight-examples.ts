import { AuditVerification } from '../schemas/audit.js';
import { ConnectionTest } from '../schemas/connection.js';
import { ServerTools } from '../schemas/server-tools.js';
import { ToolTrial, ToolTrialInput } from '../schemas/tool-trial.js';
import { UsageReport } from '../schemas/usage-report.js';
import { of } from './example-row.js';

/** For usage and the audit log. */
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
  of(ServerTools, {
    tools: [
      {
        name: 'forecast',
        calledAs: 'forecast',
        title: 'Weather forecast',
        description: 'Tells the weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        allowed: true,
        approvalRequired: false,
      },
    ],
    problems: [],
  }),
  of(ConnectionTest, {
    ok: false,
    detail: 'HTTP 401: invalid_api_key: Incorrect API key provided.',
    durationMs: 212,
  }),
  of(AuditVerification, {
    intact: true,
    records: 4711,
    brokenAt: null,
    reason: null,
    checkedAt: '2030-01-31T16:00:00.000Z',
  }),
  of(UsageReport, {
    items: [
      {
        from: '2030-01-31T00:00:00.000Z',
        sessions: 12,
        minutes: 41.5,
        tokensIn: 18_400,
        tokensOut: 9200,
        toolCalls: 31,
        approvals: { approved: 4, rejected: 1, expired: 0, cancelled: 1 },
        errors: 2,
      },
    ],
    quotas: [{ name: 'tokensPerDay', limit: 5_000_000, used: 27_600 }],
  }),
];
