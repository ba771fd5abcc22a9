import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { uploadFile } from '../../api/files.js';
import { useOrganization } from '../../api/parley.js';
import { nextUploads, type Upload } from './uploads.js';

/**
 * Pending uploads. They run one after another; leaving the page cancels those that are not
 * finished.
 */
export function useUploads() {
  const { id: organizationId } = useOrganization();
  const client = useQueryClient();
  const [all, change] = useReducer(nextUploads, []);
  const queue = useRef(Promise.resolve());
  const added = useRef(0);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const send = async (key: string, file: File) => {
    const { signal } = leaving.current;
    if (signal.aborted) return;
    try {
      await uploadFile({
        organizationId,
        file,
        signal,
        onProgress: (part) => change({ kind: 'progress', key, part }),
      });
      change({ kind: 'gone', key });
      await client.invalidateQueries({ queryKey: [organizationId, 'files'] });
    } catch (error) {
      change({ kind: 'failed', key, error });
    }
  };
  const add = (files: readonly File[]) => {
    for (const file of files) {
      added.current += 1;
      const key = String(added.current);
      const upload: Upload = { key, name: file.name, part: 0, error: undefined };
      change({ kind: 'added', upload });
      queue.current = queue.current.then(() => send(key, file));
    }
  };
  return { all, add, dismiss: (key: string) => change({ kind: 'gone', key }) };
}
