import { expect } from 'chai';
import type { Agent } from '@parley/client/server';
import { codeOf, inputOf, scriptValue, shellText } from '#src/pages/agents/agent-code.js';
import { changedParts, draftOf, patchOf, secretNamesAfter } from '#src/pages/agents/agent-draft.js';
import { atFields, errorsWithin, stillWrong } from '#src/pages/agents/field-errors.js';
import { holdsSecret, moveToSecret } from '#src/pages/agents/header-secret.js';
import { withPassage } from '#src/pages/agents/starters.js';
import { keepDraft, keptDraft } from '#src/pages/agents/stored-draft.js';
import { complete, openReference, suggestionsFor } from '#src/pages/agents/template-completion.js';
import { hostOf, summaryOf } from '#src/pages/agents/tool-summary.js';
import { changesOf } from '#src/parts/changes.js';
import { argumentsOf, trialFields, typedOf } from '#src/pages/agents/trial-arguments.js';

const agent: Agent = {
  id: '3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11',
  name: "Anna's desk",
  description: '',
  systemMessage: 'Be kind.',
  connectionId: null,
  fallbackConnectionIds: [],
  model: 'gpt-realtime',
  textModel: null,
  voice: 'alloy',
  turnDetection: { type: 'semantic_vad' },
  outputModalities: ['audio'],
  icon: null,
  iconColor: null,
  imageUrl: null,
  realtimeEnabled: true,
  tools: [{ kind: 'builtin', name: 'current_time' }],
  secretNames: ['SHOP'],
  version: 3,
  createdAt: '2030-01-31T16:00:00.000Z',
  updatedAt: '2030-01-31T16:00:00.000Z',
};
const base = draftOf(agent);

describe('the draft of an agent', () => {
  it('sends what was changed and nothing else', () => {
    expect(patchOf(base, { ...base, voice: 'marin' })).to.deep.equal({ voice: 'marin' });
    expect(patchOf(base, { ...base, model: '' })).to.deep.equal({ model: null });
    expect(changesOf(base, { ...base, tools: [...base.tools] })).to.deep.equal({});
  });

  it('tells in words what somebody else changed', () => {
    const theirs = { ...base, systemMessage: 'Be brief.', tools: [] };
    expect(changedParts(base, theirs)).to.deep.equal(['instructions', 'tools']);
  });

  it('knows which secrets there will be', () => {
    expect(secretNamesAfter(['A', 'B'], { A: null, C: 'x' })).to.deep.equal(['B', 'C']);
  });

  it('is kept for a reload without the values of secrets', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    keepDraft(store, 'k', { etag: '"1"', changes: { name: 'B', secrets: { KEY: 'hush' } } });
    expect([...kept.values()].join('')).not.to.include('hush');
    expect(keptDraft(store, 'k')).to.deep.equal({ etag: '"1"', changes: { name: 'B' } });
    keepDraft(store, 'k', { etag: '"1"', changes: {} });
    expect(keptDraft(store, 'k')).to.equal(undefined);
    for (const odd of ['{', '[]', '{"etag":1,"changes":{}}', '{"etag":"x"}']) {
      kept.set('k', odd);
      expect(keptDraft(store, 'k'), odd).to.equal(undefined);
    }
  });
});

describe('what is wrong with an agent', () => {
  const errors = new Map([
    ['/tools/0', "must have required property 'url'"],
    ['/tools/10/name', 'must not be blank'],
  ]);

  it('is told at its field, also where the field is missing', () => {
    expect([...atFields(errors)]).to.deep.equal([
      ['/tools/0/url', 'This is required.'],
      ['/tools/10/name', 'This must not be blank.'],
    ]);
    expect([...errorsWithin(atFields(errors), '/tools/1')]).to.deep.equal([]);
    expect([...errorsWithin(atFields(errors), '/tools/0').keys()]).to.deep.equal(['/url']);
  });

  it('is told until the field is changed', () => {
    const wrong = new Map([['/tools/0/url', 'x']]);
    const sent = { tools: [{ url: 'a' }] };
    expect(stillWrong(wrong, sent, { tools: [{ url: 'a', name: 'n' }] }).size).to.equal(1);
    expect(stillWrong(wrong, sent, { tools: [{ url: 'b' }] }).size).to.equal(0);
  });
});

describe('templates', () => {
  it('offer what can stand where the caret is', () => {
    const names = ['number', 'note', 'secret:SHOP'];
    const at = (text: string) => suggestionsFor(openReference(text, text.length), names);
    expect(at('/orders/{{')).to.deep.equal(names);
    expect(at('/orders/{{n')).to.deep.equal(['number', 'note']);
    expect(at('Bearer {{sec')).to.deep.equal(['secret:SHOP']);
    expect([at('/orders/'), at('/orders/{{number}}'), at('{{a b')]).to.deep.equal([[], [], []]);
  });

  it('are completed with their braces, once', () => {
    const take = (text: string, caret: number) =>
      complete(text, openReference(text, caret)!, 'number');
    expect(take('/o/{{nu/x', 7)).to.deep.equal({ text: '/o/{{number}}/x', caret: 13 });
    expect(take('/o/{{nu}}/x', 7)).to.deep.equal({ text: '/o/{{number}}/x', caret: 13 });
  });
});

describe('a header that holds a secret', () => {
  it('is noticed unless it names a stored one', () => {
    expect(holdsSecret('Authorization', 'Bearer abc')).to.equal(true);
    expect(holdsSecret('X-Api-Key', 'abc')).to.equal(true);
    expect(holdsSecret('Authorization', 'Bearer {{secret:SHOP}}')).to.equal(false);
    expect(holdsSecret('Accept', 'application/json')).to.equal(false);
  });

  it('becomes one under a name that is free', () => {
    expect(moveToSecret('Authorization', 'Bearer abc', ['AUTHORIZATION'])).to.deep.equal({
      value: 'Bearer {{secret:AUTHORIZATION_2}}',
      secretName: 'AUTHORIZATION_2',
      secret: 'abc',
    });
    expect(moveToSecret('1-token', 'abc', []).secretName).to.match(/^[A-Za-z_][\w-]{0,63}$/);
  });
});

describe('the card of a tool', () => {
  const of = (tool: object) => summaryOf(tool as Record<string, unknown>, () => 'Expert');

  it('says what it reaches and who approves', () => {
    const http = { kind: 'http', name: 'a', method: 'GET', url: 'https://x.example/{{a}}?q=1' };
    expect(of(http)).to.include({ kind: 'HTTP', target: 'GET x.example', approval: undefined });
    expect(of({ ...http, approvalRequired: true, approvers: ['api'] }).approval).to.equal(
      'Your team approves',
    );
    expect(of({ kind: 'subagent', name: 'b', agentId: 'x' }).target).to.equal('Expert');
    const policy = { default: 'never', tools: { x: 'always' } };
    expect(of({ kind: 'mcp', name: 'c', approvalPolicy: policy }).approval).to.equal(
      'Some need approval',
    );
  });

  it('stays calm about what is half written', () => {
    expect(of({ kind: 'constructor', name: 5 })).to.include({
      kind: 'Unknown kind',
      name: 'Unnamed tool',
    });
    expect([hostOf(''), hostOf('shop')]).to.deep.equal(['', 'shop']);
  });
});

describe('arguments to try a tool with', () => {
  const fields = trialFields({
    type: 'object',
    properties: {
      n: { type: 'integer' },
      s: { type: 'string' },
      b: { type: 'boolean' },
      l: { type: 'array' },
    },
    required: ['n'],
  })!;

  it('have the types of their schema, and go to JSON and back', () => {
    const typed = { n: '7', s: '08', b: 'false', l: '["x"]' };
    const value = { n: 7, s: '08', b: false, l: ['x'] };
    expect(argumentsOf(fields, typed)).to.deep.equal({ ok: true, value });
    expect(typedOf(fields, value)).to.deep.equal(typed);
    expect(argumentsOf(fields, {})).to.deep.equal({ ok: true, value: {} });
  });

  it('say what does not fit', () => {
    expect(argumentsOf(fields, { n: '1.5' })).to.deep.equal({
      ok: false,
      message: 'n must be a whole number.',
    });
    expect(argumentsOf(fields, { l: '{' }).ok).to.equal(false);
    expect([trialFields(undefined), trialFields({ oneOf: [] })]).to.deep.equal([[], undefined]);
  });
});

describe('the code that creates an agent', () => {
  it('names secrets without their values, and leaves out what is so anyway', () => {
    expect(inputOf(agent)).to.deep.equal({
      name: "Anna's desk",
      systemMessage: 'Be kind.',
      model: 'gpt-realtime',
      tools: [{ kind: 'builtin', name: 'current_time' }],
      secrets: { SHOP: 'value of SHOP' },
    });
  });

  it('quotes whatever a name holds', () => {
    const [curl, script] = codeOf(agent, { baseUrl: 'https://p.example', organizationId: 'org' });
    expect(curl?.code)
      .to.include(String.raw`Anna'\''s desk`)
      .and.include('X-Org-Id: org');
    expect(script?.code).to.include(String.raw`name: 'Anna\'s desk'`);
    expect(shellText('$(x) `y`')).to.equal("'$(x) `y`'");
    const odd = { 'a-b': ['"', "'", '\\', '\n', '</script>'] };
    // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- what a person pastes is code
    expect(new Function(`return ${scriptValue(odd, '')}`)()).to.deep.equal(odd);
  });

  it('puts passages below the instructions', () => {
    expect([withPassage('', 'B'), withPassage('A\n', 'B')]).to.deep.equal(['B', 'A\n\nB']);
  });
});
