import { expect } from 'chai';
import { noteDate, serviceNow } from '#src/api/service-clock.js';

describe('the time of the service', () => {
  const told = (date: string) => noteDate(new Response(null, { headers: { date } }));
  const httpDate = (ms: number) => new Date(ms).toUTCString();
  /** How far it is ahead of this computer’s, in whole minutes. */
  const ahead = () => Math.round((serviceNow() - Date.now()) / 60_000);

  afterEach(() => told(httpDate(Date.now())));

  it('is what its responses tell, however wrong the computer is', () => {
    told(httpDate(Date.now() - 3_600_000));
    expect(ahead()).to.equal(-60);
    told(httpDate(Date.now() + 300_000));
    expect(ahead()).to.equal(5);
  });

  it('is the computer’s own if the two agree to the second', () => {
    told(httpDate(Date.now() + 300_000));
    told(httpDate(Date.now() - 400));
    expect(serviceNow() - Date.now()).to.be.within(-1, 1);
  });

  it('stays as it was if a response does not tell it', () => {
    told(httpDate(Date.now() + 300_000));
    noteDate(new Response(null));
    told('yesterday');
    expect(ahead()).to.equal(5);
  });
});
