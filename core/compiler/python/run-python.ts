import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BOOTSTRAP } from './bootstrap.ts'
import { pythonEnvironment } from './python-environment.ts'

/** A run of a schema module in Python. */
export interface PythonRun {
  /**
   * Exit code; a signal that ended the process; `timeout`: it exceeded its time; `missing`: there is no such
   * interpreter.
   */
  readonly end: number | NodeJS.Signals | 'timeout' | 'missing'
  /** The end of the standard error. */
  readonly errors: string
  /** Facts about the interpreter. `null`: it did not start the program. */
  readonly report: { readonly version: string; readonly executable: string; readonly package: string | null } | null
}

export interface PythonRunOptions {
  readonly interpreter: string
  /** Absolute path of the module. */
  readonly script: string
  /** Folder that the module runs in. */
  readonly cwd: string
  readonly timeoutMs: number
  /** Empty folder for the files of the run: `schema.json`, `report.json`. */
  readonly scratch: string
  readonly print: (text: string) => void
}

/** Most text of a module that is printed. A module that prints without end would fill the memory. */
const MOST_PRINTED = 1024 * 1024
/** Most text of the standard error that is kept, from its end. It ends with all errors of the schema. */
const MOST_ERRORS = 32 * 1024 * 1024
/** Time for output to arrive after the end, because processes that the module started can hold the pipes open. */
const DRAIN_MS = 500

/**
 * Runs a schema module: without a shell, without input, and with a time limit. Prints its standard output, and keeps
 * its standard error.
 */
export async function runPython(options: PythonRunOptions): Promise<PythonRun> {
  const { interpreter, script, scratch } = options
  const report = `${scratch}/report.json`
  const child = spawn(interpreter, ['-c', BOOTSTRAP, report, bundledPackage(), script], {
    cwd: options.cwd,
    env: pythonEnvironment(process.env, `${scratch}/schema.json`),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const errors = new Tail(MOST_ERRORS)
  child.stdout.setEncoding('utf8').on('data', limited(options.print, script))
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.add(text))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, options.timeoutMs)
  const end = await new Promise<PythonRun['end']>((resolve, reject) => {
    let drain: NodeJS.Timeout | undefined
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES') resolve('missing')
      else reject(error)
    })
    child.once('exit', (code, signal) => {
      const result = isLate ? 'timeout' : (signal ?? code ?? 1)
      drain = setTimeout(() => resolve(result), DRAIN_MS)
      child.once('close', () => {
        clearTimeout(drain)
        resolve(result)
      })
    })
  }).finally(() => clearTimeout(timer))
  child.stdout.destroy()
  child.stderr.destroy()
  const facts = await readFile(report, 'utf8').then(JSON.parse, () => null)
  return { end, errors: errors.text, report: facts as PythonRun['report'] }
}

/** Returns a listener that prints until there is too much. */
function limited(print: (text: string) => void, script: string): (text: string) => void {
  let left = MOST_PRINTED
  return (text) => {
    if (left <= 0) return
    print(text.slice(0, left))
    left -= text.length
    if (left <= 0) print(`\n… svc leaves out what ${script} prints after ${MOST_PRINTED} characters.\n`)
  }
}

/** The last characters of a text that arrives in parts. */
class Tail {
  readonly #most: number
  #parts: string[] = []
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  add(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
    while (this.#parts.length > 1 && this.#length - this.#parts[0]!.length >= this.#most)
      this.#length -= this.#parts.shift()!.length
  }

  get text(): string {
    return this.#parts.join('').slice(-this.#most)
  }
}

/**
 * Returns the folder that contains the Python package `svc` of this svc, for schemas whose environment has none:
 * `python/` of a checkout or of the npm package.
 */
function bundledPackage(): string {
  // core/compiler/python/ in a checkout, dist/core/compiler/python/ in a published package.
  const folders = ['../../../python', '../../../../python'].map((up) => fileURLToPath(new URL(up, import.meta.url)))
  return folders.find((folder) => existsSync(join(folder, 'svc', '__init__.py'))) ?? folders[0]!
}
