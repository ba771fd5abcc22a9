/**
 * Design tokens first; a page sets the ones that start with `--parley-`. Everything else follows
 * the page's font and colour scheme.
 */
const css = `
:host {
  --surface-1: var(--parley-surface, light-dark(#ffffff, #16181d));
  --surface-2: var(--parley-surface-raised, light-dark(#f4f5f7, #1f2229));
  --surface-3: light-dark(#e9ebef, #2a2e37);
  --text-1: var(--parley-text, light-dark(#171a21, #eceef2));
  --text-2: light-dark(#474e5c, #b4bac6);
  --text-3: light-dark(#5f6776, #949cab);
  --border: var(--parley-border, light-dark(#e1e4ea, #2f343d));
  --border-strong: light-dark(#cdd2db, #444b57);
  --accent: var(--parley-accent, light-dark(#3a4fd0, #93a4ff));
  --on-accent: var(--parley-on-accent, light-dark(#ffffff, #12152b));
  --ok: light-dark(#14733f, #5fd08f);
  --warn: light-dark(#8a5500, #e0b054);
  --danger: light-dark(#b42323, #ff8f87);
  --radius: 10px;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  position: fixed;
  inset: auto var(--parley-inset-x, 20px) var(--parley-inset-y, 20px) auto;
  z-index: var(--parley-z-index, 2147483000);
  display: block;
}
:host([hidden]) { display: none; }
:host([inline]) { position: relative; inset: auto; z-index: auto; height: 600px; min-height: 320px; }
.frame[data-scheme='light'] { color-scheme: light; }
.frame[data-scheme='dark'] { color-scheme: dark; }
@supports (color: oklch(from red l c h)) {
  .frame { --on-accent: var(--parley-on-accent, oklch(from var(--accent) clamp(0, (0.57 - l) * 1000, 1) 0 0)); }
}
/* Resets styles that the page sets for all elements or for this one. */
.frame {
  height: 100%;
  font-family: var(--parley-font, inherit);
  font-size: 14px;
  font-style: normal;
  font-weight: 400;
  line-height: 1.5;
  letter-spacing: normal;
  word-spacing: normal;
  text-align: start;
  text-indent: 0;
  text-transform: none;
  white-space: normal;
  cursor: auto;
  user-select: auto;
  visibility: visible;
  color: var(--text-1);
  -webkit-text-size-adjust: 100%;
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, p, ol, dl, dd, pre { margin: 0; padding: 0; }
ol { list-style: none; }
button, textarea { font: inherit; letter-spacing: inherit; color: inherit; margin: 0; }
button { border: 0; padding: 0; background: none; cursor: pointer; -webkit-tap-highlight-color: transparent; }
button:disabled { cursor: default; }
svg { width: 20px; height: 20px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher {
  position: relative; display: grid; place-items: center; width: 56px; height: 56px; margin-inline-start: auto; border-radius: 50%;
  background: var(--accent); color: var(--on-accent);
  box-shadow: 0 1px 2px rgb(15 18 28 / 0.16), 0 6px 20px rgb(15 18 28 / 0.2);
  transition: transform 140ms ease, box-shadow 140ms ease;
}
.launcher svg { width: 24px; height: 24px; stroke-width: 2; }
.launcher:hover { transform: translateY(-1px); box-shadow: 0 2px 4px rgb(15 18 28 / 0.16), 0 10px 28px rgb(15 18 28 / 0.26); }
.launcher:active { transform: none; }
.launcher .badge {
  position: absolute; top: 1px; right: 1px; width: 14px; height: 14px; border-radius: 50%;
  background: var(--danger); border: 2px solid var(--surface-1);
}

.panel {
  position: absolute; right: 0; bottom: 72px; display: flex; flex-direction: column;
  width: 380px; height: 600px; max-height: calc(100dvh - 112px); overflow: hidden;
  background: var(--surface-1); border: 1px solid var(--border); border-radius: 16px;
  box-shadow: 0 2px 6px rgb(15 18 28 / 0.06), 0 16px 48px rgb(15 18 28 / 0.18);
  animation: rise 160ms cubic-bezier(0.2, 0.7, 0.3, 1);
}
.panel:focus-visible { outline-offset: -2px; }
.frame[data-inline] .panel { position: static; width: 100%; height: 100%; max-height: none; box-shadow: none; animation: none; }
.frame[data-inline] :is(.launcher, .close) { display: none; }
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }

header { display: flex; align-items: center; gap: 12px; padding: 12px 12px 12px 20px; border-bottom: 1px solid var(--border); }
.titles { flex: 1; min-width: 0; }
h2 { font-size: 15px; font-weight: 600; line-height: 20px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.status { display: flex; align-items: center; gap: 6px; font-size: 12px; line-height: 16px; color: var(--text-3); }
.dot { flex: none; width: 6px; height: 6px; border-radius: 50%; background: var(--border-strong); }
.status[data-tone='live'] .dot { background: var(--ok); }
.status[data-tone='warn'] { color: var(--warn); }
.status[data-tone='warn'] .dot { background: var(--warn); }
.icon-button { display: grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: var(--radius); color: var(--text-2); }
.icon-button:hover { background: var(--surface-2); color: var(--text-1); }

.middle { position: relative; flex: 1; min-height: 0; }
.stream { height: 100%; overflow-y: auto; overscroll-behavior: contain; padding: 20px; scrollbar-width: thin; scrollbar-color: var(--border-strong) transparent; }
.stream:focus-visible { outline-offset: -2px; }
.greeting { padding: 4px 0 20px; }
.greeting p:first-child { font-size: 20px; font-weight: 600; line-height: 28px; letter-spacing: -0.01em; text-wrap: balance; overflow-wrap: anywhere; }
.greeting p + p { margin-top: 4px; color: var(--text-2); }
.entries { display: flex; flex-direction: column; gap: 12px; }
.entries:not(:empty) { padding-bottom: 4px; }
.message { display: flex; flex-direction: column; align-items: flex-start; max-width: 88%; min-width: 0; }
.message.user { align-self: flex-end; align-items: flex-end; }
.words { max-width: 100%; padding: 8px 12px; border-radius: 14px; background: var(--surface-2); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.user .words { background: var(--accent); color: var(--on-accent); border-end-end-radius: 4px; }
.assistant .words { border-end-start-radius: 4px; }
s { color: var(--text-3); text-decoration-color: var(--border-strong); }
.words a { color: inherit; text-underline-offset: 2px; }
.user .words :focus-visible { outline-color: var(--on-accent); }
.note { margin: 4px 4px 0; font-size: 12px; line-height: 16px; color: var(--text-3); }
.dots { display: inline-flex; align-items: center; gap: 4px; height: 21px; vertical-align: bottom; }
.dots i { width: 6px; height: 6px; border-radius: 50%; background: currentColor; opacity: 0.35; animation: blink 1.2s infinite; }
.dots i:nth-child(2) { animation-delay: 0.15s; }
.dots i:nth-child(3) { animation-delay: 0.3s; }
@keyframes blink { 30% { opacity: 1; } 60% { opacity: 0.35; } }
.middle:has(.latest:not([hidden]))::after { content: ''; position: absolute; inset: auto 0 0; height: 32px; background: linear-gradient(transparent, var(--surface-1)); pointer-events: none; }
.latest {
  z-index: 1;
  position: absolute; left: 50%; bottom: 12px; display: grid; place-items: center; width: 32px; height: 32px; margin-left: -16px; border-radius: 50%;
  background: var(--surface-1); border: 1px solid var(--border-strong); color: var(--text-2); box-shadow: 0 2px 8px rgb(15 18 28 / 0.14);
}
.latest svg { width: 16px; height: 16px; }

.card { padding: 12px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface-1); min-width: 0; }
.card[data-tone='wait'] { border-color: color-mix(in oklab, var(--warn) 55%, var(--border)); box-shadow: 0 1px 3px rgb(15 18 28 / 0.06); }
.card-top { display: flex; align-items: baseline; gap: 12px; font-size: 12px; line-height: 16px; }
.state { flex: 1; min-width: 0; color: var(--text-3); overflow-wrap: anywhere; }
.state .dot { display: inline-block; margin-inline-end: 6px; vertical-align: 1.5px; }
[data-tone='wait'] .state { color: var(--warn); font-weight: 500; }
[data-tone='wait'] .dot { background: var(--warn); }
[data-tone='busy'] .dot { background: var(--accent); animation: blink 1.2s infinite; }
[data-tone='ok'] .state .dot { background: var(--ok); }
[data-tone='danger'] .state { color: var(--danger); }
[data-tone='danger'] .state .dot { background: var(--danger); }
.clock { font-variant-numeric: tabular-nums; font-weight: 500; color: var(--text-2); }
.clock[data-urgent] { color: var(--danger); font-weight: 650; }
.card-title { margin-top: 4px; font-weight: 600; line-height: 20px; overflow-wrap: anywhere; }
.card-none { margin-top: 8px; color: var(--text-3); font-size: 13px; }
dl { margin-top: 10px; display: grid; gap: 6px; font-size: 13px; line-height: 18px; }
dl > div { display: grid; grid-template-columns: minmax(72px, 38%) 1fr; gap: 12px; }
.card-text { margin-top: 8px; font-size: 13px; line-height: 18px; }
dt { color: var(--text-3); overflow-wrap: anywhere; }
dd, .card-text { overflow-wrap: anywhere; white-space: pre-wrap; max-height: 240px; overflow-y: auto; }
summary { cursor: pointer; }
.long[open] summary { display: none; }
.long summary { list-style: none; }
.long summary::-webkit-details-marker { display: none; }
.long u { color: var(--text-2); text-underline-offset: 2px; white-space: nowrap; }
.fold { margin-top: 8px; font-size: 12px; }
.fold > summary { display: flex; align-items: center; gap: 4px; width: fit-content; color: var(--text-3); border-radius: 4px; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary svg { width: 14px; height: 14px; transform: rotate(-90deg); transition: transform 140ms ease; }
.fold[open] > summary svg { transform: none; }
.fold > summary:hover { color: var(--text-1); }
pre { margin-top: 8px; max-height: 200px; overflow: auto; padding: 8px 10px; border-radius: 6px; background: var(--surface-2); font: 12px/18px var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.card-link { display: inline-flex; align-items: center; gap: 4px; margin-top: 10px; color: var(--text-1); font-weight: 500; text-underline-offset: 3px; overflow-wrap: anywhere; }
.card-link svg { width: 14px; height: 14px; }
.decisions { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 12px; }
.decide { display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 40px; padding: 4px 12px; border-radius: var(--radius); border: 1px solid var(--border-strong); font-weight: 550; }
.decide.rejected { background: var(--surface-1); }
.decide.rejected:hover:enabled { background: var(--surface-2); }
.decide.approved { background: var(--accent); border-color: transparent; color: var(--on-accent); }
.decide.approved:hover:enabled { background: color-mix(in oklab, var(--accent) 90%, var(--text-1)); }
.decide:disabled { opacity: 0.55; }
kbd { display: grid; place-items: center; min-width: 18px; height: 18px; border-radius: 4px; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); font: 500 11px/1 var(--mono); }

.notice { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin: 0 12px; padding: 10px 12px; border-radius: var(--radius); background: var(--surface-2); font-size: 13px; line-height: 18px; }
.notice[data-tone='warn'] { background: color-mix(in oklab, var(--warn) 10%, var(--surface-1)); }
.notice[data-tone='danger'] { background: color-mix(in oklab, var(--danger) 8%, var(--surface-1)); }
.notice:has(+ footer[hidden]) { margin-bottom: 12px; }
.notice > div { flex: 1 1 180px; min-width: 0; }
.notice strong { display: block; font-weight: 600; }
[data-tone='warn'] strong { color: var(--warn); }
[data-tone='danger'] strong { color: var(--danger); }
.notice p { color: var(--text-2); }
.act { flex: none; min-height: 32px; padding: 4px 12px; border-radius: 8px; background: var(--surface-1); border: 1px solid var(--border-strong); font-weight: 550; }
.act:hover { background: var(--surface-2); }

footer { display: grid; gap: 8px; padding: 12px; }
.voice { display: flex; gap: 8px; }
.talk {
  position: relative; display: flex; align-items: center; gap: 12px; flex: 1; min-width: 0; min-height: 52px; padding: 6px 16px; overflow: hidden; border-radius: 14px;
  background: var(--accent); color: var(--on-accent); text-align: start; touch-action: none; user-select: none; -webkit-user-select: none;
  transition: background-color 140ms ease, color 140ms ease;
}
.talk .label { display: block; font-weight: 600; line-height: 20px; }
.talk .hint { display: block; font-size: 12px; line-height: 16px; opacity: 0.86; }
.talk-icon { display: grid; }
[data-icon='stop'] { fill: currentColor; }
.talk .said { flex: 1; min-width: 0; }
.talk[data-state='idle']:hover, .talk[data-state='ready']:hover { background: color-mix(in oklab, var(--accent) 92%, var(--text-1)); }
.talk:is([data-state='connecting'], [data-state='reconnecting'], [data-state='muted'], [data-state='offline'], [data-state='thinking'], [data-state='speaking'], [data-state='listening']) { background: var(--surface-2); color: var(--text-1); }
.talk:is([data-state='listening'], [data-state='speaking']) { background: color-mix(in oklab, var(--accent) 12%, var(--surface-1)); }
.talk:is([data-state='listening'], [data-state='speaking']) :is(svg, .meter) { color: var(--accent); }
.talk:is([data-state='offline'], [data-state='connecting'], [data-state='reconnecting']) { color: var(--text-2); }
.talk:not([data-state='idle'], [data-state='ready']) .hint { color: var(--text-2); opacity: 1; }
.meter { display: flex; align-items: center; gap: 3px; height: 28px; }
.meter i { width: 3px; height: 100%; border-radius: 2px; background: currentColor; transform: scaleY(calc(0.14 + 0.86 * var(--level, 0) * var(--share, 1))); transition: transform 80ms linear; }
.meter i:nth-child(1), .meter i:nth-child(5) { --share: 0.45; }
.meter i:nth-child(2), .meter i:nth-child(4) { --share: 0.75; }
.talk .dots i { background: var(--text-2); }
.side { display: grid; place-items: center; flex: none; width: 52px; border-radius: 14px; background: var(--surface-2); color: var(--text-1); }
.side:hover { background: var(--surface-3); }
.side[aria-pressed='true'] { color: var(--danger); background: color-mix(in oklab, var(--danger) 10%, var(--surface-1)); }
.composer { display: flex; align-items: flex-end; gap: 4px; padding: 3px; border: 1px solid var(--border-strong); border-radius: 14px; background: var(--surface-1); }
.composer:focus-within { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
textarea { flex: 1; min-width: 0; height: 40px; max-height: 132px; padding: 9px 10px; border: 0; background: none; resize: none; line-height: 22px; field-sizing: content; scrollbar-width: thin; }
textarea:focus-visible { outline: none; }
textarea::placeholder { color: var(--text-3); opacity: 1; }
.send { display: grid; place-items: center; flex: none; width: 40px; height: 40px; border-radius: var(--radius); background: var(--accent); color: var(--on-accent); }
.send:disabled { background: none; color: var(--text-3); }

@media (max-width: 480px) {
  .frame:not([data-inline]) .panel { position: fixed; inset: 0; width: auto; height: auto; max-height: none; border: 0; border-radius: 0; padding-bottom: env(safe-area-inset-bottom); }
  .frame[data-open]:not([data-inline]) .launcher { visibility: hidden; }
  textarea { font-size: 16px; }
  .icon-button { width: 44px; height: 44px; }
  .decide { min-height: 44px; }
  kbd { display: none; }
}
@media (pointer: coarse) {
  .talk[data-state='ready'] .hint { display: none; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
  .dots i { opacity: 0.7; }
}
@media (forced-colors: active) {
  .launcher, .talk, .side, .send, .words { border: 1px solid; }
}
`;

let sheet: CSSStyleSheet | undefined;

/**
 * A constructed stylesheet, which a style policy cannot block; shared by all elements of a page.
 */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
