import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where standalone listens in `npm run dev`; the console's requests are proxied to it. */
const api = `http://localhost:${process.env.PORT ?? 8080}`;
const served = ['/api', '/docs', '/audio-worklet.js', '/console/oidc'];

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    // The page's Content-Security-Policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // The code ships with its licenses: /console/licenses.md.
    license: { fileName: 'licenses.md' },
  },
  server: {
    proxy: Object.fromEntries(
      served.map((path) => [path, { target: api, ws: true, changeOrigin: false }]),
    ),
  },
});
