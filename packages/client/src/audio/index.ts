export { type AudioDevice, listDevices, onDevicesChange } from './devices.js';
export { Microphone, type MicrophoneOptions } from './microphone.js';
export {
  type AudioOptions,
  type AudioSession,
  connectAudio,
  SessionAudio,
  type TalkMode,
} from './session-audio.js';
export { Speaker, type SpeakerOptions, type SpeakerState } from './speaker.js';
