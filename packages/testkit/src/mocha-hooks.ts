import { teardown } from './teardown.js';

export const mochaGlobalTeardown = teardown;
