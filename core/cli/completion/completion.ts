import {
  type Command,
  type CommandArgs,
  type CommandIo,
  defineCommand,
  EXIT,
  type ExitCode,
} from '../command/command.ts'
import { GLOBAL_OPTIONS } from '../command/parse-arguments.ts'
import { readPluginCommands } from '../plugins/plugin-commands.ts'

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish }

/**
 * Creates the command `svc completion`, which prints a script for completion in a shell. It takes commands and flags
 * from the same tables as the parser and the help.
 * @param loadOwn loads svc's built-in commands
 */
export function createCompletionCommand(loadOwn: () => Promise<readonly Command[]>): Command {
  return defineCommand({
    name: 'completion',
    summary: 'Print what a shell needs to complete commands and flags.',
    description:
      'Knows the commands of svc, and those of the plugins of the project in the current folder. Completes `svc`, wherever\n' +
      'PATH finds it; `npx svc` it does not.',
    arguments: [{ name: 'SHELL', required: true, choices: Object.keys(SHELLS), description: 'bash, zsh or fish' }],
    options: [],
    examples: [
      'eval "$(svc completion bash)"                                 # in ~/.bashrc',
      'eval "$(svc completion zsh)"                                  # in ~/.zshrc, behind compinit',
      'svc completion fish > ~/.config/fish/completions/svc.fish',
    ],
    async run({ positionals: [shell] }: CommandArgs, io: CommandIo): Promise<ExitCode> {
      const { commands, problem } = await readPluginCommands([], io)
      if (problem !== null) {
        io.stderr(`Commands of plugins are left out, because the project cannot be read: ${problem}\n`)
      }
      io.stdout(SHELLS[shell as keyof typeof SHELLS](listWords([...(await loadOwn()), ...commands])))
      return EXIT.ok
    },
  })
}

/**
 * Writes a function for bash 3.2 and later. Without a completion of its own (values of flags, arguments), `-o default`
 * completes files. Names consist of lower-case letters, digits and dashes, and need no quotes.
 */
function toBash(commands: readonly CommandWords[]): string {
  const first = [...commands.map(({ name }) => name), ...GLOBAL_OPTIONS.map(({ name }) => `--${name}`)]
  const cases = commands.map(({ name, flags, choices }) => {
    const names = flags.flatMap((flag) => flag.names)
    const valued = flags.filter((flag) => flag.takesValue).flatMap((flag) => flag.names)
    return [
      `    ${name})`,
      `      flags="${names.join(' ')}"`,
      `      valued=" ${valued.join(' ')} "`,
      `      choices="${choices.join(' ')}"`,
      '      ;;',
    ].join('\n')
  })
  return `# bash completion for svc, written by svc completion bash.
_svc_complete() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" flags="" valued="" choices=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${first.join(' ')}" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$valued" in *" $before "*) return ;; esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) [ "$COMP_CWORD" -ne 2 ] || COMPREPLY=($(compgen -W "$choices" -- "$cur")) ;;
  esac
}
complete -o default -F _svc_complete svc
`
}

/** Writes a `complete` per command and per flag. */
function toFish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, summary, flags, choices }) => {
    const inCommand = `complete -c svc -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c svc -n __fish_use_subcommand -f -a ${name} -d ${quoteForFish(summary)}`,
      ...flags.map(({ names, takesValue, description }) => {
        const spelt = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
        return `${inCommand} ${spelt.join(' ')}${takesValue ? ' -r' : ''} -d ${quoteForFish(description)}`
      }),
      ...(choices.length === 0 ? [] : [`${inCommand} -f -a '${choices.join(' ')}'`]),
    ]
  })
  return ['# fish completion for svc, written by svc completion fish.', ...lines, ''].join('\n')
}

const quoteForFish = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`

/** Writes a function for the completion system of zsh, which needs `compinit`. */
function toZsh(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, flags, choices }) => {
    const specs = flags.flatMap(({ names, takesValue, description }) =>
      names.map((one) => quoteForZsh(`${one}[${literal(description)}]${takesValue ? ':value:_files' : ''}`)),
    )
    const argument = choices.length === 0 ? '*:file:_files' : `1:what:(${choices.join(' ')})`
    return `    ${name}) _arguments ${[...specs, quoteForZsh(argument)].join(' ')} ;;`
  })
  return `#compdef svc
# zsh completion for svc, written by svc completion zsh.
_svc() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoteForZsh(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${cases.join('\n')}
  esac
}
compdef _svc svc
`
}

/** Escapes brackets, colons and backslashes, which have a meaning in specifications of `_arguments`. */
const literal = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&')
const quoteForZsh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Completion of a flag. */
interface FlagWords {
  /** Names with dashes: `--port`, `-p`. */
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly description: string
}

/** Completion of a command. */
interface CommandWords {
  readonly name: string
  readonly summary: string
  readonly flags: readonly FlagWords[]
  /** Values of the first argument; empty: files. */
  readonly choices: readonly string[]
}

/** Returns the completions of commands. */
function listWords(commands: readonly Command[]): readonly CommandWords[] {
  const rows = commands.map(
    (command): CommandWords => ({
      name: command.name,
      summary: command.summary,
      flags: [...command.options, ...GLOBAL_OPTIONS].map(({ name, aliases = [], short, type, description }) => ({
        names: [...[name, ...aliases].map((one) => `--${one}`), ...(short === undefined ? [] : [`-${short}`])],
        takesValue: type === 'string',
        description,
      })),
      choices: command.arguments[0]?.choices ?? [],
    }),
  )
  const help: CommandWords = {
    name: 'help',
    summary: 'Show the help of a command.',
    flags: [],
    choices: rows.map(({ name }) => name),
  }
  return [...rows, help]
}
