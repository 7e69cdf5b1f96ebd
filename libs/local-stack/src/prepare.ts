import { chooseMongo } from './mongo.ts';
import { chooseRabbit } from './rabbit.ts';

// Choosing fetches and installs what the choice needs, so that a later start finds it.
const say = (line: string): void => console.log(line);
await chooseMongo(say);
await chooseRabbit(say);
