import { type AddressInfo, createServer } from 'node:net';

interface Answer {
  /** 200 if absent. */
  status?: number;
  body: unknown;
}

const replyOf = ({ status = 200, body }: Answer): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} -\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/** Whether the body has arrived that the headers announce. */
const isWhole = (question: string): boolean => {
  const [head = '', ...rest] = question.split('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return rest.length > 0 && Buffer.byteLength(rest.join('\r\n\r\n')) >= length;
};

/**
 * Starts a peer that sends each answer again as soon as the connection has its next question: the
 * copy comes where the answer to that question should.
 */
export const startStutteringPeer = async (answerTo: (question: string) => Answer) => {
  const server = createServer((socket) => {
    let former = '';
    let question = '';
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        question += data.toString();
        if (!isWhole(question)) return;
        const reply = replyOf(answerTo(question));
        question = '';
        socket.write(former === '' ? reply : former);
        former = reply;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (): void => void server.close(),
  };
};
