import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aWaitingCase } from '../testing/builders.ts';
import { type NoticeContext, noticeTime, reportWaiting } from './case-notice.ts';
import { secondsAfter } from './identity.ts';
import { effectiveSettings } from './settings.ts';

const began = new Date('2026-05-01T12:00:00Z');
const due = secondsAfter(began, 3600);
const later = secondsAfter(due, 1);
const settings = (adjudication: object) => effectiveSettings({ adjudication }).adjudication;
const waiting = aWaitingCase({
  submitDateTime: '2026-05-01T11:59:00.000',
  requestedAt: '2026-05-01T12:00:00.000',
  expiresAt: secondsAfter(began, 86_400),
  raisedIndicators: ['PHOTOCOPY_DETECTION_WARNING'],
  reasons: ['PHOTOCOPY'],
  media: [{ mediaId: 'medium', label: 'FRONT' }],
  sealedFields: 'sealed',
  noticeAt: due,
});
const context: NoticeContext = { identityStatus: 'PROCESSING', webhook: true };

describe('the time at which a waiting case is reported', () => {
  test.each([
    ['by webhook', { noticeWebhook: true }],
    ['by mail', { noticeEmail: 'desk@example.org' }],
    ['by both', { noticeWebhook: true, noticeEmail: 'desk@example.org' }],
  ])('%s: after the time that the tenant set', (_, ways) => {
    expect(noticeTime(began, settings({ ...ways, noticeAfterSeconds: 3600 }))).toEqual({ noticeAt: due });
  });

  test('never, if the tenant set neither webhook nor mail', () => {
    expect(noticeTime(began, settings({ noticeAfterSeconds: 3600 }))).toEqual({});
  });
});

describe('the report of a waiting case', () => {
  test('names the case and its time, and nothing that was read or raised', () => {
    const { waiting: said } = reportWaiting(waiting, context, later)!;
    expect(said).toEqual({
      caseId: 'case',
      evidenceId: 'evidence',
      type: 'PASSPORT',
      identityStatus: 'PROCESSING',
      requestedAt: '2026-05-01T12:00:00.000',
      expiresAt: '2026-05-02T12:00:00.000',
      webhook: true,
    });
  });

  test('carries mail, name and address if they are set', () => {
    const more = { sealedMail: 'to', sealedBusinessId: 'whom', url: 'https://assay.example/console/#/cases/case' };
    expect(reportWaiting(waiting, { ...context, ...more }, later)!.waiting).toMatchObject(more);
  });

  test('is not made for an identity that has ended, and the case is no longer due', () => {
    expect(reportWaiting(waiting, undefined, later)).toEqual({ set: {}, unset: ['noticeAt'] });
  });

  test('is not made if the tenant wants neither webhook nor mail any more, and the case is no longer due', () => {
    const neither = { ...context, webhook: false };
    expect(reportWaiting(waiting, neither, later)).toEqual({ set: {}, unset: ['noticeAt'] });
    expect(reportWaiting(waiting, { ...neither, sealedMail: 'to' }, later)?.waiting).toMatchObject({ webhook: false });
  });

  test('is not made once the case can no longer be decided, as after hours without a gateway', () => {
    const due = { set: {}, unset: ['noticeAt'] };
    expect(reportWaiting(waiting, context, waiting.expiresAt)).toEqual(due);
    expect(reportWaiting(waiting, context, secondsAfter(waiting.expiresAt, -1))?.waiting).toBeDefined();
  });

  test('is made for a claimed case, and not for a decided one', () => {
    expect(reportWaiting({ ...waiting, state: 'CLAIMED' }, context, later)?.waiting).toBeDefined();
    expect(reportWaiting({ ...waiting, state: 'DECIDED' }, context, later)).toBeUndefined();
  });

  test('is made once, in the first round at or after its time, however often the sweep runs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -7200, max: 7200 }), { minLength: 1 }), (offsets) => {
        const rounds = offsets.map((seconds) => secondsAfter(due, seconds)).sort((a, b) => a.getTime() - b.getTime());
        let current = waiting;
        const saidAt = rounds.filter((now) => {
          const change = reportWaiting(current, context, now);
          if (change) current = { ...current, ...change.set };
          for (const field of change?.unset ?? []) delete current[field];
          return change?.waiting !== undefined;
        });
        expect(saidAt).toEqual(rounds.filter((now) => now >= due).slice(0, 1));
      }),
    );
  });
});
