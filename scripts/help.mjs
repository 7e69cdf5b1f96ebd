/**
 * node --import ./scripts/help.mjs --import tsx FILE --help: answers with the leading comment of
 * the file, before anything of the program is loaded.
 */
import { answerHelp } from './arguments.mjs';

const [, file] = process.argv;
if (file) answerHelp(file);
