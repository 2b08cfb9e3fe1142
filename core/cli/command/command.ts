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

/** A flag of a command, for the parser, `--help` and docs/reference/cli.md. */
export interface CommandOption {
  /** Long form without dashes: `port`. */
  readonly name: string
  /** Short form: one letter without dash. `h` and `V` belong to every command. */
  readonly short?: string
  /** Other long names of the same flag: `bind` for `host`. The value is stored under `name`. */
  readonly aliases?: readonly string[]
  readonly type: 'string' | 'boolean'
  /** Name of the value in help: `PORT`. Only for `string`. */
  readonly value?: string
  /** The flag may be repeated. Its values are joined with commas. */
  readonly multiple?: true
  readonly description: string
}

/** A positional argument. */
export interface CommandArgument {
  /** Name in help: `INPUT`. */
  readonly name: string
  readonly required?: boolean
  /** Valid values. Default: any text. */
  readonly choices?: readonly string[]
  readonly description: string
}

/** The arguments after the command's name, validated against its options and arguments. */
export interface CommandArgs {
  readonly positionals: readonly string[]
  /** Values of the flags, by the option's `name`. A flag that is not on the command line has no entry. */
  readonly flags: Readonly<Record<string, string | boolean>>
}

/** Streams, environment and signals of the process that runs a command. Tests pass substitutes. */
export interface CommandIo {
  /** `true` for the real process, `false` or absent for a substitute of a test. */
  readonly isProcess?: boolean
  /** Absolute path of the folder that relative arguments refer to. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes results, for people and pipes. The text is written unchanged: add the newline. */
  stdout(text: string): void
  /** Writes progress, warnings, errors and log lines. The text is written unchanged: add the newline. */
  stderr(text: string): void
  /** `true` if stderr is a terminal. */
  readonly isTerminal: boolean
  /**
   * Returns a signal that aborts at the first SIGINT or SIGTERM; the second one ends the process at once. Without a call
   * of this function the two signals keep their default effect.
   */
  stopSignal(): AbortSignal
  /** Calls `listener` at every SIGUSR1. @returns a function that unsubscribes */
  onReload(listener: () => void): () => void
  /**
   * Calls `listener` with every key that is pressed, without waiting for Enter. Absent: standard input or output is no terminal.
   * @returns a function that restores the terminal
   */
  onKey?(listener: (key: string) => void): () => void
  /**
   * Calls `listener` at every error that no code handled (`uncaughtException`, `unhandledRejection`); the process then continues. Without a
   * listener such an error ends the process at once.
   * @returns a function that unsubscribes
   */
  onFault?(listener: (error: unknown) => void): () => void
}

/**
 * A command. Each has a file, which `main.ts` lists. `main` parses the flags, prints `--help`, and converts a thrown SvcError to text and
 * exit code. A command throws or returns an exit code of {@link EXIT}.
 */
export interface Command {
  readonly name: string
  /** Description in the list of commands, in one line. */
  readonly summary: string
  /** Longer help, plain text, a paragraph or two. */
  readonly description?: string
  readonly arguments: readonly CommandArgument[]
  readonly options: readonly CommandOption[]
  /** Command lines that `--help` prints after the flags. */
  readonly examples?: readonly string[]
  run(args: CommandArgs, io: CommandIo): Promise<ExitCode>
}

/** Types a command: `export const compileCommand = defineCommand({ … })`. Returns its argument. */
export function defineCommand(command: Command): Command {
  return Object.freeze(command)
}
