/** What inside.mjs and its threads ask with. */
import { Fault } from 'mediatoken';

/** Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor. */
export async function verify(client, token, question) {
  for (let turn = 0; ; turn += 1) {
    try {
      return await client.verify(token, question);
    } catch (error) {
      if (!(error instanceof Fault) || error.action !== 'retry' || turn === 20) throw error;
    }
  }
}
