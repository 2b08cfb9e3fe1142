import { dirname, resolve } from 'node:path'
import type { CompileResult } from '../../compiler/compile.ts'
import { type CommandArgs, type CommandIo, EXIT } from '../command/command.ts'
import { printError } from '../command/print-error.ts'
import { compileOnce } from '../compile/compile.ts'
import { type SourceWatch, watchSources } from '../compile/watch-sources.ts'
import { followScripts } from '../database/script-watch.ts'
import { describeService, isLoopback } from '../project/describe-service.ts'
import { loadProject, type Project } from '../project/load-project.ts'
import { type BootedProject, bootProject } from '../run/boot-project.ts'
import { announceService } from '../run/print-banner.ts'
import type { RunEnd } from '../run/run-end.ts'
import { adviseOnCredentials, createDevPage, type DevState, describeToken, type IssueToken } from './dev-page.ts'
import { loadFirst } from './load-first.ts'
import { type Problem, problemsOfError, problemsOfFaults } from './problem.ts'
import { openWaitingPage } from './waiting-page.ts'

/** What serves at the moment. */
interface Serving extends BootedProject {
  readonly follow: (() => Promise<boolean>) | null
}

/**
 * One run of `svc dev`: boots the service of a project, recompiles its schema after changes, and restarts the service
 * when needed.
 */
export class DevSession {
  readonly #args: CommandArgs
  readonly #io: CommandIo
  readonly #end: RunEnd
  /** Absent until svc.toml is valid. */
  #project!: Project
  #serving: Serving | null = null
  #watch: SourceWatch | null = null
  /** Ends the current wait of the main loop. */
  #wake: () => void = () => {}
  /** Did sources change while no wait could be ended? */
  #changed = false
  #compileProblems: readonly Problem[] = []
  #scriptProblems: readonly Problem[] = []
  #compiled = 0
  #issue: IssueToken = null
  #port: string | null = null
  /** Address of the query editor, or of the page with the errors; `null`: nothing listens. */
  editorUrl: string | null = null

  constructor(args: CommandArgs, io: CommandIo, end: RunEnd) {
    this.#args = args
    this.#io = io
    this.#end = end
  }

  get #state(): DevState {
    return { problems: [...this.#scriptProblems, ...this.#compileProblems], compiled: this.#compiled }
  }

  /**
   * Serves until the end.
   * @throws SvcError when there is no svc.toml, a flag is invalid, or the address cannot be bound
   */
  async run(): Promise<void> {
    const first = {
      load: () => this.#load(),
      pause: async () => {
        await this.#pause()
        this.#changed = false
      },
      wake: () => this.#restart(),
      stop: this.#end.stop,
    }
    try {
      if (!(await loadFirst(this.#args, this.#io, first))) return
      while (!this.#end.stop.aborted) {
        this.#changed = false
        const booted = await this.#boot()
        if (booted === null) await this.#waitForChange()
        else await this.#serve(booted)
      }
    } finally {
      this.#watch?.stop()
    }
  }

  /** Compiles again, or tries again to start. */
  async refresh(): Promise<void> {
    if (this.#serving === null) this.#restart()
    else await this.#recompile(this.#serving)
  }

  async printToken(): Promise<void> {
    const isOwn = this.#project !== undefined && isLoopback(this.#project.config.server.host)
    this.#io.stdout(await describeToken(isOwn ? this.#issue : null))
  }

  async #load(): Promise<void> {
    const set = (key: string, value: string) => ({ flag: 'svc dev', key, value })
    const settings = [
      set('server.workers', '1'),
      // A restart does not wait for load balancers, or for connections that stay open.
      set('server.shutdown_grace_ms', '0'),
      set('server.shutdown_timeout_ms', '1000'),
      ...(this.#port === null ? [] : [set('server.port', this.#port)]),
    ]
    this.#project = await loadProject({ input: this.#args.positionals[0], flags: this.#args.flags, settings }, this.#io)
    const next = await watchSources(this.#compileArgs, this.#io, (paths) => this.#onChange(paths))
    this.#watch?.stop()
    this.#watch = next
  }

  get #compileArgs(): CommandArgs {
    const { database } = this.#args.flags
    return { positionals: [], flags: { config: this.#project.file, ...(database === undefined ? {} : { database }) } }
  }

  /** Compiles and boots. @returns `null` when that failed; the errors are reported */
  async #boot(): Promise<BootedProject | null> {
    try {
      await this.#load()
      if (!(await this.#compile(undefined))) return null
      const { host } = this.#project.config.server
      const page = createDevPage(
        () => this.#state,
        (issue) => {
          this.#issue = issue
        },
      )
      const added = isLoopback(host) ? [page] : []
      return await this.#end.orStopped(bootProject(this.#project, this.#io, null, this.#end, added))
    } catch (error) {
      this.#report(error)
      return null
    }
  }

  /** @param database open database whose catalog is read. @returns whether the schema has compiled */
  async #compile(database: Serving['database'] | undefined): Promise<boolean> {
    let result: CompileResult | null = null
    const onResult = (compiled: CompileResult): void => {
      result = compiled
      this.#compileProblems = problemsOfFaults(compiled.faults, this.#project.baseDir)
    }
    try {
      const onSources = (files: readonly string[]): void => this.#watch?.follow(files)
      const code = await compileOnce(this.#compileArgs, this.#io, { database, onResult, onSources })
      if (code !== EXIT.ok || result === null) return false
      this.#scriptProblems = database === undefined ? [] : this.#scriptProblems
      this.#compiled++
      return true
    } catch (error) {
      this.#report(error)
      return false
    }
  }

  #report(error: unknown): void {
    this.#io.stderr(printError(error, false))
    this.#compileProblems = problemsOfError(error, this.#project.baseDir)
  }

  async #recompile({ app, database, embedded, follow, log }: Serving): Promise<void> {
    if (follow !== null && !(await follow())) return
    if (!(await this.#compile(embedded === null ? undefined : database))) {
      log.error({}, 'the schema does not compile; the old one stays active')
      return
    }
    // A failed reload has been reported by a signal event, and the service keeps the old schema.
    await app.reload().catch((error: unknown) => {
      this.#compileProblems = problemsOfError(error, this.#project.baseDir)
    })
  }

  async #onChange(paths: ReadonlySet<string>): Promise<void> {
    if ([...paths].some((path) => path.endsWith('.sql'))) this.#scriptProblems = []
    if (this.#serving === null || [...paths].some((path) => this.#needsRestart(path))) this.#restart()
    else await this.#recompile(this.#serving)
  }

  /** Plugins and svc.toml are read at boot. A module in the folder of a plugin may be imported by it. */
  #needsRestart(path: string): boolean {
    const { file, baseDir, list } = this.#project
    if (path === file) return true
    return list.listed.some(({ use }) => {
      const plugin = resolve(baseDir, use?.name.replace(/^use /, '') ?? '')
      if (use === null || plugin === baseDir) return false
      return path === plugin || (dirname(plugin) !== baseDir && path.startsWith(`${dirname(plugin)}/`))
    })
  }

  #restart(): void {
    this.#changed = true
    this.#wake()
  }

  /** Waits for a change of the sources, or for the end. */
  #pause(): Promise<void> {
    const { stop } = this.#end
    if (this.#changed || stop.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
      stop.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Shows the errors at the address of the service until the sources change. */
  async #waitForChange(): Promise<void> {
    const { host, port, tls } = this.#project.config.server
    if (this.#changed || this.#end.stop.aborted) return
    // The messages quote sources: they are for this machine only.
    const isShown = isLoopback(host) && !tls.enabled
    // The address stays the same where the system has chosen the port.
    const own = this.#port === null ? port : Number(this.#port)
    const page = isShown ? await openWaitingPage(host, own, () => this.#state.problems) : null
    this.editorUrl = page?.url ?? null
    if (page !== null) this.#port = new URL(page.url).port
    this.#io.stderr(`Waiting for a change of the sources.${page === null ? '' : ` The errors are at ${page.url}`}\n`)
    await this.#pause()
    this.editorUrl = null
    await page?.close()
  }

  async #serve(booted: BootedProject): Promise<void> {
    const { app, log, database, embedded } = booted
    const refused = (error: unknown): void => {
      this.#scriptProblems = problemsOfError(error, this.#project.baseDir)
    }
    try {
      const follow =
        embedded === null ? null : await followScripts(this.#project, database, embedded.folder, log, refused)
      const url = await app.listen()
      this.#port = new URL(url).port
      const service = describeService(app, this.#project, url)
      this.editorUrl = service.graphql ?? service.address
      this.#serving = { ...booted, follow }
      announceService(service, log, this.#io)
      this.#io.stdout(adviseOnCredentials(this.#project.config, service, this.#issue !== null))
      await this.#pause()
    } finally {
      this.#serving = null
      this.editorUrl = null
      await booted.close()
    }
  }
}
