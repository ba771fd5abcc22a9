import * as library from '@openai/agents-realtime';
import { useAgentsRealtime } from './agents-realtime.js';
import { runScenarios } from './client-program.js';

await runScenarios((scenario, connection) => useAgentsRealtime(library, scenario, connection));
