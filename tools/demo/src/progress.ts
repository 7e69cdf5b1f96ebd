import { openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXCHANGE, evidenceEvaluated, evidenceSubmitted } from '@assay/contracts';
import { connect } from 'amqplib';

/** How far an evidence has come, as the suite's own events and log lines tell it. */
export type Stage = 'queued' | 'reading' | 'matching' | 'asking the issuer' | 'evaluated';

const STAGE_OF_PARTICIPANT: Record<string, Stage> = {
  IMAGE_OCR: 'reading',
  NFC_CHIP_VERIFICATION: 'reading',
  BIOMETRIC_QUALITY_CHECK: 'reading',
  BIOMETRIC_MATCHING: 'matching',
  GOV_VERIFICATION: 'asking the issuer',
};

/** Reads what is appended to a log from now on, line by line. */
const followLog = (file: string, onLine: (line: string) => void) => {
  const descriptor = openSync(file, 'r');
  let at = statSync(file).size;
  let rest = '';
  return () => {
    const bytes = Buffer.alloc(64 * 1024);
    for (
      let count = readSync(descriptor, bytes, 0, bytes.length, at);
      count > 0;
      count = readSync(descriptor, bytes, 0, bytes.length, at)
    ) {
      at += count;
      const lines = (rest + bytes.toString('utf8', 0, count)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };
};

/**
 * Tells of every stage of every evidence, live: from a queue of its own on the suite's broker, and
 * from the worker's log.
 */
export const followProgress = async (
  { amqpUrl, logDir }: { amqpUrl: string; logDir: string },
  onStage: (evidenceId: string, stage: Stage) => void,
): Promise<{ close(): Promise<void> }> => {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true });
  for (const { type } of [evidenceSubmitted, evidenceEvaluated]) await channel.bindQueue(queue, EXCHANGE, type);
  await channel.consume(
    queue,
    (message) => {
      if (!message) return;
      const { type, data } = JSON.parse(message.content.toString('utf8'));
      if (type === evidenceSubmitted.type) onStage(data.evidenceId, 'queued');
      else for (const { evidenceId } of data.evidences) onStage(evidenceId, 'evaluated');
    },
    { noAck: true },
  );
  const readers = readdirSync(logDir)
    .filter((name) => name.startsWith('verification-worker'))
    .map((name) =>
      followLog(join(logDir, name), (line) => {
        if (!line.includes('participant.started')) return;
        const { evidenceId, participantType } = JSON.parse(line);
        const stage = STAGE_OF_PARTICIPANT[participantType];
        if (stage) onStage(evidenceId, stage);
      }),
    );
  const timer = setInterval(() => {
    for (const read of readers) read();
  }, 40);
  return {
    close: async () => {
      clearInterval(timer);
      await connection.close();
    },
  };
};
