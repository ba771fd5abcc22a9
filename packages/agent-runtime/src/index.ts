export {
  newRun,
  openCall,
  waitingApprovals,
  type CallOutcome,
  type CallPlace,
  type CallRequest,
  type Given,
  type OpenCall,
  type Run,
  type ToolDeclaration,
  type WaitingApproval,
} from './calls/call.js';
export { argumentsHash } from './arguments.js';
export { CallCancelled } from './calls/run-tool.js';
export type {
  AgentRuntime,
  Answerer,
  CallEvent,
  OpenOptions,
  RunWatch,
  Toolbox,
} from './runtime.js';
export {
  AgentNotFound,
  createAgentRuntime,
  type AgentRuntimeOptions,
  type RuntimeSettings,
} from './create-runtime.js';
export { loadFound, type LoadedAgent } from './load-agent.js';
export { storedRun } from './questions/stored-run.js';
export type { ServerListing, ServerListings, ServerTool } from './server-listing.js';
export type { OpenedTrial, ToolTrial, ToolTrials, TrialOutcome } from './tool-trial.js';
export { answer, type AnswerPorts } from './answer.js';
export type { Report } from './attempt.js';
export { toolMetrics, type ToolMetrics } from './tool-metrics.js';
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
export { questionMetrics, type QuestionMetrics } from './questions/question-metrics.js';
