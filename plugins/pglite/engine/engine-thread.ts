import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { findEngine } from './engine-files.ts'

/**
 * The engine computes with the stack of its thread. The main thread's (about 1 MB) ends long before PostgreSQL's own
 * bound (`max_stack_depth`), and what then happens is no error of SQL; with this much PostgreSQL refuses first.
 */
const STACK_MB = 32

export interface EngineFiles {
  /** Where the data is; `null` = in memory. */
  readonly folder: string | null
  /** Extensions that scripts may create. */
  readonly extensions: readonly string[]
  /** An initialised database (tar.gz) to begin with; `null` = what the folder has, or a new one. */
  readonly template: string | null
  /** Files of a database in memory that goes on (tar). */
  readonly image: Uint8Array | null
}

interface FromThread {
  readonly ready?: true
  readonly answer?: Uint8Array
  readonly closed?: true
  readonly fault?: string
  readonly image?: Uint8Array | null
}

/** The engine broke under what it was given, or its thread ended. */
export class EngineFault extends Error {
  /** Not for a log, which prints what an error has. */
  #image: Uint8Array | null

  constructor(message: string, image: Uint8Array | null = null) {
    super(message)
    this.#image = image
  }

  /** What a database in memory held, once; `null` = it is in the folder, or lost. */
  takeImage(): Uint8Array | null {
    const image = this.#image
    this.#image = null
    return image
  }
}

/** Node has it; TypeScript's types of it come with those of browsers. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

/** Compiled once: the next engine of the process begins with the code of the one before. */
let module: Promise<object> | undefined

function compileModule(): Promise<object> {
  module ??= readFile(join(findEngine(), 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  return module
}

interface Waiting {
  readonly resolve: (said: FromThread) => void
  readonly reject: (fault: EngineFault) => void
}

/** One embedded database in a thread of its own. One message at a time. */
export class EngineThread {
  readonly #worker: Worker
  #waiting: Waiting | null = null

  private constructor(files: EngineFiles, module: object) {
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { ...files, module },
      resourceLimits: { stackSizeMb: STACK_MB },
      // The thread needs no loader of ours.
      execArgv: [],
    })
    this.#worker.on('message', (said: FromThread) => this.#settle(said))
    this.#worker.on('error', (error: Error) => this.#settle({ fault: `${error.name}: ${error.message}` }))
    this.#worker.on('exit', (code) => this.#settle({ fault: `its thread ended (${code})` }))
  }

  /** @throws EngineFault: the database cannot be opened */
  static async start(files: EngineFiles): Promise<EngineThread> {
    const thread = new EngineThread(files, await compileModule())
    try {
      await thread.#hear()
      return thread
    } catch (error) {
      await thread.end()
      throw error
    }
  }

  /**
   * @param bytes messages of the protocol
   * @returns the answers
   * @throws EngineFault; the thread is of no use any more
   */
  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    const heard = this.#hear()
    this.#worker.postMessage(bytes)
    return (await heard).answer!
  }

  /** Closes the database in good order, and ends the thread. */
  async close(): Promise<void> {
    const heard = this.#hear()
    this.#worker.postMessage('close')
    await heard.finally(() => this.end())
  }

  /**
   * Ends the thread of an engine that answers, and cannot be trusted.
   * @returns what a database in memory held
   */
  async giveUp(): Promise<Uint8Array | null> {
    const heard = this.#hear()
    this.#worker.postMessage('give up')
    const image = await heard.then(
      () => null,
      (fault: EngineFault) => fault.takeImage(),
    )
    await this.end()
    return image
  }

  /** Ends the thread; the database is not closed. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #hear(): Promise<FromThread> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      // A thread that nobody waits for keeps no process alive.
      this.#worker.ref()
    })
  }

  #settle(said: FromThread): void {
    const waiting = this.#waiting
    if (waiting === null) return
    this.#waiting = null
    this.#worker.unref()
    if (said.fault === undefined) waiting.resolve(said)
    else waiting.reject(new EngineFault(said.fault, said.image))
  }
}
