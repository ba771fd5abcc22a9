import { expect } from 'chai';
import type { Task } from '@parley/client/server';
import { nextUploads, type Upload } from '#src/pages/files/uploads.js';
import { fieldsOf, formOf, isOverdue, localTime, timeOf } from '#src/pages/tasks/task-words.js';

const task: Task = {
  id: 't',
  title: 'Call back',
  description: '',
  status: 'open',
  dueAt: '2026-03-01T12:00:30.000Z',
  agentId: null,
  conversationId: null,
  externalId: null,
  metadata: {},
  version: 1,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
};

describe('the form of a task', () => {
  it('changes nothing where nothing was typed, not even the seconds of a time', () => {
    const { title, description, status, dueAt, agentId, externalId } = task;
    expect(fieldsOf(formOf(task), task)).to.deep.equal({
      title,
      description,
      status,
      dueAt,
      agentId,
      externalId,
    });
  });

  it('takes a time in the reader’s zone and keeps it', () => {
    const at = '2026-03-01T12:05:00.000Z';
    expect(fieldsOf({ ...formOf(task), due: localTime(at) }, task).dueAt).to.equal(at);
  });

  it('takes away what was emptied', () => {
    const emptied = { ...formOf(task), due: '', externalId: '  ' };
    expect(fieldsOf(emptied, task)).to.include({ dueAt: null, externalId: null });
    expect(timeOf('nonsense')).to.equal(null);
  });
});

describe('a task', () => {
  it('is overdue only while there is something to do', () => {
    const later = Date.parse('2026-03-02T00:00:00Z');
    expect(isOverdue(task, later)).to.equal(true);
    expect(isOverdue({ ...task, status: 'done' }, later)).to.equal(false);
    expect(isOverdue({ ...task, dueAt: null }, later)).to.equal(false);
    expect(isOverdue(task, Date.parse(task.createdAt))).to.equal(false);
  });
});

describe('the uploads of a page', () => {
  const upload = (key: string): Upload => ({ key, name: 'a.txt', part: 0, error: undefined });

  it('come, go on, fail, and go, each by itself', () => {
    const two = [upload('1'), upload('2')].reduce<readonly Upload[]>(
      (all, each) => nextUploads(all, { kind: 'added', upload: each }),
      [],
    );
    const half = nextUploads(two, { kind: 'progress', key: '2', part: 0.5 });
    expect(half.map(({ part }) => part)).to.deep.equal([0, 0.5]);
    const failed = nextUploads(half, { kind: 'failed', key: '1', error: 'lost' });
    expect(failed[0]).to.deep.equal({ ...upload('1'), error: 'lost' });
    expect(nextUploads(failed, { kind: 'gone', key: '1' })).to.deep.equal([half[1]]);
  });
});
