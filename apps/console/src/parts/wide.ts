import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 861px)');

/** Whether a list and what is open of it stand side by side; on a phone they come one after the other. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell);
      return () => wide.removeEventListener('change', tell);
    },
    () => wide.matches,
  );
}
