/**
 * The least that a server has to do: takes a file from a form and stores it, and answers with a
 * document by its id. `bench/baseline.ts` starts it on the suite's own database server, with the
 * same write concern.
 */
import express from 'express';
import mongoose from 'mongoose';
import multer from 'multer';

const [url = ''] = process.argv.slice(2);
const connection = await mongoose
  .createConnection(url, { dbName: 'plain_server', writeConcern: { w: 'majority', journal: true } })
  .asPromise();

const Things = connection.model('things', new mongoose.Schema({ content: mongoose.Schema.Types.Mixed }));
const Files = connection.model('files', new mongoose.Schema({ name: String, contentType: String, bytes: Buffer }));
const form = multer({ storage: multer.memoryStorage() });

const app = express();
app.post('/things', express.json({ limit: '1mb' }), async (request, response) => {
  const { id } = await Things.create({ content: request.body });
  response.json({ id });
});
app.get('/things/:id', async (request, response) => {
  response.json(await Things.findById(request.params.id));
});
app.post('/files', form.single('frontImage'), async (request, response) => {
  const { originalname: name = '', mimetype: contentType = '', buffer: bytes = Buffer.alloc(0) } = request.file ?? {};
  const { id } = await Files.create({ name, contentType, bytes });
  response.json({ id });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`${address?.port} ${process.pid}`);
});
