import { type PGlite, protocol } from '@electric-sql/pglite'
import {
  type CatalogReader,
  columnTypeName,
  encodeParameters,
  type Parameter,
  type Row,
  type Rows,
  type Setting,
  type Statement,
  SvcError,
  settingsParameters,
  settingsStatement,
} from '../../core/index.ts'

const { serialize } = protocol
const PREPARED_LIMIT = 256
const COPY_FROM_STDIN = /\bCOPY\s[^;]*\bFROM\s+STDIN\b/i

export interface RunOptions {
  readonly begin?: Statement | undefined
  readonly settings?: readonly Setting[] | undefined
  /** Something ran before in the same transaction: it cannot be begun again. */
  readonly inTransaction?: boolean
}

interface Outcome extends Rows {
  readonly tag: string
}

/**
 * Speaks PostgreSQL's protocol with the embedded database: it takes and gives texts, where its own `query` would
 * convert values by their types.
 */
export class WireSession {
  readonly #database: PGlite
  readonly #usesPrepared: boolean
  /** Names that are prepared, oldest first. */
  readonly #prepared = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: PGlite, usesPrepared: boolean) {
    this.#database = database
    this.#usesPrepared = usesPrepared
  }

  /** @throws the server's error */
  async run(statement: Statement, parameters: readonly Parameter[], options: RunOptions = {}): Promise<Outcome> {
    if (statement.text.includes('\0')) throw new TypeError('A statement cannot contain the character NUL')
    const fresh: string[] = []
    const messages: Uint8Array[] = []
    let prologue = 0
    if (options.begin !== undefined) {
      prologue++
      this.#write(messages, fresh, options.begin, [])
      messages.push(serialize.execute({}))
    }
    if (options.settings !== undefined && options.settings.length > 0) {
      prologue++
      this.#write(messages, fresh, settingsStatement(options.settings.length), settingsParameters(options.settings))
      messages.push(serialize.execute({}))
    }
    this.#write(messages, fresh, statement, encodeParameters(parameters))
    if (statement.name === null) messages.push(serialize.describe({ type: 'P' }))
    messages.push(serialize.execute({}), serialize.sync())
    try {
      return readOutcome(await this.#exchange(messages), prologue)
    } catch (error) {
      for (const name of fresh) this.#prepared.delete(name)
      if (!isStalePlan(error, statement) || !this.#prepared.delete(statement.name!)) throw error
      if (options.inTransaction === true) throw error
      // The view or function behind it has changed: prepared anew it may work, and nothing ran before it.
      if (options.begin !== undefined) await this.#exchange([serialize.query('ROLLBACK')])
      return this.run(statement, parameters, options)
    }
  }

  #write(messages: Uint8Array[], fresh: string[], { name, text }: Statement, values: readonly (string | null)[]): void {
    let statement = ''
    if (name === null || !this.#usesPrepared) {
      messages.push(serialize.parse({ text }))
    } else {
      statement = name
      if (!this.#prepared.has(name)) {
        messages.push(...this.#makeRoom(), serialize.close({ type: 'S', name }), serialize.parse({ name, text }))
        this.#prepared.add(name)
        fresh.push(name)
      }
    }
    messages.push(serialize.bind({ statement, values: values as (string | null)[] }))
  }

  #makeRoom(): Uint8Array[] {
    if (this.#prepared.size < PREPARED_LIMIT) return []
    const [oldest] = this.#prepared
    this.#prepared.delete(oldest!)
    return [serialize.close({ type: 'S', name: oldest! })]
  }

  /** One at a time: PGlite would mix up the answers of two. */
  #exchange(messages: readonly Uint8Array[]): Promise<readonly ServerMessage[]> {
    const exchange = this.#last.then(() => this.#send(messages))
    this.#last = exchange.catch(() => {})
    return exchange
  }

  async #send(messages: readonly Uint8Array[]): Promise<readonly ServerMessage[]> {
    const answer = await this.#database.execProtocol(Buffer.concat(messages), { throwOnError: false })
    for (const message of answer.messages) if (message instanceof Error) throw message
    return answer.messages as unknown as readonly ServerMessage[]
  }

  /**
   * Runs several statements in one text.
   * @throws SvcError DATABASE_ERROR for COPY FROM STDIN, which would end the process
   */
  async script(sql: string): Promise<void> {
    if (COPY_FROM_STDIN.test(sql)) {
      throw new SvcError(
        'DATABASE_ERROR',
        'The embedded database cannot run COPY … FROM STDIN. Write INSERT statements (pg_dump --inserts does).',
      )
    }
    await this.#exchange([serialize.query(sql)])
  }

  catalogReader(): CatalogReader {
    return {
      query: async (text, parameters) => (await this.run({ name: null, text }, parameters)).rows,
      describe: async (text) => {
        try {
          const messages = [serialize.parse({ text }), serialize.describe({ type: 'S' }), serialize.sync()]
          const description = (await this.#exchange(messages)).find((message) => message.name === 'rowDescription')
          const fields = (description?.fields ?? []) as unknown as readonly FieldMessage[]
          return fields.map((field) => ({ relation: field.tableID, attribute: field.columnID }))
        } catch {
          return null
        }
      },
    }
  }
}

interface FieldMessage {
  readonly name: string
  readonly tableID: number
  readonly columnID: number
  readonly dataTypeID: number
}
interface ServerMessage {
  readonly name: string
  readonly text?: string
  readonly fields?: Row | readonly FieldMessage[]
}

/** @param prologue commands in front whose answers nobody wants */
function readOutcome(messages: readonly ServerMessage[], prologue: number): Outcome {
  const rows: Row[] = []
  let columns: Outcome['columns'] = []
  let tag = ''
  let toSkip = prologue
  for (const message of messages) {
    if (message.name === 'dataRow') {
      if (toSkip === 0) rows.push(message.fields as Row)
    } else if (message.name === 'rowDescription') {
      const fields = message.fields as readonly FieldMessage[]
      columns = fields.map(({ name, dataTypeID }) => ({ name, type: columnTypeName(dataTypeID) }))
    } else if (message.name === 'commandComplete') {
      if (toSkip > 0) toSkip--
      else tag = message.text ?? ''
    }
  }
  return { rows, columns, tag }
}

function isStalePlan(error: unknown, statement: Statement): boolean {
  if (statement.name === null || !(error instanceof Error)) return false
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
