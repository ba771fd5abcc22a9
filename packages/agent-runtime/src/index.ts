export {
  waitingApprovals,
  type CallOutcome,
  type CallPlace,
  type CallRequest,
  type OpenCall,
  type ToolDeclaration,
  type WaitingApproval,
} from './call.js';
export { CallCancelled } from './call-cancelled.js';
export { newRun, type Run } from './run.js';
export type { AgentRuntime, Answerer, CallEvent, OpenOptions, Toolbox } from './runtime.js';
