import type { TestLike } from '../helpers/services.ts'

/** What a world needs of a test, or of the command that enters it for a whole run. */
export type Traveller = Pick<TestLike, 'teardown'>

/** Comes and goes while the fronts are asked. */
export interface Fault {
  readonly name: string
  begin(): void | Promise<void>
  end(): void | Promise<void>
}

/** The service as a world finds it. */
export interface WorldService {
  readonly url: string
  /** Of the process and its workers; none: it runs in the process of the test. */
  readonly pids: () => readonly number[]
}

/** A world that was entered. */
export interface EnteredWorld {
  /** For the tests that run in it, in processes of their own. */
  readonly env: Readonly<Record<string, string>>
  /** Makes a database with this SQL. @returns its URL */
  database(t: Traveller, sql: string): Promise<string>
  /** Where the service finds the database at this URL. */
  served(url: string): string
  /** More of `svc.toml`. */
  readonly toml: string
  /** The service needs processes of its own. */
  readonly isProcess: boolean
  /** What runs these processes, and its arguments; default: what runs the test. */
  readonly runtime?: readonly string[]
  /** How many of them serve. Default 2. */
  readonly workers?: number
  /** @returns where clients find the service */
  front(t: Traveller, service: WorldService): Promise<string>
  faults(service: WorldService): readonly Fault[]
  /** Ends all faults. What was started ends with the test. */
  leave(): Promise<void>
}

export interface World {
  readonly name: string
  /** What is different there. */
  readonly about: string
  /** Front tests that pass in it as they stand: files, folders and globs. */
  readonly tests: readonly string[]
  /** Of these, those that cannot, and why; or why there are none. */
  readonly except: Readonly<Record<string, string>>
  /** @returns `null`: it cannot be made on this machine, and the test is skipped */
  enter(t: TestLike): Promise<EnteredWorld | null>
}
