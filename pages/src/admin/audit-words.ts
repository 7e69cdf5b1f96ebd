import { table } from '@assay/contracts/table';
import { capital, plainWords } from '@assay/contracts/words';

/** Things whose name in an act is no word for people. */
const THINGS = table<string>({ endpoint: 'webhook', delivery: 'notification' });
const DONE = table<string>({
  begin: 'begun',
  change: 'changed',
  claim: 'claimed',
  close: 'closed',
  create: 'created',
  decide: 'decided',
  delete: 'deleted',
  end: 'ended',
  expire: 'expired',
  export: 'exported',
  import: 'imported',
  purge: 'purged',
  read: 'read',
  recover: 'sent again',
  remove: 'removed',
  replay: 'replayed',
  resend: 'sent again',
  retrieve: 'retrieved',
  rotate: 'replaced',
  test: 'tested',
  view: 'opened',
  'view-image': 'image opened',
  're-evaluate': 'evaluated again',
});

/** An act of the audit log in words: key.create becomes "Key created". */
export const actInWords = (act: string): string => {
  const [thing = '', verb = ''] = act.split('.');
  return capital(`${THINGS[thing] ?? thing.replaceAll('-', ' ')} ${DONE[verb] ?? verb.replaceAll('-', ' ')}`.trim());
};

const MEMBERS = table<string>({ made: 'new' });

/** The name of a member in words: withinSeconds becomes "within seconds", caseId "case". */
export const memberInWords = (name: string): string =>
  MEMBERS[name] ?? plainWords(name.replace(/(?<=.)Id$/, '').replaceAll(/(?=[A-Z])/g, '_')).toLowerCase();
