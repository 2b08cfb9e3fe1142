import type { Config } from '../../contract/config.ts'
import type { OwnedCredential } from '../../contract/credential.ts'
import type { Database } from '../../contract/database.ts'
import type { ProcessView } from '../../contract/process.ts'
import type { Provided } from '../../contract/scope.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { InjectRequest, InjectResponse } from '../../service/http/inject.ts'
import type { CommandArgs, CommandIo, ExitCode } from '../command/command.ts'

/** The services that svc offers to a plugin's command. Each is started by the first call. */
export interface CommandHost<Options = unknown> {
  readonly io: CommandIo
  /** The resolved configuration, secrets in clear. */
  readonly config: Config
  /** The plugin's own options, checked, with their defaults. */
  readonly options: Options
  /** Absolute folder of svc.toml. */
  readonly baseDir: string
  /**
   * The compiled schema.
   * @param file path of another schema than that of the project, relative to the working directory
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
   * Opens the project's database, without a service around it. It is closed when the command ends.
   * @throws SvcError of configuration and database
   */
  database(): Promise<Database>
  /**
   * Boots the service as `svc run` does, database and listeners of plugins included, without listening for HTTP. What
   * is booted is closed when the command ends.
   * @throws SvcError of configuration, boot and database
   */
  boot(): Promise<BootedService>
}

/** A service that a command runs. */
export interface BootedService {
  readonly process: ProcessView
  /** The value that a plugin provides under the key; `undefined` when no plugin does. */
  provided<K extends keyof Provided & string>(key: K): Provided[K] | undefined
  /** Serves one request without a socket. */
  inject(request: InjectRequest): Promise<InjectResponse>
}

/** The default export of the module that a manifest's command names. @returns an exit code; nothing = 0 */
export type CommandRunner<Options = unknown> = (
  args: CommandArgs,
  host: CommandHost<Options>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a runner that returns nothing is done
) => Promise<ExitCode | void>

/** Identity with types: `export default defineCommandRunner(async (args, host) => { … })`. */
export function defineCommandRunner<Options = unknown>(run: CommandRunner<Options>): CommandRunner<Options> {
  return run
}
