/** The bundled worklet is next to this file, and next to the widget that contains it. */
export const workletUrl = new URL('./audio-worklet.js', import.meta.url);
