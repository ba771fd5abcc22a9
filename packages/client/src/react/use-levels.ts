import { useEffect, useState } from 'react';
import type { SessionAudio } from '../audio/index.js';

const silent = { microphone: 0, speaker: 0 };

/**
 * Loudness of the user and the agent, from 0 to 1, updated on every animation frame. Use it in a
 * small component, because it renders that often.
 */
export function useLevels(audio: SessionAudio | undefined): SessionAudio['levels'] {
  const [levels, setLevels] = useState<SessionAudio['levels']>(silent);
  useEffect(() => {
    if (!audio) return;
    let next = 0;
    const look = () => {
      const now = audio.levels;
      setLevels((before) =>
        before.microphone === now.microphone && before.speaker === now.speaker ? before : now,
      );
      next = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(next);
  }, [audio]);
  return audio ? levels : silent;
}
