import { type Command, type CommandArgs, type CommandIo, defineCommand, EXIT, type ExitCode } from './command.ts'
import { toBash } from './completion/to-bash.ts'
import { toFish } from './completion/to-fish.ts'
import { toZsh } from './completion/to-zsh.ts'
import { listWords } from './completion/words.ts'
import { readPluginCommands } from './plugin-commands.ts'

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish }

/**
 * `svc completion`: written from the very tables that the parser and the help read.
 * @param loadOwn the commands of svc itself
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
