import { beyondLimit } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { table } from '../table.ts';

/** What an LDIF of ICAO's Public Key Directory contains. */
export interface DirectoryEntries {
  readonly masterLists: readonly Buffer[];
  readonly certificates: readonly Buffer[];
  readonly revocationLists: readonly Buffer[];
}

const KINDS = table<keyof DirectoryEntries>({
  pkdmasterlistcontent: 'masterLists',
  cscamasterlistdata: 'masterLists',
  usercertificate: 'certificates',
  cacertificate: 'certificates',
  certificaterevocationlist: 'revocationLists',
});

const ATTRIBUTE = /^([A-Za-z]+)(?:;[A-Za-z0-9;-]+)?:: *(\S.*)$/;

/** Whether the text looks like an LDIF. */
export const isLdif = (text: string): boolean => /^(?:version: *\d|dn::?)/im.test(text.slice(0, 4096));

/**
 * Reads the values of an LDIF: base64, on lines continued with a leading space. It ignores
 * attributes that we do not use. A value that is no base64 is read all the same, so that whoever
 * reads the file learns of it.
 */
export const readLdif = (text: string): DirectoryEntries => {
  const found = { masterLists: [] as Buffer[], certificates: [] as Buffer[], revocationLists: [] as Buffer[] };
  let values = 0;
  for (const line of text.replaceAll(/\r?\n /g, '').split(/\r?\n/)) {
    const [, name = '', value = ''] = ATTRIBUTE.exec(line) ?? [];
    const kind = KINDS[name.toLowerCase()];
    if (kind === undefined) continue;
    values += 1;
    if (values > LIMITS.directoryEntries) throw beyondLimit('too many entries in an LDIF');
    found[kind].push(Buffer.from(value, 'base64'));
  }
  return found;
};
