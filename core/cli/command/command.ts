/** Exit codes of every command (docs/reference/cli.md). */
export const EXIT = {
  ok: 0,
  /** The schema is invalid or does not compile, or a check (`--check`) found a difference. */
  invalid: 1,
  /** Faults of the configuration, the command line or the boot. */
  usage: 2,
  /** The database cannot be reached. */
  database: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A flag of a command. The parser, `--help` and docs/reference/cli.md are generated from it. */
export interface CommandOption {
  /** Long form of the flag without dashes: `port`. */
  readonly name: string
  /** Short form of the flag: one letter without dash. `h` (help) and `V` (version) are reserved. */
  readonly short?: string
  /** Other long names of the same flag: `bind` for `host`. The value is stored under `name`. */
  readonly aliases?: readonly string[]
  readonly type: 'string' | 'boolean'
  /** Placeholder for the flag's value in help texts: `PORT`. Only for flags of the type `string`. */
  readonly value?: string
  /** Allows the flag several times on a command line. The values are joined with commas. */
  readonly multiple?: true
  readonly description: string
}

/** A positional argument of a command, such as INPUT in `svc compile INPUT`. */
export interface CommandArgument {
  /** Name of the argument in help texts, in upper case: `INPUT`. */
  readonly name: string
  readonly required?: boolean
  /** The valid values. Absent: any text is valid. */
  readonly choices?: readonly string[]
  readonly description: string
}

/**
 * The parsed arguments of a command line after the command's name, checked against the command's options and arguments.
 */
export interface CommandArgs {
  readonly positionals: readonly string[]
  /** Values of the flags on the command line, by `CommandOption.name`. Absent flags have no entry. */
  readonly flags: Readonly<Record<string, string | boolean>>
}

/** Streams, environment and signals of the process that runs a command. Tests pass substitutes. */
export interface CommandIo {
  /** `true` for the real process; `false` or absent for the substitute that a test passes. */
  readonly isProcess?: boolean
  /** Absolute path of the working directory, which relative paths in arguments refer to. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes the results of a command to standard output, without adding a newline. */
  stdout(text: string): void
  /** Writes progress, warnings, errors and log lines to standard error, without adding a newline. */
  stderr(text: string): void
  /** `true` if standard error is a terminal, so that colours and progress bars are shown. */
  readonly isTerminal: boolean
  /**
   * Returns a signal that aborts at the first SIGINT or SIGTERM; the second one ends the process at once. Without a
   * call of this function the two signals keep their default effect.
   */
  stopSignal(): AbortSignal
  /** Calls `listener` at each SIGUSR1, the signal to reload the schema. @returns a function that unsubscribes */
  onReload(listener: () => void): () => void
  /**
   * Calls `listener` with each key that the user presses, without waiting for Enter. Absent if standard input or output
   * is no terminal.
   * @returns a function that unsubscribes and restores the terminal
   */
  onKey?(listener: (key: string) => void): () => void
  /**
   * Calls `listener` for each error that no code caught (`uncaughtException`, `unhandledRejection`); the process then
   * continues. Without a listener, such an error ends the process.
   * @returns a function that unsubscribes
   */
  onFault?(listener: (error: unknown) => void): () => void
}

/**
 * A command of the CLI, such as `svc compile`. `main` parses its flags, runs it, and converts a thrown SvcError to a
 * message and exit code. A command returns an exit code of {@link EXIT}, or throws.
 */
export interface Command {
  readonly name: string
  /** One-line description in the list of commands in `svc --help`. */
  readonly summary: string
  /** Longer text for `svc COMMAND --help`: one or two paragraphs of plain text. */
  readonly description?: string
  readonly arguments: readonly CommandArgument[]
  readonly options: readonly CommandOption[]
  /** Command lines that `--help` prints after the flags. */
  readonly examples?: readonly string[]
  run(args: CommandArgs, io: CommandIo): Promise<ExitCode>
}

/**
 * Returns its argument unchanged; it only checks the TypeScript type:
 * `export const compileCommand = defineCommand({ … })`.
 */
export function defineCommand(command: Command): Command {
  return Object.freeze(command)
}
