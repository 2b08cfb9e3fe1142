import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { findEngine } from './engine-files.ts'

/**
 * Stack size of the engine's thread. The stack of the main thread (about 1 MB) overflows long before PostgreSQL's own limit
 * (`max_stack_depth`), without an SQL error. With this size PostgreSQL reports the error first.
 */
const STACK_MB = 32

export interface EngineFiles {
  /** Folder of the embedded database; `null`: the database is in memory. */
  readonly folder: string | null
  /** Names of PostgreSQL extensions that SQL scripts may create. */
  readonly extensions: readonly string[]
  /**
   * Archive (tar.gz) of an initialised database to start from; `null`: use the folder's content, or initialise a new
   * database.
   */
  readonly template: string | null
  /** Archive (tar) of a database in memory to continue with, after its engine broke; `null`: none. */
  readonly image: Uint8Array | null
}

interface FromThread {
  readonly ready?: true
  readonly answer?: Uint8Array
  readonly closed?: true
  readonly fault?: string
  readonly image?: Uint8Array | null
}

/**
 * Error when the engine of the embedded database broke, or its thread ended. It carries the files of a database in
 * memory.
 */
export class EngineFault extends Error {
  /** Private, because loggers print the public properties of an error. */
  #image: Uint8Array | null

  constructor(message: string, image: Uint8Array | null = null) {
    super(message)
    this.#image = image
  }

  /** Returns the content of an in-memory database, once; `null`: it is in the folder, or lost. */
  takeImage(): Uint8Array | null {
    const image = this.#image
    this.#image = null
    return image
  }
}

/** Available in Node; its TypeScript types come with those of browsers. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

/** Compiled once, and reused when the engine is opened again. */
let module: Promise<object> | undefined

function compileModule(): Promise<object> {
  module ??= readFile(join(findEngine(), 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  return module
}

interface Waiting {
  readonly resolve: (said: FromThread) => void
  readonly reject: (fault: EngineFault) => void
}

/** Runs the embedded database (PGlite) in a separate thread, one protocol message at a time. */
export class EngineThread {
  readonly #worker: Worker
  #waiting: Waiting | null = null

  private constructor(files: EngineFiles, module: object) {
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { ...files, module },
      resourceLimits: { stackSizeMb: STACK_MB },
      // The thread needs no module loader.
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
   * Sends messages and waits for the answers.
   * @param bytes messages of the protocol
   * @returns the answers
   * @throws EngineFault; the thread cannot be used any more
   */
  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    const heard = this.#hear()
    this.#worker.postMessage(bytes)
    return (await heard).answer!
  }

  /** Closes the database properly, and ends the thread. */
  async close(): Promise<void> {
    const heard = this.#hear()
    this.#worker.postMessage('close')
    await heard.finally(() => this.end())
  }

  /**
   * Ends the thread of an engine that still answers but cannot be trusted.
   * @returns the content of an in-memory database
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

  /** Ends the thread without closing the database. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #hear(): Promise<FromThread> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      // The thread keeps the process alive only while an answer is awaited.
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
