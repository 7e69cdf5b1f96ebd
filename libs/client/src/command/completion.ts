import { Argument, type Command } from 'commander';
import { print } from './print.ts';

const SCRIPTS = {
  bash: `_assay() { COMPREPLY=($(compgen -W "$(assay completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _assay assay`,
  zsh: `_assay() { compadd -- $(assay completion words -- "\${words[@]:1:$((CURRENT-2))}") }
compdef _assay assay`,
  fish: `complete -c assay -a '(assay completion words -- (commandline -opc)[2..])'`,
} as const;

/** What may follow: commands and options of the command that was typed so far. */
const wordsAfter = (program: Command, typed: readonly string[]): string[] => {
  const reached = typed.reduce<Command>((at, word) => at.commands.find((one) => one.name() === word) ?? at, program);
  const options = reached.options.flatMap(({ long }) => long ?? []);
  const values = reached.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...reached.commands.map((one) => one.name()), ...values, ...options, '--help'];
};

/** `assay completion`: the shell completes commands and options. */
export const addCompletionCommand = (program: Command): void => {
  program
    .command('completion')
    .description('print the completion script of a shell: eval "$(assay completion bash)"')
    .addArgument(new Argument('<shell>').choices([...Object.keys(SCRIPTS), 'words']))
    .argument('[typed...]', 'with words: what was typed so far')
    .action((shell: keyof typeof SCRIPTS | 'words', typed: string[]) => {
      print(shell === 'words' ? wordsAfter(program, typed).join('\n') : SCRIPTS[shell]);
    });
};
