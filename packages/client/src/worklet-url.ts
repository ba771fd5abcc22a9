/** The bundled worklet lies beside this file, and beside the widget that contains it. */
export const workletUrl = new URL('./audio-worklet.js', import.meta.url);
