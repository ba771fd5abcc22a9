/** Why a call ends although its session goes on: the response that made it was cut off. Unlike other ends by a signal, it is told. */
export class CallCancelled extends Error {
  override readonly name = 'CallCancelled';

  constructor() {
    super('The response that made the call was cut off.');
  }
}
