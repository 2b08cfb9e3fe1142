import type { Config } from '../../contract/config.ts'
import type { OwnedCredential } from '../../contract/credential.ts'
import type { Database } from '../../contract/database.ts'
import type { ProcessView } from '../../contract/process.ts'
import type { Provided } from '../../contract/provided.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { InjectRequest, InjectResponse } from '../../service/http/inject.ts'
import type { CommandArgs, CommandIo, ExitCode } from '../command/command.ts'

/** The services that svc offers to a plugin's command. Each is started by the first call. */
export interface CommandHost<Options = unknown> {
  readonly io: CommandIo
  /** The resolved configuration, with secrets in plain text. */
  readonly config: Config
  /** The options of the plugin, validated and with defaults. */
  readonly options: Options
  /** Absolute folder of svc.toml. */
  readonly baseDir: string
  /**
   * Loads the compiled schema.
   * @param file path of a schema other than that of the project, relative to the working directory
   * @throws SvcError SVC_SCHEMA_NOT_FOUND, SVC_SCHEMA_FORMAT, SVC_SCHEMA_INVALID
   */
  loadSchema(file?: string): Promise<SchemaModel>
  /**
   * Returns the headers and cookies that carry credentials, as the plugins of the project declare them. The plugins are
   * set up for this, without a database and without listening.
   * @throws SvcError SVC_BOOT_FAILED
   */
  credentials(): Promise<readonly OwnedCredential[]>
  /**
   * Opens the project's database, without a service. It is closed when the command ends.
   * @throws SvcError of configuration and database
   */
  database(): Promise<Database>
  /**
   * Boots the service as `svc run` does, with the database and listeners of plugins, but without listening for HTTP. It is closed when the
   * command ends.
   * @throws SvcError of configuration, boot and database
   */
  boot(): Promise<BootedService>
}

/** A service that a command has booted. */
export interface BootedService {
  readonly process: ProcessView
  /** Returns the value that a plugin provides under the key; `undefined`: no plugin provides it. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** Handles one request without a socket. */
  inject(request: InjectRequest): Promise<InjectResponse>
}

/** The default export of the module that a command of a manifest names. @returns an exit code; nothing means 0 */
export type CommandRunner<Options = unknown> = (
  args: CommandArgs,
  host: CommandHost<Options>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a runner may return nothing
) => Promise<ExitCode | void>

/** Types the default export of the module: `export default defineCommandRunner(async (args, host) => { … })`. Returns its argument. */
export function defineCommandRunner<Options = unknown>(run: CommandRunner<Options>): CommandRunner<Options> {
  return run
}
