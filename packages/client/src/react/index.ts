export { useLevels } from './use-levels.js';
export { useMicrophone, type UseMicrophone } from './use-microphone.js';
export {
  useRealtimeSession,
  type UseRealtimeSession,
  type UseRealtimeSessionOptions,
} from './use-realtime-session.js';
