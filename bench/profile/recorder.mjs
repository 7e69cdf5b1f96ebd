/**
 * Loaded before a service (`--import`): SIGUSR2 begins to record where its processor time goes, the
 * next one writes `<service>.cpuprofile` into the folder ASSAY_PROFILES.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

const SAMPLE_US = 500;
const folder = process.env.ASSAY_PROFILES;
const session = new Session();
let isRecording = false;

const begin = async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
};

const end = async () => {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const file = join(folder, `${process.env.SERVICE_NAME}.cpuprofile`);
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file);
};

process.on('SIGUSR2', () => {
  isRecording = !isRecording;
  void (isRecording ? begin() : end());
});
