import type pg from 'pg'
import type { DescribedColumn } from '../../../core/doors/driver.ts'
import { pgModule, type Wire } from './pg-module.ts'

interface DescriptionMessage {
  readonly fields: readonly { readonly tableID: number; readonly columnID: number }[]
}

/** Has the server analyse a statement without running it. */
class DescribeStatement {
  readonly #text: string
  readonly #settle: (columns: readonly DescribedColumn[] | null) => void
  #columns: readonly DescribedColumn[] | null = null

  constructor(text: string, settle: (columns: readonly DescribedColumn[] | null) => void) {
    this.#text = text
    this.#settle = settle
  }

  submit(wire: Wire): null {
    wire.parse({ name: '', text: this.#text, types: [] } as never, true)
    wire.describe({ type: 'S' }, true)
    wire.sync()
    return null
  }

  handleRowDescription(message: DescriptionMessage): void {
    this.#columns = message.fields.map(({ tableID, columnID }) => ({ relation: tableID, attribute: columnID }))
  }

  handleReadyForQuery(): void {
    this.#settle(this.#columns)
  }

  handleError(): void {
    this.#settle(null)
  }
}

Object.setPrototypeOf(DescribeStatement.prototype, pgModule.Query.prototype)

/**
 * Returns the columns of a query without running it, with the table column that each comes from; `null`: the server
 * cannot describe the query.
 */
export function describeStatement(client: pg.Client, text: string): Promise<readonly DescribedColumn[] | null> {
  return new Promise((resolve) => {
    client.query(new DescribeStatement(text, resolve) as unknown as pg.Submittable)
  })
}
