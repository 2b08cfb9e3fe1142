import type { Config } from '../../contract/config.ts'
import type { OwnedCredential } from '../../contract/credential.ts'
import type { Database } from '../../contract/database.ts'
import type { ProcessView } from '../../contract/process.ts'
import type { Provided } from '../../contract/provided.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { InjectRequest, InjectResponse } from '../../service/http/inject.ts'
import type { CommandArgs, CommandIo, ExitCode } from '../command/command.ts'

/**
 * What svc provides to a command that a plugin adds to the CLI. Database and service are opened by the first call of
 * their method.
 */
export interface CommandHost<Options = unknown> {
  readonly io: CommandIo
  /** The resolved configuration, with secrets in plain text. */
  readonly config: Config
  /** The options of the plugin, validated and with defaults. */
  readonly options: Options
  /** Absolute path of the folder that contains svc.toml. */
  readonly baseDir: string
  /**
   * Reads the project's compiled schema from its file.
   * @param file path of another compiled schema, relative to the working directory
   * @throws SvcError SVC_SCHEMA_NOT_FOUND: there is no such file; SVC_SCHEMA_FORMAT: it is no compiled schema of this
   * version; SVC_SCHEMA_INVALID: a module that it names cannot be imported
   */
  loadSchema(file?: string): Promise<SchemaModel>
  /**
   * Returns which headers and cookies carry credentials, as the project's plugins declare them. The plugins are set up
   * for this, without a database and without listening.
   * @throws SvcError SVC_BOOT_FAILED: the set-up of a plugin failed
   */
  credentials(): Promise<readonly OwnedCredential[]>
  /**
   * Opens the project's database without booting the service. The database is closed when the command ends.
   * @throws SvcError SVC_DATABASE_MISSING, SVC_DATABASE_UNREACHABLE: the database cannot be opened
   */
  database(): Promise<Database>
  /**
   * Boots the service as `svc run` does, with the database and the listeners of plugins, but without its HTTP server.
   * It is closed when the command ends.
   * @throws SvcError SVC_BOOT_FAILED: the set-up of a plugin failed; SVC_DATABASE_MISSING, SVC_DATABASE_UNREACHABLE:
   * the database cannot be opened
   */
  boot(): Promise<BootedService>
}

/** The service that a plugin's command has booted with `CommandHost.boot`. */
export interface BootedService {
  readonly process: ProcessView
  /**
   * Returns the value that a plugin of the service provides under the key (`scope.provide`); `undefined`: no plugin
   * provides it.
   */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** Handles one HTTP request within the process, without a network connection. */
  inject(request: InjectRequest): Promise<InjectResponse>
}

/**
 * The code of a command that a plugin adds: the default export of the module that the plugin's manifest names.
 * @returns the exit code; without a value, 0
 */
export type CommandRunner<Options = unknown> = (
  args: CommandArgs,
  host: CommandHost<Options>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a runner may return nothing
) => Promise<ExitCode | void>

/**
 * Returns its argument unchanged; it only checks the TypeScript type:
 * `export default defineCommandRunner(async (args, host) => { … })`.
 */
export function defineCommandRunner<Options = unknown>(run: CommandRunner<Options>): CommandRunner<Options> {
  return run
}
