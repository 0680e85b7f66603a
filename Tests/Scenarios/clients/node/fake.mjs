/** The fake daemon of the kit, as an application's tests use it. */
import { Client, Fault, Refused } from 'mediatoken';
import { FakeDaemon } from 'mediatoken/testing';

const says = (what, holds, found = '') => (holds ? console.log(what) : console.error(`not so: ${what}`, found));
const fake = await FakeDaemon.start({ requestIDHeader: 'X-Request-ID' });
const client = new Client(fake.address, { requestIDHeader: 'X-Request-ID' });
const question = { requestor: 'REF30', resource: 'TNT' };
const raised = (token) => client.verify(token, question).catch((error) => error);

const token = FakeDaemon.valid({ mvpdId: 'Other_MVPD' });
const played = await client.verify(token, { ...question, requestID: 'mine' });
says("a token of the fake's plays, and says what it was made to say", [played.requestorID, played.resourceID, played.mvpdId,
  played.requestID].join() === 'REF30,TNT,Other_MVPD,mine', played);
const errors = await Promise.all([token, 'PHNpZ25hdHVyZUluZm8+', FakeDaemon.refused('TOKEN_EXPIRED', 'too-old')].map(raised));
says('it plays once, and refusals are those that were asked for', errors.every((error) => error instanceof Refused) && errors
  .map(({ verdict, reason }) => `${verdict} ${reason}`).join() === 'TOKEN_REPLAYED already-used,INVALID_TOKEN_FORMAT unknown-form,TOKEN_EXPIRED too-old', errors);
const fault = await raised(FakeDaemon.fault('REPLAY_MEMORY_FULL'));
says('a fault is one', fault instanceof Fault && fault.code === 'REPLAY_MEMORY_FULL' && fault.action === 'retry', fault);
says('the fake is ready', (await client.checkReady()) === undefined);
client.close();
await fake.close();
