import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Journey, type Step, URL_OF_PAGE } from './journeys.ts'

/** A step that was done. */
export interface DoneStep {
  readonly step: Step
  /** Output as the user sees it, with the names of the page. */
  readonly output: string
  /** Time of the step; of an edit, until the server reported it. */
  readonly ms: number
}

export interface DoneJourney {
  readonly journey: Journey
  readonly steps: readonly DoneStep[]
}

export interface Surroundings {
  /** Folder of the user, with the packed package. */
  readonly home: string
  /** Name of the database that takes the place of `chinook`. */
  readonly database: string
}

const PORT_OF_PAGE = 8080
/** Time after which a step has failed. */
const MOST_MS = 180_000

/** Variables that npm and the tests set for their children, and that programs of a user do not see. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(_?TAP|SVC_|npm_|NODE_OPTIONS|NODE_V8|NODE_ENV|DATABASE_URL|INIT_CWD|CI$)/.test(name),
  ),
)

/** npm asks its registry only for packages that it has not in its cache. */
const QUIET_NPM = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

/**
 * Does the steps of a journey, one after the other. Commands run as they are on the page, except for the name of the
 * database and the port, which other programs may use.
 * @throws Error naming the step that did not do what it promises, with its output
 */
export async function runJourney(journey: Journey, surroundings: Surroundings): Promise<DoneJourney> {
  const folder = join(surroundings.home, journey.folder)
  mkdirSync(folder, { recursive: true })
  const user = new User(folder, surroundings, await freePort())
  const steps: DoneStep[] = []
  try {
    for (const step of journey.steps) {
      const done = await user.do(step)
      steps.push(done)
      process.stdout.write(`${titleOf(step)}  # ${(done.ms / 1000).toFixed(1)} s\n`)
    }
  } finally {
    await user.stop()
  }
  return { journey, steps }
}

function titleOf({ run, serve, edit, write }: Step): string {
  return run ?? serve ?? `${edit === undefined ? 'write' : 'edit'} ${edit ?? write}`
}

class User {
  readonly #folder: string
  readonly #surroundings: Surroundings
  #port: number
  #server: ChildProcess | null = null
  #served = ''

  constructor(folder: string, surroundings: Surroundings, port: number) {
    this.#folder = folder
    this.#surroundings = surroundings
    this.#port = port
  }

  async do(step: Step): Promise<DoneStep> {
    const began = performance.now()
    const output = this.#asOnPage(await this.#output(step))
    const ms = performance.now() - began
    if (step.expect !== undefined && !step.expect.test(output))
      throw new Error(`"${titleOf(step)}" was to print ${step.expect}, and printed:\n${output}`)
    return { step, output, ms }
  }

  async #output(step: Step): Promise<string> {
    if (step.run !== undefined) return this.#run(step.run, step.code ?? 0)
    if (step.serve !== undefined) return this.#serve(step.serve, step.expect ?? /./)
    const file = join(this.#folder, step.edit ?? step.write!)
    if (step.write !== undefined) {
      writeFileSync(file, this.#asHere(step.text!))
      return ''
    }
    const text = readFileSync(file, 'utf8')
    if (!text.includes(step.find!)) throw new Error(`${step.edit} has no ${step.find}`)
    const before = this.#served.length
    writeFileSync(
      file,
      text.replace(step.find!, () => step.put!),
    )
    if (step.expect === undefined) return ''
    await this.#until(() => step.expect!.test(this.#served.slice(before)), step)
    return this.#served.slice(before)
  }

  #start(command: string): ChildProcess {
    return spawn('bash', ['-c', this.#asHere(command)], {
      cwd: this.#folder,
      env: { ...environment, ...QUIET_NPM, SVC_SERVER__PORT: String(this.#port), SVC_LOG_FORMAT: 'pretty' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group, because npx starts the program as its child.
      detached: true,
    })
  }

  async #run(command: string, code: number): Promise<string> {
    const child = this.#start(command)
    let text = ''
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        text += chunk
      })
    const timer = setTimeout(() => kill(child), MOST_MS)
    const [ended] = await once(child, 'close')
    clearTimeout(timer)
    if (ended !== code) throw new Error(`"${command}" ended with ${ended}, not ${code}:\n${text}`)
    return text
  }

  async #serve(command: string, expect: RegExp): Promise<string> {
    this.#server = this.#start(command)
    for (const stream of [this.#server.stdout!, this.#server.stderr!])
      stream.on('data', (chunk) => {
        this.#served += chunk
      })
    await this.#until(() => expect.test(this.#served) && /127\.0\.0\.1:\d+|localhost:\d+/.test(this.#served), {
      serve: command,
    })
    // `svc serve` takes a free port where 8080 is in use.
    this.#port = Number(/(?:127\.0\.0\.1|localhost):(\d+)/.exec(this.#served)![1])
    return this.#served
  }

  async #until(isThere: () => boolean, step: Step): Promise<void> {
    const deadline = performance.now() + MOST_MS
    while (!isThere()) {
      const server = this.#server
      if (server === null || server.exitCode !== null || performance.now() > deadline)
        throw new Error(`"${titleOf(step)}" did not come so far:\n${this.#served}`)
      await new Promise((done) => setTimeout(done, 20))
    }
  }

  #asHere(text: string): string {
    const url = URL_OF_PAGE.replace(/\w+$/, this.#surroundings.database)
    return text.replaceAll(URL_OF_PAGE, url).replaceAll(`localhost:${PORT_OF_PAGE}`, `127.0.0.1:${this.#port}`)
  }

  #asOnPage(text: string): string {
    return text
      .replaceAll(this.#surroundings.database, 'chinook')
      .replaceAll(/(?:127\.0\.0\.1|localhost):\d+(?=[/\s"]|$)/g, (address) =>
        address.endsWith(`:${this.#port}`) ? `localhost:${PORT_OF_PAGE}` : address,
      )
      .replaceAll(this.#surroundings.home, '~')
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === null || server.exitCode !== null) return
    const ended = once(server, 'close')
    kill(server)
    await ended
  }
}

/** Ends a command with the processes that it has started. */
function kill({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGINT')
  } catch {
    // It has just ended.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
