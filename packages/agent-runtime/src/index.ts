export {
  adoptCall,
  isUnannounced,
  newRun,
  openCall,
  waitingApprovals,
  type CallOutcome,
  type CallPlace,
  type CallRequest,
  type Given,
  type OpenCall,
  type Run,
  type Suspension,
  type ToolDeclaration,
  type WaitingApproval,
} from './calls/call.js';
export { argumentsHash } from './tools/arguments.js';
export { CallCancelled, SessionMoved } from './calls/run-tool.js';
export type { AgentRuntime, Emit, Toolbox } from './runtime.js';
export {
  createAgentRuntime,
  type AgentRuntimeOptions,
  type RuntimeSettings,
} from './create-runtime.js';
export { deadline } from './deadline.js';
export { unsealAgent, type LoadedAgent, type FallbackConnection } from './load-agent.js';
export { readSuspension, storedRun } from './questions/stored-run.js';
export type { ServerListings, ServerTool } from './mcp/server-listing.js';
export type { ToolTrial, ToolTrials, TrialOutcome } from './tools/tool-trial.js';
export { answer, type AnswerPorts } from './questions/answer.js';
export type { Report } from './tools/attempt.js';
export { toolMetrics } from './tools/tool-metrics.js';
export { pastMessages, questionMessages, type Question } from './questions/question.js';
export {
  advanceRun,
  type AdvanceOptions,
  type Advanced,
  type QuestionListener,
} from './questions/advance-run.js';
export { openQuestionJournal } from './questions/question-journal.js';
export { resumeRun } from './questions/resume-run.js';
export { lease, RunLost } from './questions/lease.js';
export { questionMetrics } from './questions/question-metrics.js';
export { fileContext } from './prompt/file-context.js';
