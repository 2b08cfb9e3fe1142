import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeScratch } from '../tests/scratch.ts'
import type { HostMessage } from './host.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface TestRun {
  readonly word: 'passed' | 'failed' | 'timed out'
  readonly seconds: number
  readonly output: string
}

type TimedMessage = HostMessage & { readonly seconds: number }

export interface HostRuns {
  readonly heard: readonly TimedMessage[]
  readonly isLate: boolean
  readonly output: string
  /** Mutants that ran in processes that the tests started, or after the last message. */
  readonly inOthers: readonly string[]
}

/** A copy of the project with uncommitted changes, in which tests run over changed sources. */
export class ProjectCopy {
  readonly root = makeScratch('svc-mutation')
  /** Output folder of the tests. */
  readonly #scratch = makeScratch('svc-mutation-tests')

  constructor() {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
    for (const file of listed.toString().split('\0').filter(Boolean)) {
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(this.root, file), { recursive: true })
    }
    // A separate folder around the packages: the loader's cache of changed sources must not reach the project.
    mkdirSync(join(this.root, 'node_modules'))
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== '.cache') link(join(ROOT, 'node_modules', name), join(this.root, 'node_modules', name))
    }
    link(join(ROOT, 'test/node_modules'), join(this.root, 'test/node_modules'))
    appendFileSync(
      join(this.root, 'scripts/tests/loader/register.js'),
      "\nawait import('../../mutation/count-mutants.js')\n",
    )
  }

  /** Runs a test file with its child processes, and ends all of them. */
  async run(file: string, timeoutMs: number, mutant: string): Promise<TestRun> {
    const began = performance.now()
    const env = { TAP_TIMEOUT: String(timeoutMs / 1000), __STRYKER_ACTIVE_MUTANT__: mutant }
    const { code, isLate, output } = await this.#start([file], env, () => timeoutMs + 5000)
    const seconds = (performance.now() - began) / 1000
    // tap ends a late file by itself: this limit is for files that ignore it.
    if (isLate || (code !== 0 && seconds * 1000 >= timeoutMs)) return { word: 'timed out', seconds, output }
    return { word: code === 0 ? 'passed' : 'failed', seconds, output }
  }

  /**
   * Runs a test file once for each of `ids` in one process.
   * @param timeoutMs of each run
   * @returns the output of each run, up to the first one that did not finish
   */
  async runMany(file: string, timeoutMs: number, ids: readonly string[]): Promise<HostRuns> {
    const heard: TimedMessage[] = []
    const folder = makeScratch('svc-mutation-ran')
    const env = {
      TAP_TIMEOUT: '0',
      SVC_TEST_GROUP: JSON.stringify([file]),
      SVC_TEST_MUTATION_RUNS: JSON.stringify(ids),
      SVC_TEST_MUTATION_COVERAGE: folder,
    }
    let began = performance.now()
    try {
      const { isLate, output } = await this.#start(['scripts/mutation/host.ts'], env, (message) => {
        if (message === null) return timeoutMs
        const now = performance.now()
        heard.push({ ...message, seconds: (now - began) / 1000 })
        began = now
        return timeoutMs
      })
      const inOthers = readdirSync(folder).flatMap((name): string[] =>
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      )
      return { heard, isLate, output, inOthers }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** @param boundOf time limit from now: at the start with `null`, then after each message */
  async #start(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    boundOf: (message: HostMessage | null) => number,
  ): Promise<{ readonly code: number | null; readonly isLate: boolean; readonly output: string }> {
    const child = spawn(process.execPath, ['--import', './scripts/tests/loader/register.js', ...args], {
      cwd: this.root,
      env: { ...process.env, TMPDIR: this.#scratch, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-100_000)))
    }
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // All of them have ended.
      }
    }
    return new Promise((resolve) => {
      let isLate = false
      const expire = (): void => {
        isLate = true
        end()
      }
      let timer = setTimeout(expire, boundOf(null))
      child.on('message', (message: HostMessage) => {
        if (typeof message.run !== 'number') return
        clearTimeout(timer)
        timer = setTimeout(expire, boundOf(message))
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        end()
        resolve({ code, isLate, output })
      })
    })
  }

  remove(): void {
    for (const made of [this.root, this.#scratch]) rmSync(made, { recursive: true, force: true })
  }
}

function link(target: string, path: string): void {
  if (!existsSync(target)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
}
