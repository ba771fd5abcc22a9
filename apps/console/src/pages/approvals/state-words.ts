import type { Tone } from '../../parts/badge.js';
import type { DecidedState } from './inbox.js';

export const stateWords: Readonly<Record<DecidedState, { word: string; tone: Tone }>> = {
  approved: { word: 'Approved', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'danger' },
  expired: { word: 'Not decided in time', tone: 'warn' },
  cancelled: { word: 'No longer needed', tone: 'neutral' },
};
