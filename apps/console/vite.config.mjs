import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the api of `npm run dev` listens; requests that the console makes go on to it. */
const api = process.env.PARLEY_API ?? 'http://localhost:8080';
const server = ['/api', '/docs', '/audio-worklet.js', '/console/oidc'];

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: Object.fromEntries(
      server.map((path) => [path, { target: api, ws: true, changeOrigin: false }]),
    ),
  },
});
