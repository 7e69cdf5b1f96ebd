import { buffer } from 'node:stream/consumers';
import type { Closable, Log } from '@assay/runtime';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Caught } from './messages.ts';

/** Takes every mail for every address and delivers none. */
export const listenSmtp = ({ port, host, caught, log }: { port: number; host: string; caught: Caught; log: Log }) =>
  new Promise<Closable & { port: number }>((resolve, reject) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
      onData: (stream, { envelope }, done) => {
        buffer(stream)
          .then((raw) => PostalMime.parse(raw))
          .then(({ subject = '', text = '', html = '' }) => {
            const from = envelope.mailFrom ? envelope.mailFrom.address : '';
            for (const { address } of envelope.rcptTo)
              caught.add({ channel: 'EMAIL', from, to: address, subject, text: text || html });
            done();
          }, done);
      },
    });
    server.on('error', (error) => log.warn({ msg: 'smtp.failed', error }));
    server.server.once('error', reject);
    const listening = server.listen(port, host, () => {
      const address = listening.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : port,
        close: () => new Promise<void>((closed) => server.close(() => closed())),
      });
    });
  });
