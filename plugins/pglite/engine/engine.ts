import { SvcError } from '../../../core/doors/plugin.ts'
import type { DataFolder } from './data-folder.ts'
import { findTemplate } from './engine-files.ts'
import { EngineFault, EngineThread } from './engine-thread.ts'

/** Folder and extensions of an embedded database. */
export interface EngineOf {
  readonly folder: DataFolder
  readonly extensions: readonly string[]
}

export interface EngineEvents {
  /** Called when the engine of the embedded database breaks. */
  readonly onDown: (error: Error) => void
  /** Called when the engine of the embedded database runs again. Its session is new. */
  readonly onUp: () => void
}

/** The embedded database (PGlite), which is opened again when its engine breaks. It handles one request at a time. */
export class Engine {
  readonly #of: EngineOf
  readonly #events: EngineEvents
  #thread: EngineThread | null
  /** Files of an in-memory database, kept until the engine runs again. */
  #image: Uint8Array | null = null
  #lost: string | null = null
  /** Number of the engine: a transaction that began in one engine cannot continue in the next. */
  generation = 0

  private constructor(of: EngineOf, thread: EngineThread, events: EngineEvents) {
    this.#of = of
    this.#thread = thread
    this.#events = events
  }

  /**
   * Opens the database, and creates it in an empty folder.
   * @param exists `true` if the folder contains a database
   * @throws EngineFault
   */
  static async open(of: EngineOf, exists: boolean, events: EngineEvents): Promise<Engine> {
    const template = exists ? null : await findTemplate()
    if (!exists && of.folder !== null && template === null) {
      // Initialising takes several times the memory of serving. The memory is freed when this thread ends.
      const maker = await EngineThread.start({ ...of, template, image: null })
      await maker.close()
    }
    const thread = await EngineThread.start({ ...of, template, image: null })
    return new Engine(of, thread, events)
  }

  get isUp(): boolean {
    return this.#thread !== null
  }

  /** Opens the engine if an earlier attempt failed. @throws SvcError SERVICE_UNAVAILABLE */
  async ready(): Promise<void> {
    if (this.#thread === null) await this.#reopen()
  }

  /**
   * @param bytes messages of the protocol
   * @returns the answers
   * @throws SvcError DATABASE_ERROR: the engine broke under them, and was opened again
   */
  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    const thread = this.#thread!
    try {
      return await thread.exchange(bytes)
    } catch (error) {
      const fault = error as EngineFault
      await thread.end()
      throw await this.#replace(fault, fault.takeImage())
    }
  }

  /**
   * Replaces the engine after an answer that violates the protocol.
   * @returns the error for the statement that got the answer
   */
  async distrust(reason: string): Promise<SvcError> {
    const image = (await this.#thread?.giveUp()) ?? null
    return this.#replace(new EngineFault(reason), image)
  }

  async #replace(fault: EngineFault, image: Uint8Array | null): Promise<SvcError> {
    this.#thread = null
    this.#image = image
    if (this.#of.folder === null && image === null) {
      this.#lost = 'The embedded database in memory broke, and its data are lost: start the process again.'
    }
    this.#events.onDown(fault)
    const message = 'The embedded database broke under a statement; what was not committed is undone.'
    await this.#reopen().catch(() => {})
    return new SvcError('DATABASE_ERROR', message, { cause: fault })
  }

  async #reopen(): Promise<void> {
    if (this.#lost !== null) throw new SvcError('SERVICE_UNAVAILABLE', this.#lost, { retryAfter: 1 })
    try {
      this.#thread = await EngineThread.start({ ...this.#of, template: null, image: this.#image })
    } catch (cause) {
      const message = 'The embedded database broke and cannot be opened again.'
      throw new SvcError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 1 })
    }
    this.#image = null
    this.generation++
    this.#events.onUp()
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.close()
  }
}
