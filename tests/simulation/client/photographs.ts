import { deleteEvidence, mineOf, pathOf } from './identity-calls.ts';
import { pictureWith } from './picture.ts';
import type { Travelling } from './travelling.ts';

/** Some selfies show somebody else. */
const OTHER_FACE = 0.25;

/** Photographs a page of a passport that its issuer knows. */
export const showPage = async (travelling: Travelling, identityId: string): Promise<void> => {
  const { call, ledger, outsiders, random } = travelling;
  const passport = `N${1_000_000 + outsiders.sourceReplies.size}`;
  outsiders.sourceReplies.set(passport, 'Y');
  const body = { part: 'DocumentFront', picture: pictureWith(random, { face: identityId, passport }) };
  const answer = await call('POST', `${pathOf(identityId)}/id-documents/capture`, body);
  if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, hasPicture: true, shows: 'page' });
};

/** Takes a portrait, which replaces the one before. */
export const showSelfie = async (travelling: Travelling, identityId: string): Promise<void> => {
  const { call, ledger, random } = travelling;
  const former = mineOf(travelling, identityId).find(({ shows }) => shows === 'self' || shows === 'other');
  const shows = random.next() < OTHER_FACE ? 'other' : 'self';
  const body = {
    part: 'Portrait',
    picture: pictureWith(random, { face: shows === 'self' ? identityId : 'somebody else' }),
  };
  if (former) ledger.deleted.add(former.evidenceId);
  const answer = await call('POST', `${pathOf(identityId)}/attributes/portrait/capture`, body);
  if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, hasPicture: true, shows });
};

/** Deletes a photographed page, with which portraits may have been compared. */
export const forgetPage = async (travelling: Travelling, identityId: string): Promise<void> => {
  const page = mineOf(travelling, identityId).find(({ shows }) => shows === 'page');
  if (page) await deleteEvidence(travelling, identityId, page.evidenceId);
};
