import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import { type Database, type Parameter, type Row, type Rows, type Statement, SvcError } from 'svc'
import {
  abortedError,
  type Cancellable,
  type DatabaseConfig,
  type DriverContext,
  ResultTooLarge,
  type Setting,
  SettingsRefused,
  type StreamOptions,
} from 'svc/driver'
import { readCatalog, readModel } from './catalog.ts'
import { DUCKDB } from './dialect.ts'
import { DuckdbError } from './errors.ts'
import { Pool } from './pool.ts'

/** A statement occupies one of the four threads that Node.js has for such work. One stays free for files and DNS. */
const MOST_CONNECTIONS = 3
/** An interrupt does not reach a statement that still waits for its thread, so that it is repeated. */
const INTERRUPT_AGAIN_MS = 20
const SETTINGS = {
  access_mode: 'READ_ONLY',
  // Nulls sort as larger than all values, as in PostgreSQL.
  default_null_order: 'nulls_last_on_asc_first_on_desc',
  // A read never downloads code.
  autoinstall_known_extensions: 'false',
}

/** Opens a DuckDB file for reading. @throws SvcError SVC_DATABASE_UNREACHABLE */
export async function openDuckdb(
  file: string,
  config: DatabaseConfig,
  { maxResultBytes = 0 }: Pick<DriverContext, 'maxResultBytes'>,
): Promise<Database> {
  const instance = await DuckDBInstance.create(file, SETTINGS).catch((error: Error) => {
    const message = `The DuckDB file ${file} cannot be opened: ${error.message}`
    throw new SvcError('SVC_DATABASE_UNREACHABLE', message, { cause: error })
  })
  const pool = new Pool(instance, Math.min(config.pool_max, MOST_CONNECTIONS), config.connect_timeout_ms)

  async function query(
    { text, readOnly }: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings?: readonly Setting[],
  ): Promise<Rows> {
    refuseSettings(settings)
    const connection = await pool.acquire(cancel)
    try {
      const { rows, columns } = await run(connection, text, parameters, cancel)
      checkSize(rows, readOnly === true ? maxResultBytes : 0)
      return { rows, columns }
    } finally {
      pool.release(connection)
    }
  }
  const ask = async (text: string) => (await query({ name: null, text }, [], null)).rows

  return {
    kind: 'duckdb',
    dialect: DUCKDB,
    query,
    async transaction(work, { cancel = null, settings }) {
      refuseSettings(settings)
      const connection = await pool.acquire(cancel)
      let over = false
      try {
        await run(connection, 'BEGIN', [], cancel)
        return await work({
          async query(statement, parameters) {
            if (over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over.')
            return run(connection, statement.text, parameters, cancel)
          },
        })
      } finally {
        over = true
        // Nothing was written. An aborted transaction, or one that did not begin, is over already.
        await run(connection, 'ROLLBACK', [], null).catch(() => {})
        pool.release(connection)
      }
    },
    stream: (statement, parameters, options) => streamRows(pool, statement, parameters, options),
    catalog: (names) => readCatalog(ask, names),
    introspect: () => readModel(ask),
    async script() {
      throw new SvcError('SVC_CONFIG_INVALID', 'The plugin duckdb only reads. Run the script with the duckdb command.')
    },
    async explain(statement, parameters) {
      const { rows } = await query({ ...statement, text: `EXPLAIN (FORMAT JSON) ${statement.text}` }, parameters, null)
      return rows[0]![1]!
    },
    async ping() {
      await ask('SELECT 1')
    },
    get pool() {
      return pool.state
    },
    close: () => pool.close(),
  }
}

/** Views may rely on session variables and roles, so that a driver without them must not ignore one. */
function refuseSettings(settings: readonly Setting[] = []): void {
  const other = settings.find(({ name }) => name !== 'transaction_read_only')
  if (other !== undefined) throw new SettingsRefused(new Error(`The plugin duckdb cannot set "${other.name}".`))
}

/** Runs a statement. An abort interrupts it. */
async function run(
  connection: DuckDBConnection,
  text: string,
  parameters: readonly Parameter[],
  cancel: Cancellable | null,
): Promise<Rows> {
  return interruptible(connection, cancel, async () => {
    const result = await connection.run(text, parameters.map(toBound))
    const columns = result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) }))
    return { rows: (await result.getRows()).map(toRow), columns }
  })
}

/** @throws DuckdbError; SvcError TIMEOUT when the request was aborted */
async function interruptible<T>(
  connection: DuckDBConnection,
  cancel: Cancellable | null,
  work: () => Promise<T>,
): Promise<T> {
  let again: NodeJS.Timeout | undefined
  const unwatch = cancel?.onAbort(() => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS)
  })
  try {
    return await work()
  } catch (error) {
    throw cancel?.aborted === true ? abortedError(cancel) : new DuckdbError(error)
  } finally {
    unwatch?.()
    clearInterval(again)
  }
}

/** Reads rows in batches. DuckDB computes a result as far as it is read, so that a slow client slows the statement down. */
async function* streamRows(
  pool: Pool,
  { text }: Statement,
  parameters: readonly Parameter[],
  { batchSize, cancel, settings }: StreamOptions,
): AsyncGenerator<readonly Row[]> {
  refuseSettings(settings)
  const connection = await pool.acquire(cancel)
  try {
    const result: DuckDBResult = await interruptible(connection, cancel, () =>
      connection.stream(text, parameters.map(toBound)),
    )
    for (;;) {
      const chunk = await interruptible(connection, cancel, () => result.fetchChunk())
      if (chunk === null || chunk.rowCount === 0) return
      const rows = chunk.getRows().map(toRow)
      for (let start = 0; start < rows.length; start += batchSize) {
        yield rows.slice(start, start + batchSize)
        throwIfAborted(cancel)
      }
    }
  } finally {
    // The next statement of the connection closes the result.
    pool.release(connection)
  }
}

function throwIfAborted(cancel: Cancellable | null): void {
  if (cancel?.aborted === true) throw abortedError(cancel)
}

/** svc passes texts, which the SQL casts; a list becomes the text of a JSON array. */
function toBound(parameter: Parameter): string | null {
  return parameter === null || typeof parameter === 'string' ? parameter : JSON.stringify(parameter)
}

function toRow(values: readonly unknown[]): Row {
  return values.map((value) => (value === null ? null : String(value)))
}

function checkSize(rows: readonly Row[], most: number): void {
  if (most === 0) return
  let size = 0
  for (const row of rows) for (const value of row) size += value === null ? 0 : Buffer.byteLength(value)
  if (size > most) throw new ResultTooLarge(most)
}
