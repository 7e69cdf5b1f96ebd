import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readKeys, verifyProof } from '@assay/client';
import { isCalendarDate } from '@assay/contracts';
import { formParser, jsonBody } from '@assay/http';
import type { Request, Response } from 'express';
import { parseAamva } from '../../../libs/engine/src/barcode/aamva.ts';
import { magneticStripe } from '../../../libs/engine/src/barcode/magnetic-stripe.ts';
import { checksOf, datesPossible } from '../../../libs/engine/src/mrz/checks.ts';
import { fieldsOf } from '../../../libs/engine/src/mrz/fields.ts';
import { LAYOUTS, type MrzFormat } from '../../../libs/engine/src/mrz/formats.ts';
import { createImages } from '../../../services/evidence-intake/src/clients/images.ts';
import { readSoap, readVerifyResult } from '../../../services/issuing-source-adapter/src/clients/dldv/replies.ts';
import type { Target } from './fuzz.ts';

const root = join(import.meta.dirname, '../../..');
const vectors = join(root, 'libs/client/test-vectors');
const specimen = (name: string): Buffer => readFileSync(join(root, 'specimens', name));

const form: Target = {
  name: 'multipart',
  seeds: [
    '--B\r\nContent-Disposition: form-data; name="DocumentFront"; filename="f.jpg"\r\nContent-Type: image/jpeg\r\n\r\nbytes\r\n--B--\r\n',
    '--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n--B\r\nContent-Disposition: form-data; name="__proto__"; filename*=utf-8\'\'%e2%82%ac\r\n\r\ny\r\n--B--',
  ],
  read: (input) =>
    new Promise<void>((resolve) => {
      const parser = formParser({
        boundary: 'B',
        limits: { parts: 32, headerPairs: 64 },
        onPart: (_name, stream) => void stream.on('error', () => resolve()).resume(),
      });
      parser.on('finish', resolve).on('error', () => resolve());
      for (let at = 0; at < input.length && parser.writable; at += 97) parser.write(input.subarray(at, at + 97));
      if (parser.writable) parser.end();
    }),
};

const takeJson = jsonBody();
const json: Target = {
  name: 'json',
  seeds: [
    '{"name":"a","settings":{"limits":{"requestsPerMinute":1}}}',
    '[{"approved":true,"type":"PORTRAIT"}]',
    '{"a":[[[[[]]]]]}',
  ],
  read: (input) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': String(input.length) };
      const request = Object.assign(Readable.from([input]), { headers }) as unknown as Request;
      takeJson(request, {} as Response, (error: unknown) => {
        if (!error) return typeof request.body === 'object' ? resolve() : reject(new Error('a body that is no object'));
        const status = (error as { status?: number }).status ?? 500;
        return status < 500 ? resolve() : reject(error as Error);
      });
    }),
};

/** Reads image headers in a separate process. A process that dies or hangs is a finding. */
const imageTarget = (): Target & { close: () => Promise<void> } => {
  const images = createImages({ timeoutMs: 20_000 });
  return {
    name: 'image-headers',
    seeds: [specimen('selfie-same.jpg').subarray(0, 20_000), specimen('passport.jpg').subarray(0, 3000)],
    read: async (input) => {
      const header = await images.header(input);
      if (header && !(header.width > 0 && header.height > 0)) throw new Error(`a size of ${JSON.stringify(header)}`);
    },
    close: images.close,
  };
};

const FORMATS = Object.keys(LAYOUTS) as MrzFormat[];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const mrz: Target = {
  name: 'mrz-text',
  seeds: [
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10',
    'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<',
    'IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<\n8806923102858CORINNE<<<<<<<6512068F6',
  ],
  read: (input) => {
    const text = input.toString('latin1').toUpperCase().split('\n');
    for (const format of FORMATS) {
      // The engine gives lines with the length and the letters of the layout, so this does the
      // same.
      const { lines: count, length } = LAYOUTS[format];
      const lines = Array.from({ length: count }, (_, at) =>
        (text[at] ?? '')
          .replace(/[^A-Z0-9<]/g, '<')
          .padEnd(length, '<')
          .slice(0, length),
      );
      checksOf(format, lines);
      datesPossible(format, lines);
      const fields = fieldsOf(format, lines, '2026-01-01');
      for (const date of [fields.birthDate, fields.expiryDate])
        if (date !== undefined && (!DATE.test(date) || Number.isNaN(Date.parse(date)))) throw new Error(`date ${date}`);
    }
  },
};

const barcode: Target = {
  name: 'barcode-text',
  seeds: [
    '@\n\x1e\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDCSSPECIMEN\nDDEN\nDACBARRY\nDBB08041961\nDBA08042031\nDBC1\nDAU073 in\nDCGUSA\rZVZVA01\r',
    '@\n\x1e\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789\nDBC__proto__\rZVZVA01\r',
    '%CAANYTOWN^DOE$JOHN$Q^123 MAIN ST^?;6360141234567=2512198501011?',
  ],
  read: (input) => {
    const text = input.toString('latin1');
    for (const licence of [parseAamva(text), magneticStripe(text)]) {
      if (!licence) continue;
      const { birthDate, expiryDate, issuingDate, sex = 'X' } = licence;
      for (const date of [birthDate, expiryDate, issuingDate])
        if (date !== undefined && !isCalendarDate(date)) throw new Error(`date ${date}`);
      if (!['M', 'F', 'X'].includes(sex)) throw new Error(`a sex that is ${typeof sex}`);
      // A licence must survive the transfer between processes.
      structuredClone(licence);
    }
  },
};

const soap: Target = {
  name: 'soap-replies',
  seeds: [
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><VerifyDriverLicenseDataResponse><VerifyDriverLicenseDataResult><DriverLicenseNumberMatchIndicator>true</DriverLicenseNumberMatchIndicator></VerifyDriverLicenseDataResult></VerifyDriverLicenseDataResponse></s:Body></s:Envelope>',
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text>&lt;down&gt;</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>',
  ],
  read: (input) => {
    const reply = readSoap(input.toString('utf8'));
    const result = reply.kind === 'BODY' ? readVerifyResult(reply.body) : undefined;
    for (const match of Object.values(result?.matches ?? {}))
      if (typeof match !== 'boolean') throw new Error(`a match that is ${typeof match}`);
  },
};

const keys = readKeys(readFileSync(join(vectors, 'jwks.json'), 'utf8'));
const proof: Target = {
  name: 'proof-archives',
  seeds: ['good-compressed.zip', 'size-bomb.zip', 'local-header.zip', 'envelope-open.mime'].map((name) =>
    readFileSync(join(vectors, name)),
  ),
  read: async (input) => {
    const report = await verifyProof(input, keys).catch((error: Error) => {
      if (error.name !== 'UnusableInput') throw error;
    });
    if (report && report.ok !== (report.reasons.length === 0)) throw new Error('refused without a reason');
  },
};

/** Every reader that is fuzzed. `close` ends what the readers started. */
export const openTargets = (): { targets: Target[]; close: () => Promise<void> } => {
  const image = imageTarget();
  return { targets: [form, json, image, mrz, barcode, soap, proof], close: image.close };
};
