export { StorageUnavailable } from './chunk-store.js';
export {
  ContentInspector,
  type Claim,
  type Finding,
  type FoundText,
  type Refusal,
} from './content-inspector.js';
export {
  createExaminer,
  examinerLimits,
  type Examiner,
  type ExaminerLimits,
} from './examination/examiner.js';
export type { Examined } from './examination/examined.js';
export { openFileStore, type FileStore, type FileStoreSettings } from './file-store.js';
