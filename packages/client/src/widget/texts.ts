/** Every text of the widget. Words in braces are placeholders. */
const english = {
  launch: 'Open the assistant',
  heading: 'Assistant',
  greeting: 'Hello. How can I help you?',
  greetingHint: 'Talk or type, whichever you prefer.',
  greetingHintText: 'Type your question below.',
  close: 'Close',
  conversation: 'Conversation',
  you: 'You',
  agent: 'Agent',
  interrupted: 'Interrupted',
  thinkingNow: 'The agent is thinking',
  sending: 'Sending',
  latest: 'Go to the latest message',

  placeholder: 'Write a message',
  send: 'Send',

  talk: 'Talk',
  talkHint: 'Uses your microphone',
  connecting: 'Connecting',
  connectingHint: 'One moment',
  askingHint: 'Allow the microphone in your browser',
  listening: 'Listening',
  listeningHint: 'Press to stop talking',
  thinking: 'Thinking',
  speaking: 'Speaking',
  speakingHint: 'Press to interrupt',
  muted: 'Muted',
  mutedHint: 'The agent cannot hear you',
  ready: 'Hold to talk',
  readyHint: 'Or hold the space bar',
  holding: 'Listening',
  holdingHint: 'Let go to send',
  offline: 'Offline',
  reconnecting: 'Reconnecting',
  mute: 'Mute the microphone',
  unmute: 'Unmute the microphone',
  stop: 'Turn the microphone off',

  statusReady: 'Ready',
  statusWriting: 'Connected',
  statusEnded: 'Ended',

  offlineTitle: 'You are offline',
  offlineText: 'The conversation continues when your connection is back.',
  reconnectingTitle: 'The connection was lost',
  reconnectingText: 'Trying to reach the agent again.',
  deniedTitle: 'The microphone is blocked',
  deniedText:
    'Allow it for this page in your browser’s address bar, then press Talk again. You can also write.',
  missingTitle: 'No microphone was found',
  missingText:
    'Connect one, or close the program that uses it, then press Talk. You can also write.',
  unsupportedTitle: 'This browser cannot record here',
  unsupportedText:
    'Talking needs a current browser and a page served over HTTPS. You can write instead.',
  startFailedTitle: 'The conversation could not start',
  startFailedText:
    'The page got no session for you. Try again; if it keeps failing, sign in again.',
  unreachableTitle: 'The agent cannot be reached',
  unreachableText: 'Check your connection, then try again.',
  busyTitle: 'All lines are busy',
  busyText: 'Too many conversations are open right now. Try again in a few minutes.',
  refusedTitle: 'The agent is not available',
  refusedText: 'The service did not accept the conversation. Try again later.',
  problemTitle: 'Something went wrong',
  problemText: 'The agent could not answer that. Please say it again.',
  lostTitle: 'The connection was lost',
  lostText: 'The conversation so far is kept. Reconnect to continue.',
  pausedTitle: 'The conversation is paused',
  pausedText: 'Nobody said anything for a while. Continue where you left off.',
  endedTitle: 'The conversation has ended',
  endedText: 'Start again whenever you like.',
  tryAgain: 'Try again',
  reconnect: 'Reconnect',
  goOn: 'Continue',
  startAgain: 'Start again',
  dismiss: 'Dismiss',

  waiting: 'Needs your approval',
  waitingElsewhere: 'Waiting for somebody else to approve',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  approve: 'Approve',
  reject: 'Reject',
  deciding: 'Sending your decision',
  approvedHere: 'You approved this',
  rejectedHere: 'You rejected this',
  approved: 'Somebody else approved this',
  rejected: 'Somebody else rejected this',
  expired: 'Not approved in time',
  cancelled: 'No longer needed',
  timeLeft: '{time} left',
  noArguments: 'No further details',
  details: 'Details',
  json: 'JSON',
  showAll: 'Show all',
  output: 'Result',
  moreRows: '{count} more in the JSON',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  askedAloud: 'The agent asks for your approval: {title}',
};

export type Texts = Readonly<typeof english>;
export type TextName = keyof Texts;

const german: Texts = {
  launch: 'Assistenten öffnen',
  heading: 'Assistent',
  greeting: 'Hallo. Wie kann ich Ihnen helfen?',
  greetingHint: 'Sprechen oder schreiben Sie, wie Sie möchten.',
  greetingHintText: 'Schreiben Sie unten Ihre Frage.',
  close: 'Schließen',
  conversation: 'Gespräch',
  you: 'Sie',
  agent: 'Assistent',
  interrupted: 'Unterbrochen',
  thinkingNow: 'Der Assistent überlegt',
  sending: 'Wird gesendet',
  latest: 'Zur neuesten Nachricht',

  placeholder: 'Nachricht schreiben',
  send: 'Senden',

  talk: 'Sprechen',
  talkHint: 'Verwendet Ihr Mikrofon',
  connecting: 'Verbinden',
  connectingHint: 'Einen Moment',
  askingHint: 'Erlauben Sie im Browser das Mikrofon',
  listening: 'Hört zu',
  listeningHint: 'Drücken, um aufzuhören',
  thinking: 'Überlegt',
  speaking: 'Spricht',
  speakingHint: 'Drücken, um zu unterbrechen',
  muted: 'Stummgeschaltet',
  mutedHint: 'Der Assistent hört Sie nicht',
  ready: 'Zum Sprechen halten',
  readyHint: 'Oder die Leertaste halten',
  holding: 'Hört zu',
  holdingHint: 'Zum Senden loslassen',
  offline: 'Offline',
  reconnecting: 'Verbindet sich neu',
  mute: 'Mikrofon stummschalten',
  unmute: 'Stummschaltung aufheben',
  stop: 'Mikrofon ausschalten',

  statusReady: 'Bereit',
  statusWriting: 'Verbunden',
  statusEnded: 'Beendet',

  offlineTitle: 'Sie sind offline',
  offlineText: 'Das Gespräch geht weiter, sobald die Verbindung wieder da ist.',
  reconnectingTitle: 'Die Verbindung ist abgebrochen',
  reconnectingText: 'Der Assistent wird erneut angewählt.',
  deniedTitle: 'Das Mikrofon ist gesperrt',
  deniedText:
    'Erlauben Sie es für diese Seite in der Adresszeile des Browsers und drücken Sie erneut auf Sprechen. Schreiben geht auch.',
  missingTitle: 'Kein Mikrofon gefunden',
  missingText:
    'Schließen Sie eines an oder beenden Sie das Programm, das es verwendet. Schreiben geht auch.',
  unsupportedTitle: 'Dieser Browser kann hier nicht aufnehmen',
  unsupportedText:
    'Zum Sprechen braucht es einen aktuellen Browser und eine Seite mit https. Schreiben geht.',
  startFailedTitle: 'Das Gespräch konnte nicht beginnen',
  startFailedText:
    'Die Seite hat keine Sitzung für Sie bekommen. Versuchen Sie es erneut oder melden Sie sich neu an.',
  unreachableTitle: 'Der Assistent ist nicht erreichbar',
  unreachableText: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  busyTitle: 'Alle Leitungen sind belegt',
  busyText: 'Gerade sind zu viele Gespräche offen. Versuchen Sie es in einigen Minuten erneut.',
  refusedTitle: 'Der Assistent ist nicht verfügbar',
  refusedText: 'Der Dienst hat das Gespräch nicht angenommen. Versuchen Sie es später erneut.',
  problemTitle: 'Etwas ist schiefgegangen',
  problemText: 'Der Assistent konnte nicht antworten. Bitte sagen Sie es noch einmal.',
  lostTitle: 'Die Verbindung ist abgebrochen',
  lostText: 'Was gesagt wurde, bleibt erhalten. Verbinden Sie sich neu, um fortzufahren.',
  pausedTitle: 'Das Gespräch ist angehalten',
  pausedText: 'Eine Weile hat niemand etwas gesagt. Machen Sie weiter, wo Sie waren.',
  endedTitle: 'Das Gespräch ist beendet',
  endedText: 'Sie können jederzeit neu beginnen.',
  tryAgain: 'Erneut versuchen',
  reconnect: 'Neu verbinden',
  goOn: 'Weiter',
  startAgain: 'Neu beginnen',
  dismiss: 'Ausblenden',

  waiting: 'Braucht Ihre Zustimmung',
  waitingElsewhere: 'Wartet auf die Zustimmung einer anderen Person',
  running: 'Läuft',
  done: 'Erledigt',
  failed: 'Fehlgeschlagen',
  approve: 'Zustimmen',
  reject: 'Ablehnen',
  deciding: 'Ihre Entscheidung wird gesendet',
  approvedHere: 'Sie haben zugestimmt',
  rejectedHere: 'Sie haben abgelehnt',
  approved: 'Eine andere Person hat zugestimmt',
  rejected: 'Eine andere Person hat abgelehnt',
  expired: 'Nicht rechtzeitig zugestimmt',
  cancelled: 'Nicht mehr nötig',
  timeLeft: 'noch {time}',
  noArguments: 'Ohne weitere Angaben',
  details: 'Einzelheiten',
  json: 'JSON',
  showAll: 'Alles zeigen',
  output: 'Ergebnis',
  moreRows: '{count} weitere im JSON',
  yes: 'Ja',
  no: 'Nein',
  none: 'Keine',
  askedAloud: 'Der Assistent bittet um Ihre Zustimmung: {title}',
};

const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', english],
  ['de', german],
]);

/**
 * The texts of a language such as `de-AT`, or English if the language is not built in, overridden
 * by the page's own.
 */
export function textsFor(language: string, own: unknown = {}): Texts {
  const base = languages.get(language.toLowerCase().replace(/-.*/, '')) ?? english;
  return { ...base, ...knownTexts(own) };
}

function knownTexts(own: unknown): Partial<Record<TextName, string>> {
  if (typeof own !== 'object' || own === null) return {};
  return Object.fromEntries(
    Object.entries(own).filter(
      ([name, text]) => Object.hasOwn(english, name) && typeof text === 'string',
    ),
  );
}

/** Replaces the placeholders in braces. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, () => value),
    text,
  );
}
