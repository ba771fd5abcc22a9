export { errorCodes, ParleyError, type ParleyErrorCode } from './errors.js';
export type * from './session/types.js';
