import { expect } from 'chai';
import { captureError } from '#src/audio/capture-error.js';

describe('captureError', () => {
  const codes = {
    NotAllowedError: 'microphone-denied',
    SecurityError: 'microphone-denied',
    NotFoundError: 'microphone-missing',
    OverconstrainedError: 'microphone-missing',
    NotReadableError: 'microphone-missing',
    AbortError: 'microphone-missing',
    TypeError: 'microphone-missing',
  };

  for (const [name, code] of Object.entries(codes))
    it(`is ${code} for the browser’s ${name}, and keeps that as its cause`, () => {
      const cause = new DOMException('No.', name);
      expect(captureError(cause)).to.include({ code, cause });
    });

  it('tells a microphone that is not connected from one that another program holds', () => {
    const missing = captureError(new DOMException('', 'NotFoundError')).message;
    const held = captureError(new DOMException('', 'NotReadableError')).message;
    expect(missing).to.include('not connected');
    expect(held).to.include('other programs');
  });
});
