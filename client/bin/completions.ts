import { type Command, type Commands, onlyArgument, UsageError } from './command.js';

const optionsOf = ({ usage }: Command): string[] => [...new Set(usage.match(/--[a-z-]+/g) ?? [])];

/** The scripts by which shells complete commands and their options. */
const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: (commands) => `_holdall() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${Object.keys(commands).join(' ')}" -- "$word")); return; fi
  case "$word" in -*) ;; *) COMPREPLY=($(compgen -f -- "$word")); return ;; esac
  case "\${COMP_WORDS[1]}" in
${Object.entries(commands)
  .map(
    ([name, command]) =>
      `    ${name}) COMPREPLY=($(compgen -W "${optionsOf(command).join(' ')}" -- "$word")) ;;\n`,
  )
  .join('')}  esac
}
complete -o filenames -F _holdall holdall
`,
  zsh: (commands) => `#compdef holdall
_holdall() {
  if (( CURRENT == 2 )); then compadd -- ${Object.keys(commands).join(' ')}; return; fi
  if [[ $PREFIX != -* ]]; then _files; return; fi
  case $words[2] in
${Object.entries(commands)
  .map(([name, command]) => `    ${name}) compadd -- ${optionsOf(command).join(' ')} ;;\n`)
  .join('')}  esac
}
compdef _holdall holdall
`,
  fish: (commands) =>
    Object.entries(commands)
      .map(
        ([name, command]) =>
          `complete -c holdall -n __fish_use_subcommand -a ${name}\n${optionsOf(command)
            .map(
              (option) =>
                `complete -c holdall -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}\n`,
            )
            .join('')}`,
      )
      .join(''),
};

/** `holdall completions`, for these commands. */
export const completionsOf = (commands: () => Commands): Command => ({
  usage: Object.keys(SHELLS).join('|'),
  summary: 'print a script that completes commands and options in your shell',
  async run(args) {
    const script = SHELLS[onlyArgument(args, Object.keys(SHELLS).join('|'))];
    if (script === undefined) throw new UsageError(`only ${Object.keys(SHELLS).join(', ')} are known`);
    process.stdout.write(script(commands()));
  },
});
