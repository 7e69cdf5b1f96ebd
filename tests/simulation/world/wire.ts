import { Duplex } from 'node:stream';
import type { Process, World } from './world.ts';

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * One end of a connection between two processes, with the part of a socket's interface that Node's
 * HTTP needs.
 */
export class Wire extends Duplex {
  readonly owner: Process | undefined;
  readonly remoteAddress = '10.0.0.1';
  readonly remotePort = 40_000;
  readonly connecting = false;
  /** Node's parser of the bytes that arrive here, while it is attached. */
  parser: { close(): void } | undefined;
  bytesRead = 0;
  timeout = 0;
  #peer: Wire | undefined;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #world: World;
  readonly #latency: () => number;

  constructor(world: World, owner: Process | undefined, latency: () => number) {
    super({ allowHalfOpen: true });
    this.#world = world;
    this.#latency = latency;
    this.owner = owner;
    // The connection may break before anything uses it.
    this.on('error', () => undefined);
    const die = (): void => this.cut();
    owner?.onDeath.add(die);
    this.once('close', () => owner?.onDeath.delete(die));
  }

  join(peer: Wire): void {
    this.#peer = peer;
  }

  /** Something arrives at the other end, after everything that was sent before. */
  #send(label: string, work: (peer: Wire) => void): void {
    const peer = this.#peer;
    if (!peer) return;
    this.#lastAt = Math.max(this.#lastAt, this.#world.now() + this.#latency());
    this.#world.after(this.#lastAt - this.#world.now(), peer.owner, label, () => {
      if (!peer.destroyed) work(peer);
    });
  }

  /** The connection breaks, and both ends learn it. */
  cut(): void {
    this.#send('reset', (peer) => peer.destroy(errorOf('ECONNRESET')));
    const { owner } = this;
    if (owner?.isAlive === false) return;
    this.#world.after(0, owner, 'reset', () => this.destroy(errorOf('ECONNRESET')));
  }

  refuse(): void {
    this.#world.after(this.#latency(), this.owner, 'refused', () => this.destroy(errorOf('ECONNREFUSED')));
  }

  override _read(): void {
    // Bytes are pushed as they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Without their number: a checksum of a random key has nine digits or ten.
    this.#send('bytes', (peer) => {
      peer.bytesRead += chunk.length;
      peer.#touch();
      peer.push(chunk);
    });
    this.#touch();
    done();
  }

  /** Sends chunks that waited together as one, like a socket. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', done);
  }

  override _final(done: () => void): void {
    this.#send('end', (peer) => void peer.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#send('close', (peer) => void (peer.writableFinished ? peer.push(null) : peer.destroy(errorOf('ECONNRESET'))));
    done(error);
  }

  #touch(): void {
    if (this.timeout > 0) this.#timer?.refresh();
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    clearTimeout(this.#timer);
    this.timeout = ms;
    if (onTimeout && ms > 0) this.once('timeout', onTimeout);
    else if (onTimeout) this.off('timeout', onTimeout);
    if (ms > 0) this.#timer = setTimeout(() => this.emit('timeout'), ms);
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
