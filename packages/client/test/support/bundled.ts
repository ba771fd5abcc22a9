import { join } from 'node:path';
import { rolldown } from 'rolldown';

const folder = join(import.meta.dirname, '..');

/** A page's script, as a customer's bundler makes it. Its imports are resolved as from the tests' own folder. */
export async function bundled(code: string, language: 'js' | 'jsx' = 'js'): Promise<string> {
  const name = join(folder, `entry.${language}`);
  const bundle = await rolldown({
    input: name,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': JSON.stringify('development') } },
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === name ? code : null),
        resolveId: (id) => (id === name ? id : null),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
