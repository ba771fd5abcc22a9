export { StorageUnavailable } from './chunk-store.js';
export {
  ContentInspector,
  type Finding,
  type FoundText,
  type Refusal,
} from './content-inspector.js';
export { createExaminer, examinerLimits, type Examiner } from './examination/examiner.js';
export { openFileStore, type FileStore, type FileStoreSettings } from './file-store.js';
