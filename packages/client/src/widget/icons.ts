const svg = 'http://www.w3.org/2000/svg';

/** Stroked paths on a grid of 24. */
const paths = {
  chat: ['M20 11.5a7.5 7.5 0 0 1-11 6.6L4 19.5l1.4-4.6A7.5 7.5 0 1 1 20 11.5Z'],
  down: ['m6 9 6 6 6-6'],
  close: ['M6 6l12 12', 'M18 6 6 18'],
  microphone: [
    'M12 3.5a2.75 2.75 0 0 0-2.75 2.75v5.5a2.75 2.75 0 0 0 5.5 0v-5.5A2.75 2.75 0 0 0 12 3.5Z',
    'M6 11.5a6 6 0 0 0 12 0',
    'M12 17.5v3',
  ],
  microphoneOff: [
    'M14.75 9.5V6.25a2.75 2.75 0 0 0-5.3-1',
    'M9.25 9.25v2.5a2.75 2.75 0 0 0 4.4 2.2',
    'M6 11.5a6 6 0 0 0 9.6 4.8',
    'M17.6 13.5c.26-.62.4-1.3.4-2',
    'M12 17.5v3',
    'M4 4l16 16',
  ],
  stop: ['M7.5 7.5h9v9h-9z'],
  send: ['M12 19V5', 'm6 11 6-6 6 6'],
  link: ['M9 15 19 5', 'M12 5h7v7'],
  offline: [
    'M4 4l16 16',
    'M5 12.5a10 10 0 0 1 4-2.4',
    'M14.5 9.9a10 10 0 0 1 4.5 2.6',
    'M12 18.5h.01',
    'M8.5 15.5a5 5 0 0 1 5-1',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const made = document.createElementNS(svg, 'svg');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('aria-hidden', 'true');
  made.setAttribute('data-icon', name);
  made.append(
    ...paths[name].map((d) => {
      const path = document.createElementNS(svg, 'path');
      path.setAttribute('d', d);
      return path;
    }),
  );
  return made;
}
