import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 861px)');

/** Whether a list and its open item are shown side by side; on a phone, one at a time. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell);
      return () => wide.removeEventListener('change', tell);
    },
    () => wide.matches,
  );
}
