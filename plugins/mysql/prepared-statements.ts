import type { RawConnection, RawStatement } from './raw-connection.ts'
import { isServerError } from './read-error.ts'

/** Limit on prepared statements per connection. The server's limit holds for all of its connections. */
const PREPARED_LIMIT = 256
/** The server does not prepare statements of this kind. */
const NOT_PREPARABLE = 1295

/** The statements that the server has prepared for a connection, ordered by their last use; the longest unused is first. */
export class PreparedStatements {
  readonly #raw: RawConnection
  readonly #all = new Map<string, RawStatement>()

  constructor(raw: RawConnection) {
    this.#raw = raw
  }

  /**
   * Prepares a statement, unless it is prepared already.
   * @param keep `false`: the caller drops the statement after its use
   * @returns `null` for a statement that the server does not prepare
   * @throws the error of the server
   */
  async get(text: string, keep: boolean): Promise<RawStatement | null> {
    const known = this.#all.get(text)
    if (known !== undefined) {
      this.#all.delete(text)
      this.#all.set(text, known)
      return known
    }
    const statement = await this.#prepare(text)
    if (statement === null || !keep) return statement
    const [oldest] = this.#all.keys()
    if (this.#all.size >= PREPARED_LIMIT && oldest !== undefined) this.drop(oldest)
    this.#all.set(text, statement)
    return statement
  }

  #prepare(text: string): Promise<RawStatement | null> {
    return new Promise((resolve, reject) => {
      this.#raw.prepare({ sql: text }, (error, prepared) => {
        if (error === null) resolve(prepared)
        else if (isServerError(error) && error.errno === NOT_PREPARABLE) resolve(null)
        else reject(error)
      })
    })
  }

  /** Closes a statement on the server. */
  drop(text: string): void {
    this.#all.delete(text)
    this.#raw.unprepare(text)
  }

  /** Closes all statements on the server. @returns `false` if there was none */
  closeAll(): boolean {
    const texts = [...this.#all.keys()]
    for (const text of texts) this.drop(text)
    return texts.length > 0
  }

  /** The server has closed all statements. */
  forget(): void {
    this.#all.clear()
  }
}
