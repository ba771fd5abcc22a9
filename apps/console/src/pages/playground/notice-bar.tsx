import { Button } from '../../parts/button.js';
import type { Call } from './call.js';
import { noticeOf, type NoticeAction } from './notice.js';
import { useCallPart } from './use-call.js';
import styles from './playground.module.css';

/** What happened to the session, why, and what to do. */
export function NoticeBar({ call }: { readonly call: Call }) {
  const online = useCallPart(call, (now) => now.online);
  const session = useCallPart(call, (now) => now.session);
  const trouble = useCallPart(call, (now) => now.trouble);
  const hasConversation = useCallPart(call, (now) => now.entries.length > 0);
  const notice = noticeOf({ online, session, trouble, hasConversation });
  const act = (name: NoticeAction) => {
    if (name === 'dismiss') call.dismiss();
    else void call.again();
  };
  return (
    <div aria-live="polite">
      {notice && (
        <div className={styles.notice} data-tone={notice.tone}>
          <div>
            <strong>{notice.title}</strong>
            <p>{notice.text}</p>
          </div>
          {notice.action && (
            <Button
              small
              onClick={() => {
                if (notice.action) act(notice.action.name);
              }}
            >
              {notice.action.label}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
