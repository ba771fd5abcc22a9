import {
  appendAudit,
  auditedTask,
  createTask,
  deleteTask,
  findTask,
  listTasks,
  lockTask,
  taskExternalId,
  taskLinkErrors,
  tasksByIds,
  updateTask,
  violatedConstraint,
  type Database,
  type OrganizationScope,
  type TaskFields,
  type TaskRecord,
  type TaskWriter,
} from '@parley/database';
import {
  Problem,
  type FieldError,
  type Task,
  type TaskInput,
  type TaskPatch,
} from '@parley/protocol';
import type { Call, Caller, Handlers, Saved, Target } from '../http/call.js';
import { etagOf, requireMatch } from '../http/etag.js';
import { found } from '../http/found.js';
import { longPage } from '../http/long-page.js';
import { pageOf } from '../http/query.js';
import { changedTaskFields, newTaskFields, taskView } from './task-view.js';

type TaskHandlers = Pick<
  Handlers,
  | 'listTasks'
  | 'createTask'
  | 'getTask'
  | 'replaceTask'
  | 'updateTask'
  | 'deleteTask'
  | 'saveTaskByExternalId'
>;

export function taskOperations(database: Database): TaskHandlers {
  const inOrganization = <T>(caller: Caller, work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(caller.organizationId, work);
  const visible = ({ caller, params }: Target<'getTask'>) =>
    inOrganization(caller, async (scope) => (await findTask(scope, params.taskId)) !== undefined);

  return {
    listTasks: { run: (call) => list(database, call) },
    createTask: {
      run: ({ caller, body, commit }) =>
        commit(async (scope) => {
          const task = await create({ scope, caller }, newTaskFields(body));
          if (!task) throw externalIdTaken();
          return task;
        }),
    },
    getTask: {
      run: ({ caller, params }) =>
        inOrganization(caller, async (scope) =>
          taskView(found(await findTask(scope, params.taskId))),
        ),
    },
    replaceTask: {
      visible,
      run: (call) =>
        call.commit((scope) =>
          change({ scope, ...call }, () => ({ fields: newTaskFields(call.body), writer: 'anew' })),
        ),
    },
    updateTask: {
      visible,
      run: (call) =>
        call.commit((scope) =>
          change({ scope, ...call }, (record) => ({
            fields: changedTaskFields(record, call.body),
            writer: writesAnew(call.body) ? 'anew' : 'unchanged',
          })),
        ),
    },
    deleteTask: { run: (call) => call.commit((scope) => remove({ scope, ...call })) },
    saveTaskByExternalId: { run: (call) => call.commit((scope) => save({ scope, ...call })) },
  };
}

type Work = { scope: OrganizationScope; caller: Caller };
type Conditional = Pick<Call<'updateTask'>, 'admits'>;
type OneTask = Work & Conditional & Pick<Call<'updateTask'>, 'params'>;

async function list(database: Database, { caller, query }: Call<'listTasks'>) {
  const page = pageOf(query);
  const filter = {
    status: query.Status,
    agentId: query.AgentId,
    externalId: query.ExternalId,
    dueBefore: query.DueBefore === undefined ? undefined : new Date(query.DueBefore),
  };
  const listed = await database.inSnapshot(caller.organizationId, (scope) =>
    listTasks(scope, filter, page),
  );
  return longPage(
    { database, caller },
    { ...listed, ...page, idOf: ({ id }) => id, read: tasksByIds, view: taskView },
  );
}

/** Undefined if the externalId belongs to another task. */
async function create({ scope, caller }: Work, fields: TaskFields): Promise<Task | undefined> {
  refuseIf(await taskLinkErrors(scope, fields));
  const record = await createTask(scope, fields);
  if (!record) return undefined;
  const after = taskView(record);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'task.created',
    resourceType: 'task',
    resourceId: record.id,
    after: auditedTask(after),
  });
  return after;
}

type Change = { fields: TaskFields; writer: TaskWriter };

function writesAnew({ title, description }: TaskPatch): boolean {
  return title !== undefined && description !== undefined;
}

async function change(work: OneTask, changeOf: (record: TaskRecord) => Change): Promise<Task> {
  const record = found(await lockTask(work.scope, { id: work.params.taskId }));
  requireMatch(work.admits(etagOf(record)));
  return write(work, record, changeOf(record));
}

/** Changes a task that this transaction has locked. */
async function write(
  { scope, caller }: Work,
  record: TaskRecord,
  { fields, writer }: Change,
): Promise<Task> {
  refuseIf(await taskLinkErrors(scope, fields, record));
  const changed = await updateTask(scope, { id: record.id, ...fields }, writer).catch(
    (error: unknown) => {
      throw violatedConstraint(error) === taskExternalId ? externalIdTaken() : error;
    },
  );
  const after = taskView(found(changed));
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'task.updated',
    resourceType: 'task',
    resourceId: record.id,
    before: auditedTask(taskView(record)),
    after: auditedTask(after),
  });
  return after;
}

async function remove({ scope, caller, params, admits }: OneTask): Promise<undefined> {
  const record = found(await lockTask(scope, { id: params.taskId }));
  requireMatch(admits(etagOf(record)));
  await deleteTask(scope, record.id);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'task.deleted',
    resourceType: 'task',
    resourceId: record.id,
    before: auditedTask(taskView(record)),
  });
  return undefined;
}

type SaveWork = Work & Pick<Call<'saveTaskByExternalId'>, 'params' | 'body' | 'admits'>;

async function save(work: SaveWork): Promise<Saved<Task>> {
  const { scope, params, body, admits } = work;
  const fields = newTaskFields(withExternalId(body, params.externalId));
  for (;;) {
    const record = await lockTask(scope, params);
    requireMatch(admits(record && etagOf(record)));
    if (record)
      return { created: false, resource: await write(work, record, { fields, writer: 'anew' }) };
    const task = await create(work, fields);
    if (task) return { created: true, resource: task };
    // Somebody else created it in the meantime, so replace it.
  }
}

function withExternalId(body: TaskInput, externalId: string): TaskInput {
  if ((body.externalId ?? externalId) !== externalId)
    refuseIf([{ path: '/externalId', message: 'must be the one in the path' }]);
  return { ...body, externalId };
}

function refuseIf(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('body-invalid', 'The task is invalid.', { errors });
}

function externalIdTaken(): Problem {
  return new Problem(
    'conflict',
    'Another task has this externalId. Use PUT /api/v1/Task/externalId/{externalId} to replace it.',
  );
}
