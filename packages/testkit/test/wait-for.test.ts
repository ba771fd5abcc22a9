import { expect } from 'chai';
import { waitFor } from '#src/index.js';

describe('waitFor', () => {
  it('returns the first answer that is true', async () => {
    let calls = 0;
    expect(await waitFor(() => ++calls >= 3 && `after ${calls}`, { what: 'calls' })).to.equal(
      'after 3',
    );
  });

  it('says what it has waited for', async () => {
    const failure = await waitFor(() => Promise.resolve(false), {
      what: 'rain',
      timeoutMs: 1,
    }).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal('Waited 1 ms for rain');
  });

  it('says what there is instead', async () => {
    const failure = await waitFor(() => false, {
      ...{ what: 'rain', timeoutMs: 1, otherwise: () => 'sunshine' },
    }).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal('Waited 1 ms for rain\nsunshine');
  });
});
